"""From a command to the app: which home, and what a person is asked before it happens."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from recollect.doors.cli.answers import confirmed
from recollect.doors.cli.options import HOME
from recollect.doors.cli.printing.output import asked, say
from recollect.errors import FileError, NotFound, Refused, StoreFull, UsageError
from recollect.flows.upkeep.leave_upkeep import see_to_upkeep
from recollect.settings import environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recollect.app import Recollect


def environ() -> Mapping[str, str]:
    """The environment, with the home that the command line names."""
    home = click.get_current_context().meta.get(HOME)
    return {**environment(), "RECOLLECT_HOME": home} if home else environment()


@contextmanager
def opened(*, changes: bool = False, creates: bool = False) -> Iterator[Recollect]:
    """The memory of this home and folder; after a change a worker sees to the upkeep, once a day.

    A home that the command line names is made only by a command that `creates`: one that puts something in."""
    from recollect.app import Recollect

    if not creates:
        require_home()
    with Recollect.open(environ=environ()) as memory:
        _renew_launcher(memory)
        for notice in memory.notices:
            say(f"recollect: {notice}")
        if memory.notices:
            memory.opened.mark_told(memory.caller)
        yield memory
        if changes:
            see_to_upkeep(memory.opened)
            _share(memory)


def _share(memory: Recollect) -> None:
    """Bring the repository's file of shared facts up to date, where sharing is on."""
    if not memory.settings.sharing.facts:
        return
    from recollect.flows.suggestions.sharing import PATH, share_facts

    try:
        if share_facts(memory.opened):
            say(f"recollect: Wrote {PATH} (sharing.facts is on).")
    except FileError as error:
        say(f"recollect: {error}")  # what was asked for is done


def require_home() -> None:
    """A home that the command line names and that is not there was mistyped."""
    home = click.get_current_context().meta.get(HOME)
    if home and os.path.isfile(home):
        raise NotFound(f"{home} is a file; a home is a folder. Check the name.")
    if home and not os.path.isdir(home):
        raise NotFound(f"There is no home at {home}. Check the name, or start one there with `recollect up`.")


def _renew_launcher(memory: Recollect) -> None:
    """Hooks follow an upgrade: the next command of the new version rewrites the scripts that hosts call."""
    from recollect.files.launchers.hook_launcher import renew_launcher

    try:
        if renew_launcher(memory.home):
            from recollect.files.launchers.mcp_launcher import renew_mcp_launcher

            renew_mcp_launcher(memory.home)
    except (FileError, StoreFull):
        return  # what was asked for comes first; `doctor` tells


def say_if_off(memory: Recollect) -> None:
    """What a person does by hand works, but whoever switched memory off may have forgotten it."""
    if not memory.settings.enabled:
        say("recollect: Memory is off: agents get nothing. Switch it on with `recollect settings set enabled true`.")


def require_consent(question: str, *, yes: bool) -> None:
    """Ask on a terminal; without one only --yes will do."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Refused(f"{question} Add --yes to confirm; there is no terminal to ask on.")
    if not confirmed(asked(question)):
        raise click.Abort


def joined(words: tuple[str, ...]) -> str:
    """The words of a command line as one text; a single `-` is what comes on stdin."""
    return from_stdin() if words == ("-",) else " ".join(words)


def from_stdin(*, limit_bytes: int = 0) -> str:
    """Everything on stdin as text."""
    from recollect.files.reading import LIMIT_BYTES, decoded, read_all

    return decoded(read_all(sys.stdin.buffer, "stdin", limit_bytes=limit_bytes or LIMIT_BYTES))


def from_file(path: str, *, limit_bytes: int = 0) -> str:
    """A file's text, or stdin's for `-`; UsageError where there is no such file."""
    if path != "-" and not os.path.lexists(path):
        raise UsageError(f"There is no file {path!r}. Name a file, or - for stdin.")
    from recollect.files.reading import LIMIT_BYTES, read_text

    return (
        from_stdin(limit_bytes=limit_bytes) if path == "-" else read_text(path, limit_bytes=limit_bytes or LIMIT_BYTES)
    )


def from_editor(text: str) -> str:
    """The text after the user's editor; UsageError without a terminal, Refused when nothing was changed."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("An editor needs a terminal; say what to change with options instead (see --help).")
    edited = click.edit(text.rstrip("\n") + "\n", extension=".md")
    if edited is None or edited.strip() == text.strip():
        raise Refused("Nothing was changed.")
    return edited
