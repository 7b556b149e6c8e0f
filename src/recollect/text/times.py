"""Moments as people write them: `7d`, `yesterday`, `last monday`, `3 days ago`, or a date such as 2026-01-31."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from recollect.errors import UsageError

_UNITS = {"h": 3_600, "d": 86_400, "w": 7 * 86_400}
_AGO = re.compile(r"(\d{1,6}) ?([hdw])(?:(?:ours?|ays?|eeks?)(?: ago)?)?")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Days before today, at midnight.
_WORDS = {"today": 0, "yesterday": 1, "last week": 7, "last month": 30, "last year": 365}


def parse_time(text: str, *, now: float) -> float:
    """Seconds since the epoch; UsageError when it is not a time."""
    words = " ".join(text.lower().split())
    ago = _AGO.fullmatch(words)
    if ago:
        return now - int(ago[1]) * _UNITS[ago[2]]
    days = _days_back(words, now)
    if days is not None:
        midnight = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - timedelta(days=days)).timestamp()
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            f'"{text[:40]}" is not a valid time; write 7d, 12h, yesterday, last monday or 2026-01-31.'
        ) from error


def moment(when: float | str, *, now: float) -> float:
    """Seconds since the epoch, of these or of a time in words; 0 for the beginning."""
    if isinstance(when, str):
        return parse_time(when, now=now) if when.strip() else 0.0
    if isinstance(when, bool) or not isinstance(when, (int, float)):
        raise UsageError(f'{when!r:.60} is not a valid time; give seconds, or words such as "7d" or "2026-01-31".')
    return float(when)


def _days_back(words: str, now: float) -> int | None:
    """How many days before today; a day of the week is the last one before today."""
    if words in _WORDS:
        return _WORDS[words]
    day = words.removeprefix("last ").removeprefix("since ")
    if day not in _DAYS:
        return None
    return (datetime.fromtimestamp(now).weekday() - _DAYS.index(day) - 1) % 7 + 1
