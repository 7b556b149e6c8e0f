"""Whether a process that wrote something is still there to finish it."""

from __future__ import annotations

import os
import platform


def this_process() -> str:
    """A name for this process that other processes of this machine can ask about."""
    return f"{platform.node()}:{os.getpid()}"


def is_gone(process: str) -> bool:
    """Did the process with this name end? False when that cannot be told: it is of another machine, or of Windows."""
    node, _, number = process.rpartition(":")
    if node != platform.node() or not number.isdecimal() or os.name == "nt":
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
