"""Moments as a person reads them."""

from __future__ import annotations

from datetime import datetime

MINUTE, HOUR, DAY = 60, 3_600, 86_400
LONGEST_AGO_DAYS = 14


def local(seconds: float) -> str:
    """`2026-01-31 10:20` where the user is; a dash for never."""
    moment = _moment(seconds)
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "-"


def ago(seconds: float, *, now: float) -> str:
    """`3 days ago`, or the date when that is easier to grasp."""
    moment = _moment(seconds)
    if moment is None:
        return "never"
    age = now - seconds
    if age < -MINUTE or age >= LONGEST_AGO_DAYS * DAY:
        return moment.strftime("%Y-%m-%d")
    if age < MINUTE:
        return "just now"
    for unit, name, below in ((MINUTE, "minute", HOUR), (HOUR, "hour", DAY), (DAY, "day", LONGEST_AGO_DAYS * DAY)):
        if age < below:
            number = int(age // unit)
            return f"{number} {name}{'' if number == 1 else 's'} ago"
    return moment.strftime("%Y-%m-%d")


def _moment(seconds: float) -> datetime | None:
    if not seconds:
        return None
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OverflowError, OSError):
        return None
