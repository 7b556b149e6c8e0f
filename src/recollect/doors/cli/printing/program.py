"""How this program is called here, so that a printed command works as it is printed."""

from __future__ import annotations

import os
import shlex
import sys
from shutil import which

NAME = "recollect"


def program() -> str:
    """`recollect` where the shell finds it, else the path of the script that runs."""
    script = sys.argv[0]
    if os.path.basename(script) != NAME or not os.path.isfile(script):
        return NAME  # python -m recollect, or inside another program
    found = which(NAME)
    if found and os.path.realpath(found) == os.path.realpath(script):
        return NAME
    here = os.path.relpath(script)
    return shlex.quote(os.path.abspath(script) if here.startswith("..") else here)
