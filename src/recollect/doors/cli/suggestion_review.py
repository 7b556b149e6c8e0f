"""Suggestions in a review: one at a time with its diff. Only `y` applies; a stray Enter leaves it for later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from recollect.doors.cli.printing.output import put
from recollect.doors.cli.printing.reviews import tell
from recollect.doors.cli.printing.suggestions import print_suggestion, similar_line, similar_lines
from recollect.doors.cli.suggest import WHAT, sources_of
from recollect.errors import RecollectError
from recollect.flows.suggestions.applying import Written

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.cli.keys import Keys
    from recollect.model.suggestions import Suggestion

KEYS = "y apply  n dismiss  e edit  l later  a with others here  q quit"
QUIT = ("q", "Q", "\x04", "\x1b")


class SuggestionReview:
    """Goes through the suggestions that wait; every decision holds at once."""

    def __init__(self, memory: Recollect, keys: Keys) -> None:
        self._memory = memory
        self._keys = keys
        self._seen: set[str] = set()
        self.applied = self.dismissed = 0

    def run(self) -> None:
        """Until all are decided or left, or the person has had enough."""
        while one := self._next():
            put("")
            print_suggestion(one, sources=sources_of(one, self._memory), as_json=False)
            tell(KEYS)
            key = self._keys.next()
            if key in QUIT:
                break
            try:
                self._act(key, one)
            except RecollectError as error:
                tell(str(error))
        if self.applied or self.dismissed:
            undo = " Undo one with `recollect suggest undo ID`." if self.applied else ""
            tell(f"Applied {self.applied}, dismissed {self.dismissed}.{undo}")

    def _next(self) -> Suggestion | None:
        waiting = self._memory.suggestions.list()
        return next((one for one in waiting if one.suggestion_id not in self._seen), None)

    def _act(self, key: str, one: Suggestion) -> None:
        suggestions = self._memory.for_person(WHAT).suggestions
        match key:
            case "y" | "Y":
                self._apply(one)
            case "n" | "N":
                suggestions.dismiss(one.suggestion_id)
                self.dismissed += 1
                self._done(one, "Dismissed.")
            case "e" | "E":
                with self._keys.as_usual():
                    text = click.prompt("New text", default=one.fact)
                suggestions.edit(one.suggestion_id, text=text)
            case "a" | "A":
                self._apply_similar(one)
            case "l" | "L" | " " | "\r" | "\n":
                self._done(one, "Left for later.")
            case _:
                tell(KEYS)

    def _apply(self, one: Suggestion) -> None:
        outcome = self._memory.for_person(WHAT).suggestions.apply(one.suggestion_id)
        if isinstance(outcome, Written):
            self.applied += 1
            self._done(one, f"Wrote {one.target}.")
        else:
            self._done(one, f"Not written: {outcome.why}.")

    def _apply_similar(self, one: Suggestion) -> None:
        """This one, and when the person says so again those for the same place."""
        similar = self._memory.suggestions.similar(one)
        self._apply(one)
        if similar:
            for line in similar_lines(similar):
                tell(line)
            tell(f"{similar_line(len(similar))} y for yes")
            if self._keys.next() in ("y", "Y"):
                for other in similar:
                    self._apply(other)

    def _done(self, one: Suggestion, what: str) -> None:
        self._seen.add(one.suggestion_id)
        tell(what)
