"""What `doctor` finds."""

from __future__ import annotations

from recollect.model.record import Record


class Finding(Record):
    """One thing that was looked at; where it is not well, one step that helps."""

    check: str
    ok: bool
    detail: str
    remedy: str = ""
