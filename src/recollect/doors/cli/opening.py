"""From a command to the app: which home, who is asking, and what a person is asked before it happens."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.options import HOME
from recollect.doors.cli.printing.output import say
from recollect.errors import FileError, Refused, StoreBusy, UsageError
from recollect.settings import environment, inside_agent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.app import Recollect
    from recollect.model.entries import Origin, Source


def environ() -> Mapping[str, str]:
    """The environment, with the home that the command line names."""
    home = click.get_current_context().meta.get(HOME)
    return {**environment(), "RECOLLECT_HOME": home} if home else environment()


@contextmanager
def opened(*, changes: bool = False) -> Iterator[Recollect]:
    """The memory of this home and folder; after a change the house is tidied, once a day."""
    from recollect.app import Recollect

    with Recollect.open(environ=environ()) as memory:
        for notice in memory.notices:
            say(f"recollect: {notice}")
        yield memory
        if changes:
            _tidy(memory)


def _tidy(memory: Recollect) -> None:
    try:
        memory.tidy()
    except StoreBusy:
        return  # what was asked for is done; another process is tidying or writing


def who() -> Source:
    """Who is asking: an agent when this process runs inside one, else the user."""
    return "agent" if inside_agent(environment()) else "user"


def origin() -> Origin:
    """What a statement given here rests on."""
    return "typed" if who() == "user" else "assistant"


def require_person(what: str) -> None:
    """Refuse an agent what only a person decides."""
    agent = inside_agent(environment())
    if agent:
        raise Refused(f"{what} is for a person to decide: do it in your own terminal, outside {agent}.")


def require_consent(question: str, *, yes: bool) -> None:
    """Ask on a terminal; without one only --yes will do."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused(f"{question} Add --yes to say so; there is no terminal to ask on.")
    click.confirm(question, abort=True, err=True)


def joined(words: tuple[str, ...]) -> str:
    """The words of a command line as one text; a single `-` is what comes on stdin."""
    return from_stdin() if words == ("-",) else " ".join(words)


def from_stdin() -> str:
    """Everything on stdin as text."""
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def from_file(path: str) -> str:
    """A file's text, or stdin's for `-`."""
    if path == "-":
        return from_stdin()
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError as error:
        raise FileError(f"{path} could not be read: {error.strerror or error}.") from error


def from_editor(text: str) -> str:
    """The text after the user's editor; UsageError without a terminal, Refused when nothing was changed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("An editor needs a terminal; say what to change with options instead (see --help).")
    edited = click.edit(text.rstrip("\n") + "\n", extension=".md")
    if edited is None or edited.strip() == text.strip():
        raise Refused("Nothing was changed.")
    return edited
