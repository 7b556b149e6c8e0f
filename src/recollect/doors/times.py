"""Moments as people write them: `7d`, `2w`, `12h` ago, or a date such as 2026-01-31."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.errors import UsageError

_UNITS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}
_AGO = re.compile(r"(\d{1,6})([hdw])")


def parse_time(text: str, *, now: float) -> float:
    """Seconds since the epoch; UsageError when it is no time."""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return now - int(ago[1]) * _UNITS[ago[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"{text[:40]!r} is not a valid time; write 7d, 2w, 12h or 2026-01-31.") from error
