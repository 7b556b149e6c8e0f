"""A line in the log of hooks from one that has no time left to load what writes them."""

from __future__ import annotations

import os
import time

NAME = "hook.jsonl"
LINE = (
    '{{"at": {at:.3f}, "host": "", "event": "", "session": "", "outcome": "too late", "characters": 0, '
    '"milliseconds": {milliseconds:.1f}, "why": "past its time behind other hooks; nothing was injected"}}\n'
)


def log_late(folder: str, seconds: float) -> None:
    """Say that a hook gave up after so many seconds; where that cannot be written, nothing."""
    line = LINE.format(at=time.time(), milliseconds=seconds * 1000)
    try:
        handle = os.open(os.path.join(folder, NAME), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(handle, line.encode())
        os.close(handle)
    except OSError:
        return
