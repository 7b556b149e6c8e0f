"""The log of models: one JSON line a call, with what it took and never a word of what was said."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.files.logs.json_log import log_event

if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "models.jsonl"


def log(home: Home, what: str, *, now: float, **details: object) -> None:
    """Note a call; what is not known of it is left out."""
    told = {name: value for name, value in details.items() if value not in ("", None)}
    log_event(os.path.join(home.logs, NAME), what, now=now, details=told)
