"""Asking a person on the terminal whether an agent may change memory."""

from __future__ import annotations

import sys

import click

from recollect.doors.cli.printing.output import one_line
from recollect.flows.writes.actors import Person, caller
from recollect.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.permissions import Answer, Question

CHOICES: dict[str, Answer] = {"y": "once", "s": "session", "l": "location", "n": "reject"}
PROMPT = "Allow it? [y] once  [s] this session  [l] this repository  [n] no"


def on_terminal(question: Question) -> Answer:
    """ports.Ask for a program with a person in front of it; `nobody` without a terminal, or inside an agent."""
    if not sys.stderr.isatty() or caller(environment()) != Person():
        return "nobody"
    for line in question.text.splitlines():
        click.echo(one_line(line), err=True)
    try:
        answer = click.prompt(PROMPT, type=click.Choice(list(CHOICES)), show_choices=False, err=True)
    except click.Abort:
        return "nobody"
    return CHOICES[answer]
