"""`recollect review`: what waits, one thing at a time, each decided with one key."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.keys import END, Keys
from recollect.doors.cli.opening import opened
from recollect.doors.cli.options import Command, json_option
from recollect.doors.cli.pending import WHAT
from recollect.doors.cli.printing.output import counted, say
from recollect.doors.cli.printing.pending import holds, known_place, place_of, print_pending, waiting_id
from recollect.doors.cli.printing.reviews import Card, done_word, print_card, print_end, print_help, tell
from recollect.doors.cli.suggestion_review import SuggestionReview
from recollect.errors import RecollectError, Refused
from recollect.flows.writes.pending import may_reword
from recollect.model.candidates import Candidate
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.flows.writes.pending import Waiting
    from recollect.model.entries import Scope

YES = ("y", "Y")
QUIT = ("q", "Q", END, "\x1b")
BACK = ("b", "\x7f", "\x08", "\x1b[D")


MANY = 15  # so many findings are worth a word about their order


class Decided(Record):
    """What was decided about one thing, so that it can be taken back."""

    waiting: Waiting
    verdict: str  # accepted | rejected | later
    entry_id: str = ""
    with_last: bool = False  # by the same key as the one before


@click.command("review", cls=Command, example="recollect review")
@json_option
def review(as_json: bool) -> None:
    """Decide what is waiting for you, one item at a time.

    Keys: y keeps it, n drops it so that it is not proposed again, e edits it first, s changes where it holds, l leaves
    it for later, a keeps all of this kind, b goes back and undoes the last decision, q quits, ? explains them. Where
    an agent wants to change or retire a memory, y approves and n rejects the change. Suggestions for your
    customization files come after that. Without a terminal it lists what is waiting.
    """
    with opened(changes=True) as memory:
        waiting, suggested = memory.pending.everything(), memory.pending.suggestions(memory.repository.repository)
        if as_json or not (waiting or suggested) or not _at_terminal():
            print_pending(memory, waiting, suggested, as_json=as_json)
            if waiting and not as_json:
                say("To decide, run `recollect review` at a terminal.")
            return
        memory = memory.for_person(WHAT)
        with Keys() as keys:
            if waiting and not Review(memory, keys).run():
                if suggested:
                    tell(f"{counted(suggested, 'suggestion')} for your agents' files: `recollect suggest list`.")
            elif suggested:
                SuggestionReview(memory, keys).run()


def offer_review(memory: Recollect) -> None:
    """After something else, at a terminal where a person sits: decide now what waits? Ctrl-C ends the program."""
    waiting = memory.pending.count()
    try:
        memory.for_person(WHAT)
    except Refused:
        return
    if waiting and _at_terminal():
        key = END
        with Keys() as keys:
            click.echo(f"\nReview {counted(waiting, 'item')} now? [y/n] ", nl=False)
            key = keys.next()
            click.echo(key if key.isprintable() else "")
            if key in YES:
                Review(memory, keys).run()
        if key == END:
            raise KeyboardInterrupt


class Review:
    """Goes through what waits; every decision holds at once, and the last ones can be taken back."""

    def __init__(self, memory: Recollect, keys: Keys) -> None:
        self._memory = memory
        self._keys = keys
        self._waiting = memory.pending.everything()
        self._decided: list[Decided] = []
        self._text = self._scope = ""

    def run(self) -> bool:
        """Until all is decided or the person has had enough; whether it was all."""
        if sum(isinstance(one, Candidate) for one in self._waiting) >= MANY:
            tell(f"{counted(len(self._waiting), 'item')}, the surest first: press q once they are no longer worth it.")
        while self._goes_on():
            one = self._waiting[len(self._decided)]
            print_card(self._card(one))
            key = self._keys.next()
            if key in QUIT:
                break
            try:
                self._act(key, one)
            except RecollectError as error:
                tell(str(error))
        decided = [(may_reword(one.waiting), one.verdict) for one in self._decided]
        print_end(Counter(decided), self._memory.pending.count(), self._undo())
        return len(self._decided) == len(self._waiting)

    def _goes_on(self) -> bool:
        """Is there one left? What a session or a worker brought in the meantime comes last."""
        if len(self._decided) == len(self._waiting):
            known = {waiting_id(one) for one in self._waiting}
            self._waiting += [one for one in self._memory.pending.everything() if waiting_id(one) not in known]
        return len(self._decided) < len(self._waiting)

    def _undo(self) -> str:
        """The command that undoes the last decision, which may be about another repository."""
        last = next((one for one in reversed(self._decided) if one.verdict != "later"), None)
        if last is None:
            return ""
        if last.verdict == "rejected":
            return f"recollect undo {waiting_id(last.waiting)}"
        here = self._memory.opened.repository.repository
        place = self._memory.entries.get(last.entry_id).repository if last.entry_id else ""
        return "recollect undo" if place in ("", here) else f"recollect undo {last.entry_id}"

    def _act(self, key: str, one: Waiting) -> None:
        match key:
            case _ if key in YES:
                self._accept(one)
            case "n" | "N":
                self._memory.for_person(WHAT).pending.reject(waiting_id(one))
                self._done(one, "rejected")
            case "l" | "L" | " ":
                if self._text or self._scope:
                    tell("What you changed is not kept.")
                self._done(one, "later")
            case "e" | "E" if may_reword(one):
                with self._keys.as_usual():
                    self._text = _edited(self._text or one.what) or self._text
            case "s" | "S" if may_reword(one):
                self._scope = self._other_scope(one)
            case "a" | "A":
                self._accept_all(one)
            case _ if key in BACK:
                self._back()
            case _:
                print_help(may_edit=may_reword(one))

    def _accept(self, one: Waiting) -> None:
        scope: Scope | None = self._scope or None  # type: ignore[assignment]
        place = known_place(one, self._memory) if scope == "repository" else ""
        pending = self._memory.for_person(WHAT).pending
        outcome = pending.approve(waiting_id(one), text=self._text, scope=scope, repository=place)
        if not outcome.is_done:
            raise Refused(outcome.why)
        self._done(one, "accepted", outcome.entry_id)

    def _accept_all(self, one: Waiting) -> None:
        """This one and what waits behind it of the same kind, when the person says so again."""
        kind = _kind(one)
        same = [other for other in self._waiting[len(self._decided) :] if _kind(other) == kind]
        if len(same) == 1:
            raise Refused("It is the only one of this kind.")
        tell(f"{'Keep' if may_reword(one) else 'Approve'} all {len(same)} of this kind ({kind})? y for yes")
        if self._keys.next() not in YES:
            return
        rest = [other for other in self._waiting[len(self._decided) :] if _kind(other) != kind]
        self._waiting[len(self._decided) :] = [*same, *rest]
        for number, other in enumerate(same):
            self._accept(other)
            self._decided[-1] = self._decided[-1]._replace(with_last=number > 0)

    def _back(self) -> None:
        """To the one before; what its key decided is taken back."""
        if not self._decided:
            tell("This is the first one.")
            return
        changed = 0
        together = True
        while together:
            together = self._decided[-1].with_last
            changed += self._take_back(self._decided[-1])
            self._decided.pop()
        if changed:
            tell("Undone." if changed == 1 else f"Undone: {changed} are waiting again.")
        self._text = self._scope = ""

    def _take_back(self, last: Decided) -> bool:
        """Whether there was anything to take back."""
        memory = self._memory.for_person(WHAT)
        if last.verdict == "accepted":
            memory.undo(last.entry_id)
        elif last.verdict == "rejected":
            memory.pending.reopen(waiting_id(last.waiting))
        return last.verdict != "later"

    def _done(self, one: Waiting, verdict: str, entry_id: str = "") -> None:
        self._decided.append(Decided(one, verdict, entry_id))
        self._text = self._scope = ""
        tell(done_word(one, verdict))

    def _card(self, one: Waiting) -> Card:
        number, total = len(self._decided) + 1, len(self._waiting)
        place = holds(self._place(one), self._memory)
        source = self._source(one) if isinstance(one, Candidate) else ()
        return Card(number, total, one, self._text or one.what, place, self._memory.pending.against(one), *source)

    def _place(self, one: Waiting) -> str:
        """The repository that it would hold in now; empty: everywhere."""
        if not self._scope:
            return place_of(one, self._memory)
        return known_place(one, self._memory) if self._scope == "repository" else ""

    def _source(self, one: Candidate) -> tuple[str, str]:
        """What was typed, and in which session."""
        quote = next((citation.quote for citation in one.draft.citations if citation.quote), "")
        return quote, self._memory.sessions.told_of(one.came_from)

    def _other_scope(self, one: Waiting) -> str:
        if self._place(one):
            return "user"
        if not known_place(one, self._memory):
            raise Refused("No repository is known for this, so it holds everywhere.")
        return "repository"


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _kind(one: Waiting) -> str:
    return one.kind if isinstance(one, Candidate) else f"{one.action}, from {one.client or 'an agent'}"


def _edited(text: str) -> str:
    """The text as the person leaves it on one line; the same when they leave it empty."""
    try:
        import readline
    except ImportError:
        return str(click.prompt("New text", default=text))
    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        return " ".join(input("> ").split())
    except (KeyboardInterrupt, EOFError):
        return ""
    finally:
        readline.set_startup_hook()
