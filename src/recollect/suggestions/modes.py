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
    if mode == OCCASIONAL and len(untold) < batch and not ended:
        return []
    return [one._replace(text=f"{one.text} {_commands(one, mode)}") for one in headlines(untold, mode)]


def headlines(told: Sequence[Suggestion], mode: str) -> list[Notice]:
    """The sentences of notices, for whoever has buttons of their own."""
    if mode == EAGER and len(told) <= MOST_TOLD:
        return [Notice(f"Recollect learned: '{_short(one.fact)}'.", (one.suggestion_id,)) for one in told]
    number = "a suggestion" if len(told) == 1 else f"{len(told)} suggestions"
    text = f"Recollect has {number} to improve your customizations."
    return [Notice(text, tuple(one.suggestion_id for one in told))] if told else []


def _commands(notice: Notice, mode: str) -> str:
    if mode != EAGER or len(notice.suggestion_ids) > 1:
        return f"Review {'it' if len(notice.suggestion_ids) == 1 else 'them'} with `recollect suggest list`."
    [name] = notice.suggestion_ids
    return f"Review it with `recollect suggest show {name}`, or dismiss it with `recollect suggest dismiss {name}`."


def _short(fact: str) -> str:
    fact = " ".join(fact.split())
    return fact if len(fact) <= LONGEST else fact[: LONGEST - 1] + "…"
