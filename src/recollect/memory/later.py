"""Of two words on one thing the later holds. Pure."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.drafts import Draft
    from recollect.model.entries import Entry

SHARED = 0.5  # of what was asked for and the one speaks of, the other speaks of as well
_LIFTED = ("tool", "document")


class About(Record):
    """What somebody's word is about: what of a question it speaks of, or its subject; and what else it names."""

    asked: AbstractSet[str] = frozenset()
    names: AbstractSet[str] = frozenset()


def by_person(said: Entry | Draft) -> bool:
    """Did a person say it or vouch for it?"""
    return said.origin == "typed" or (said.source == "user" and said.origin not in _LIFTED)


def winner(newer: Entry, older: Entry) -> Entry:
    """Which of two that contradict each other is used: the later word, but never an agent's over a person's."""
    return older if by_person(older) and not by_person(newer) else newer


def later_first(about: Sequence[About], said: Sequence[float]) -> tuple[list[int], dict[int, int]]:
    """The places of some findings, best first as they came, but none before the last word on the same thing; and of
    those that are not the last word, which one is.

    Who speaks of nothing that was asked for neither wins nor loses; `said` is when."""
    last: dict[int, int] = {}
    for place, own in enumerate(about):
        if own.asked:
            same = [other for other, others in enumerate(about) if _is_one_thing(own, others)]
            latest = max(same, key=lambda other: (said[other], -other))
            if said[latest] > said[place]:
                last[place] = latest
    order: list[int] = []
    for place in range(len(about)):
        for one in (last.get(place, place), place):
            if one not in order:
                order.append(one)
    return order, last


def _is_one_thing(left: About, right: About) -> bool:
    common = len(left.asked & right.asked)
    if not common:
        return False
    return common >= SHARED * max(len(left.asked), len(right.asked)) or not left.names.isdisjoint(right.names)
