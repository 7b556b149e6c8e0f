"""The launcher of the MCP server: a script in the home. Its name never changes, so hosts are told once."""

from __future__ import annotations

import os
import sys

from recollect.files.launchers.hook_launcher import read_text, single_quoted
from recollect.files.writing import write_atomic
from recollect.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "recollect-mcp"  # also the mark by which our entries in hosts' files are found

# -E -P: neither the folder an agent works in nor its environment decides what is imported.
SHELL = """\
#!/bin/sh
# Written by Recollect {version}; rewritten at upgrades, the name stays.
RECOLLECT_HOME={home}
export RECOLLECT_HOME
exec {python} -E -P -m recollect mcp "$@"
"""

BATCH = """\
@echo off\r
rem Written by Recollect {version}; rewritten at upgrades, the name stays.\r
set "RECOLLECT_HOME={home}"\r
"{python}" -E -P -m recollect mcp %*\r
"""


def mcp_launcher_path(home: Home, *, platform: str = sys.platform) -> str:
    """Where the launcher is, or will be."""
    return os.path.join(home.bin, NAME + (".cmd" if platform == "win32" else ""))


def ensure_mcp_launcher(home: Home) -> str:
    """Write the launcher for this interpreter and return its path."""
    files = [
        (NAME, SHELL.format(version=__version__, home=single_quoted(home.root), python=single_quoted(sys.executable)))
    ]
    if sys.platform == "win32":
        files.append((NAME + ".cmd", BATCH.format(version=__version__, home=home.root, python=sys.executable)))
    for name, text in files:
        path = os.path.join(home.bin, name)
        if read_text(path) != text:
            write_atomic(home.bin, name, text, mode=0o700)
            if os.name == "posix":
                os.chmod(path, 0o700)
    return mcp_launcher_path(home)


def renew_mcp_launcher(home: Home) -> bool:
    """Rewrite a launcher that an upgrade or another interpreter made stale; says whether it was. None is made."""
    path = os.path.join(home.bin, NAME)
    before = read_text(path)
    if not before:
        return False
    ensure_mcp_launcher(home)
    return read_text(path) != before
