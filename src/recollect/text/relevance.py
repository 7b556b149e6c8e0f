"""How much a match tells, by how rare a word is and how long the text is: arithmetic that every search shares."""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from recollect.model.recall import Needed

TYPICAL_WORDS = 25
LENGTH_SHARE = 0.25  # how far the length of an entry bends what its words are worth
LONGEST = 4.0  # times the typical length; beyond that, length says no more


def rarity(documents: float, total: float) -> float:
    """How much finding the term tells: BM25's inverse document frequency, never negative."""
    return log(1 + (total - documents + 0.5) / (documents + 0.5)) if total >= documents else 0.0


def brevity(words: int) -> float:
    """What a match in an entry of so many words is worth: a long one meets many words by chance."""
    # One more: where an entry belongs counts like a word of it.
    return 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * min((words + 1) / TYPICAL_WORDS, LONGEST))


def reaching(
    needed: Needed, have: Iterable[tuple[int, int, int]], words: Sequence[int] | Mapping[int, int]
) -> list[tuple[int, int]]:
    """Which entries may be above the floor, with what they have: of (place, how much, in how many words), no less than
    the least that is needed."""
    _, enough, whole, spellings = needed
    return [
        (place, grains)
        for place, grains, said in have
        if grains >= enough or grains * (said + spellings) ** 2 >= whole * words[place] ** 2
    ]
