"""Try the launcher: what it says to an event that is nobody's, and how long that takes."""

from __future__ import annotations

import json
import os
import subprocess
import time
from typing import TYPE_CHECKING

from recollect.files.logs.hook_log import read_log
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.home import Home

LIMIT_SECONDS = 10.0
TRIES = 3
QUESTION = b'{"hook_event_name": "Doctor", "session_id": "", "cwd": ""}'


class Trial(Record):
    """How the launcher did."""

    milliseconds: float = 0.0  # the fastest of a few starts
    why: str = ""  # what is wrong with it; empty when nothing is


def try_launcher(path: str, home: Home, environ: Mapping[str, str]) -> Trial:
    """Start it as a host does, a few times. The event is none that changes or logs anything of worth."""
    fastest = LIMIT_SECONDS
    for _ in range(TRIES):
        began = time.monotonic()
        try:
            done = subprocess.run(  # noqa: S603 our own file
                [path], input=QUESTION, capture_output=True, timeout=LIMIT_SECONDS, env=dict(environ), check=False
            )
        except subprocess.TimeoutExpired:
            return Trial(why=f"it did not answer within {LIMIT_SECONDS:.0f} seconds")
        except OSError as error:
            return Trial(why=f"it cannot be started: {error.strerror or error}")
        fastest = min(fastest, time.monotonic() - began)
        if done.returncode != 0 or _answer(done.stdout) is None:
            return Trial(why=f"it ended with {done.returncode} and said {done.stdout[:80]!r}")
    last = (read_log(home.logs, last=1) or [{}])[0]
    if last.get("event") == "no answer" and abs(time.time() - _seconds(last.get("at"))) < LIMIT_SECONDS:
        return Trial(why="its Python or its package is gone, so that it says nothing but {}")
    return Trial(milliseconds=fastest * 1000)


def is_executable(path: str) -> bool:
    """Can a host start this file?"""
    return os.access(path, os.X_OK)


def _answer(said: bytes) -> dict[str, object] | None:
    try:
        found = json.loads(said)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
