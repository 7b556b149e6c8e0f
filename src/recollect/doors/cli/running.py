"""Run a command line: every way it can end, as an exit code and at most one sentence on stderr."""

from __future__ import annotations

import errno
import os
import sys

import click

from recollect.doors.cli.options import COMPLETION_VARIABLE
from recollect.doors.cli.printing.output import say
from recollect.doors.cli.printing.program import use_home
from recollect.doors.cli.printing.streams import let_readers_leave
from recollect.doors.cli.tree import cli
from recollect.errors import ProviderError, RecollectError, SettingsError, UsageError
from recollect.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130
MOST_CHARACTERS = 1_000  # of a line
MOST_LINES = 60


def run(words: Sequence[str]) -> int:
    """Run the words of a command line; returns the exit code."""
    _let_nothing_be_unprintable()
    let_readers_leave()
    use_home("")
    try:
        code = _invoke(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 the last place before the user, who gets a sentence instead
        if _wants_debug(words):
            _print_traceback()
        return _told(error)


def _invoke(words: Sequence[str]) -> int:
    asked = environment().get(COMPLETION_VARIABLE, "")
    if asked.endswith("_complete"):
        from recollect.doors.cli.completing import answer_shell

        return answer_shell(asked)
    try:
        with cli.make_context("recollect", _or_help(words)) as context:
            cli.invoke(context)
    except click.exceptions.Exit as done:
        return int(done.exit_code)
    return DONE


def _or_help(words: Sequence[str]) -> list[str]:
    """`help recall` is `recall --help`."""
    return [*words[1:], "--help"] if words[:1] == ["help"] else list(words)


def _told(error: Exception) -> int:
    """Say what went wrong and what to do; returns the exit code that belongs to it."""
    match error:
        case click.exceptions.Abort():
            say("recollect: Nothing was changed.")
            return INTERRUPTED if isinstance(error.__context__, KeyboardInterrupt) else FAILED
        case click.NoSuchOption():
            say(f"recollect: {_clipped(_no_option(error))}{_where_help_is(error.ctx)}")
            return WRONG_USAGE
        case click.UsageError():
            say(f"recollect: {_clipped(_sentence(error.format_message()))}{_where_help_is(error.ctx)}")
            return WRONG_USAGE
        case click.ClickException():
            say(f"recollect: {_clipped(_sentence(error.format_message()))}")
            return FAILED
        case FileNotFoundError() if not _has_folder():
            say("recollect: The current folder was deleted; change to another one.")
            return FAILED
        case OSError(errno=errno.ENOSPC):
            say("recollect: There is no space left where the output is written.")
            return FAILED
        case RecollectError():
            remedy = error.remedy if isinstance(error, ProviderError) else ""
            said = _sentence(str(error)) if isinstance(error, SettingsError) else str(error)
            say(f"recollect: {_clipped(f'{said} {remedy}'.rstrip())}")
            return WRONG_USAGE if isinstance(error, UsageError) else FAILED
        case _:
            what = f"{type(error).__name__}: {error}".split("\n")[0]
            say(f"recollect: Unexpected error ({what}). Run the command again with --debug and report what it prints.")
            return FAILED


def _no_option(error: click.NoSuchOption) -> str:
    """The option that was meant; where none is like it and the command takes text, how that is given."""
    import difflib

    name, takes = error.option_name, error.ctx.command.params if error.ctx else ()
    near = difflib.get_close_matches(name, error.possibilities or (), n=1)
    if near:
        return f"There is no option {name!r}; did you mean `{near[0]}`?"
    is_text = any(isinstance(one, click.Argument) for one in takes)
    return f"There is no option {name!r}." + (" Put `--` before text that starts with a dash." if is_text else "")


def _has_folder() -> bool:
    try:
        return bool(os.getcwd())
    except FileNotFoundError:
        return False


def _sentence(message: str) -> str:
    """click lists choices over several lines and forgets some full stops."""
    line = " ".join(message.split()).replace("is not a valid integer range", "is not a whole number")
    return line if line.endswith((".", "?", "!", ":")) else f"{line}."


def _clipped(message: str) -> str:
    """A message that repeats what was typed must not fill the screen with it; a list of entries stays a list."""
    lines = message.split("\n")
    shown = [_cut(line) for line in lines[:MOST_LINES]]
    return "\n".join([*shown, f"  [... {len(lines) - MOST_LINES} more]"] if len(lines) > MOST_LINES else shown)


def _cut(line: str) -> str:
    half = MOST_CHARACTERS // 2
    return line if len(line) <= MOST_CHARACTERS else f"{line[:half]} [...] {line[-half:]}"


def _where_help_is(context: click.Context | None) -> str:
    return f" See `{context.command_path} --help`." if context else ""


def _wants_debug(words: Sequence[str]) -> bool:
    # Not from the parsed command line: what failed may be the parsing.
    return "--debug" in (words[: words.index("--")] if "--" in words else words)


def _print_traceback() -> None:
    import traceback

    traceback.print_exc()


def _let_nothing_be_unprintable() -> None:
    """A character that the terminal's encoding lacks becomes a question mark, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")
