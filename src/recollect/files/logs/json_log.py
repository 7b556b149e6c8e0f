"""A log of JSON lines in the home, one an event; the file before last is dropped when it grows long."""

from __future__ import annotations

import json
import os

from recollect.errors import RecollectError
from recollect.files.writing import append_line

LONGEST_BYTES = 1_000_000


def log_event(path: str, what: str, *, now: float, details: dict[str, object]) -> None:
    """Note an event. A log that cannot be written is nobody's trouble."""
    line = json.dumps({"at": round(now, 3), "pid": os.getpid(), "what": what, **details}, ensure_ascii=False)
    try:
        if os.path.getsize(path) > LONGEST_BYTES:
            os.replace(path, path + ".1")
    except OSError:
        pass
    try:
        append_line(path, line)
    except RecollectError:
        return
