"""What several messages say together: an order that comes back is a preference, and the later word wins."""

from __future__ import annotations

from recollect.memory.gapfill.cues import cues_of
from recollect.model.record import Record
from recollect.text.language.sentences import sentences
from recollect.text.language.statements import opposite
from recollect.text.similarity import features, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.gapfill.finding import Found

SESSIONS = 3  # fewer is chance
_SHORTEST = 3  # words with meaning; "run the tests" recurs for everybody
_LONGEST = 300
_ALIKE = 0.8


class Recurring(Record):
    """An order given in several sessions."""

    text: str  # as it was typed last
    sessions: tuple[str, ...]
    times: int


class Reversal(Record):
    """A later statement that takes an earlier one back; places in the sequence given."""

    earlier: int
    later: int


def recurring(orders: Sequence[tuple[str, str]]) -> list[Recurring]:
    """Orders that come back nearly word for word in at least SESSIONS sessions, the most frequent first.

    `orders` are pairs of session and typed text, oldest first. Only sentences in the imperative count.
    """
    groups: dict[frozenset[str], list[tuple[str, str]]] = {}
    index: dict[str, list[frozenset[str]]] = {}
    for session, text in orders:
        for order in _imperatives(text):
            words = features(order)
            if len(words) < _SHORTEST:
                continue
            key = _group(words, groups, index)
            groups.setdefault(key, []).append((session, order))
    found = []
    for said in groups.values():
        sessions = tuple(dict.fromkeys(session for session, _ in said))
        if len(sessions) >= SESSIONS:
            found.append(Recurring(said[-1][1], sessions, len(said)))
    return sorted(found, key=lambda one: (-len(one.sessions), -one.times, one.text))


def _imperatives(text: str) -> list[str]:
    found: dict[str, str] = {}
    for one in sentences(text):
        order = text[one.start : one.end]
        if one.end - one.start <= _LONGEST and "order" in cues_of(one.shadow):
            found.setdefault(normalise(order), order)
    return list(found.values())


def _group(
    words: frozenset[str], groups: dict[frozenset[str], list[tuple[str, str]]], index: dict[str, list[frozenset[str]]]
) -> frozenset[str]:
    """The group of an order: one with nearly the same words, else its own."""
    if words in groups:
        return words
    for key in index.get(min(words), [])[:200]:
        if len(words & key) / len(words | key) >= _ALIKE:
            return key
    for word in words:
        index.setdefault(word, []).append(words)
    return words


def reversals(found: Sequence[Found]) -> list[Reversal]:
    """Which statements of one session, in the order in which they were typed, are taken back by a later one."""
    taken: list[Reversal] = []
    gone: set[int] = set()
    for later in range(len(found)):
        for earlier in range(later):
            if earlier not in gone and opposite(found[earlier].statement, found[later].statement):
                taken.append(Reversal(earlier, later))
                gone.add(earlier)
    return taken


def latest(found: Sequence[Found]) -> list[Found]:
    """What stands at the end of a session."""
    gone = {one.earlier for one in reversals(found)}
    return [one for index, one in enumerate(found) if index not in gone]
