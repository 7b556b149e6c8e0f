"""Which board items a message is about, by words alone. Strict: silence beats noise. Pure."""

from __future__ import annotations

from recollect.text.language.commonwords import ENGLISH_STEMS
from recollect.text.terms import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.board import BoardItem

MOST_ITEMS = 3
# What people ask for in one common word, and the item that answers it says so in its description.
PURPOSES = frozenset(("test", "build", "lint", "format", "type", "instal", "deploy", "commit", "run", "check"))


def relevant(message: str, items: Sequence[BoardItem]) -> list[BoardItem]:
    """The items that a message is about, best first: two words in common of which one is rare, a rare word that only
    one item has in its name or description, or a purpose that its description names."""
    words = set(query_terms(message))
    every = {one.name: set(query_terms(f"{one.name} {one.description} {one.content}")) for one in items}
    scored: list[tuple[float, int, BoardItem]] = []
    for at, one in enumerate(items):
        shared = words & every[one.name]
        head = shared & set(query_terms(f"{one.name} {one.description}"))
        rare = {word for word in shared if word not in ENGLISH_STEMS}
        alone = {word for word in head & rare if sum(word in other for other in every.values()) == 1}
        if (len(shared) >= 2 and rare) or alone or head & PURPOSES:
            scored.append((-(len(shared) + len(rare) + 2 * len(alone)), at, one))
    return [one for _, _, one in sorted(scored, key=lambda found: found[:2])[:MOST_ITEMS]]
