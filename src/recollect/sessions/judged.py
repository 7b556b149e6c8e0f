"""What a model made of a session: a summary, the outcome and the decisions, each with the turns that it rests on."""

from __future__ import annotations

import json

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Cited(Record):
    """A sentence and the numbers of the turns that say so."""

    text: str
    turns: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.text} (turn{'s' if len(self.turns) > 1 else ''} {', '.join(map(str, self.turns))})"


class Judged(Record):
    """A session as a model tells it; what it did not say, or what did not hold, is missing."""

    summary: Cited | None = None
    outcome: Cited | None = None
    decisions: tuple[Cited, ...] = ()

    @property
    def turns(self) -> tuple[int, ...]:
        """Every turn that is cited."""
        told = [one for one in (self.summary, self.outcome, *self.decisions) if one]
        return tuple(sorted({number for one in told for number in one.turns}))

    def after(self, earlier: Judged) -> Judged:
        """This, of a session that went on: the summary stays until there is a new one, and so does what was decided in
        turns that no new decision rests on."""
        told = {number for one in self.decisions for number in one.turns}
        kept = tuple(one for one in earlier.decisions if told.isdisjoint(one.turns))
        return Judged(self.summary or earlier.summary, self.outcome, (*kept, *self.decisions))


def to_json(judged: Judged) -> str:
    """For the store; empty when there is nothing."""
    if not any(judged):
        return ""
    told = {"summary": judged.summary, "outcome": judged.outcome, "decisions": judged.decisions}
    return json.dumps(told, ensure_ascii=False)


def from_json(text: str) -> Judged:
    """From the store."""
    if not text:
        return Judged()
    told = json.loads(text)
    decisions = tuple(one for one in map(_cited, told["decisions"]) if one)
    return Judged(_cited(told["summary"]), _cited(told["outcome"]), decisions)


def _cited(pair: Any) -> Cited | None:
    return Cited(pair[0], tuple(pair[1])) if pair else None
