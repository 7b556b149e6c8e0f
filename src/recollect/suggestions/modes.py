"""Modes: when suggestions are made after a turn, and what a person is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.suggestions import Suggestion

OFF, EAGER, OCCASIONAL, MANUAL = "off", "eager", "occasional", "manual"
MOST_TOLD = 3  # notices of single suggestions at once
LONGEST = 100


class Notice(Record):
    """What a person is told, and of which suggestions."""

    text: str
    suggestion_ids: tuple[str, ...]


def is_due(mode: str, *, interval_seconds: float, last: float, ended: bool, now: float) -> bool:
    """Are suggestions made after this turn? Eager: always; occasional: after the interval, or when a session ended."""
    if mode == EAGER:
        return True
    return mode == OCCASIONAL and (ended or now - last >= interval_seconds or now < last)


def notices(untold: Sequence[Suggestion], mode: str, *, batch: int, ended: bool) -> list[Notice]:
    """What to tell: each suggestion by itself when eager, a number when enough came together or a session ended."""
    if not untold or mode not in (EAGER, OCCASIONAL):
        return []
    if mode == EAGER and len(untold) <= MOST_TOLD:
        return [Notice(_learned(one), (one.suggestion_id,)) for one in untold]
    if mode == OCCASIONAL and len(untold) < batch and not ended:
        return []
    number = "a suggestion" if len(untold) == 1 else f"{len(untold)} suggestions"
    text = f"Recollect has {number} to improve your customizations. [Review: `recollect suggest list`]"
    return [Notice(text, tuple(one.suggestion_id for one in untold))]


def _learned(one: Suggestion) -> str:
    fact = " ".join(one.fact.split())
    fact = fact if len(fact) <= LONGEST else fact[: LONGEST - 1] + "…"
    name = one.suggestion_id
    return (
        f"Recollect learned: '{fact}'. "
        f"[Review: `recollect suggest show {name}`] [Dismiss: `recollect suggest dismiss {name}`]"
    )
