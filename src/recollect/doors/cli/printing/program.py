"""How this program is called here, so that a printed command works as it is printed."""

from __future__ import annotations

import os
import re
import shlex
import sys
from contextvars import ContextVar

NAME = "recollect"
_COMMAND = re.compile(rf"`{NAME}(?= [^`]|`)")
_home: ContextVar[str] = ContextVar("recollect_named_home", default="")


def use_home(folder: str) -> None:
    """From now on printed commands name this home, as the command line did; empty: they need not."""
    _home.set(folder)


def program() -> str:
    """`recollect` where the shell finds it, else the path of the script that runs."""
    script = sys.argv[0]
    if os.path.basename(script) != NAME or not os.path.isfile(script):
        return NAME  # python -m recollect, or inside another program
    from shutil import which  # only here: it loads three kinds of compression

    found = which(NAME)
    if found and os.path.realpath(found) == os.path.realpath(script):
        return NAME
    here = os.path.relpath(script)
    return shlex.quote(os.path.abspath(script) if here.startswith("..") else here)


def named_home() -> str:
    """` --home DIR`, where the command line named one."""
    return f" --home {shlex.quote(_home.get())}" if _home.get() else ""


def command(words: str) -> str:
    """A command of ours as it works here: the program's path, the home in use, and these words."""
    return f"{program()}{named_home()} {words}"


def as_called(text: str) -> str:
    """The text with its commands (in backticks, such as `recollect undo`) as they work here."""
    called = f"`{program()}{named_home()}"
    return _COMMAND.sub(lambda found: called, text)
