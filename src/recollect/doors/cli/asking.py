"""Asking a person on the terminal: whether an agent may change memory, and which entry they mean."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.answers import confirmed, until_one
from recollect.doors.cli.printing.output import asked, one_line, say
from recollect.flows.writes.actors import Person, caller
from recollect.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.entries import Entry
    from recollect.model.permissions import Answer, Question

CHOICES: dict[str, Answer] = {"y": "once", "s": "session", "l": "location", "n": "reject"}
PROMPT = "Allow it? [y] once  [s] this session  [l] this repository  [n] no"


def on_terminal(question: Question) -> Answer:
    """ports.Ask for a program with a person in front of it; `nobody` without a terminal, or inside an agent."""
    if not _is_person_there():
        return "nobody"
    for line in question.text.splitlines():
        click.echo(one_line(line), err=True)
    try:
        return until_one(PROMPT, CHOICES, "Type y, s, l or n.")
    except click.Abort:
        return "nobody"


def which_are_meant(choices: Sequence[tuple[Entry, str]]) -> tuple[str, ...]:
    """The ids of the entries that a correction replaces, of those shown with what they would say: one, all or none.

    click.Abort when the person answers with Ctrl-C."""
    for number, (entry, new) in enumerate(choices, 1):
        say(f"{number}  {one_line(entry.content)}")
        say(f"   would say: {one_line(new)}")
    every = tuple(entry.entry_id for entry, _ in choices)
    if len(every) == 1:
        return every if confirmed("Does it replace this one?") else ()
    answers = {"0": (), "a": every, **{str(number): (entry_id,) for number, entry_id in enumerate(every, 1)}}
    hint = f"Type a number from 0 to {len(every)}, or a for all. Ctrl-C stores nothing."
    return until_one("Which of these does it replace? a for all, 0 to keep them all beside it", answers, hint)


def can_ask() -> bool:
    """Is a person there who can answer?"""
    return _is_person_there() and sys.stdin.isatty()


def may_read(model: str, sessions: int, tokens: int) -> bool | None:
    """May this model read so many past sessions? None where nobody can be asked."""
    if not can_ask():
        return None
    last = "session" if sessions == 1 else f"{sessions} sessions"
    text = (
        f"`{one_line(model)}` is available. Let it read the last {last} and write down what matters "
        f"(about {tokens:,} tokens of your plan)?"
    )
    try:
        return confirmed(asked(text))
    except click.Abort:
        return None


def _is_person_there() -> bool:
    return sys.stderr.isatty() and caller(environment()) == Person()
