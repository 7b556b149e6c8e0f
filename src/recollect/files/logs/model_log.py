"""The log of models: one JSON line a call, with what it took and never a word of what was said."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.files.writing import append_line

if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "models.jsonl"
LONGEST_BYTES = 1_000_000


def log(home: Home, what: str, *, now: float, **details: object) -> None:
    """Note an event. A log that cannot be written is nobody's trouble."""
    path = os.path.join(home.logs, NAME)
    told = {name: value for name, value in details.items() if value not in ("", None)}
    line = json.dumps({"at": round(now, 3), "pid": os.getpid(), "what": what, **told}, ensure_ascii=False)
    try:
        if os.path.getsize(path) > LONGEST_BYTES:
            os.replace(path, path + ".1")
    except OSError:
        pass
    try:
        append_line(path, line)
    except RecollectError:
        return
