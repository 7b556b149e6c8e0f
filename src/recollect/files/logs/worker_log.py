"""The worker's log: one JSON line an event."""

from __future__ import annotations

import os

from recollect.files.logs.json_log import log_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "worker.jsonl"


def log(home: Home, what: str, *, now: float, **details: object) -> None:
    """Note what a worker did."""
    log_event(os.path.join(home.logs, NAME), what, now=now, details=details)
