"""Relative dates made absolute: a memory is read on another day than it was said. Pure."""

from __future__ import annotations

import re
from time import gmtime, strftime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

DAY = 86_400.0
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_NUMBERS |= {"a": 1, "an": 1}
_RELATIVE = re.compile(
    r"\b(?:(?P<near>today|tonight|yesterday|tomorrow)(?:'s)?"
    r"|(?P<which>last|this|next) (?P<period>week|month|year)"
    rf"|(?P<side>last|next) (?P<weekday>{'|'.join(_WEEKDAYS)})"
    rf"|(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>day|week|month|year)s? ago)\b(?! \()",
    re.IGNORECASE,
)
_NEAR = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


def absolute(text: str, at: float) -> str:
    """The text with the date behind each relative one: `yesterday (2026-10-28)`. Unknown times leave it as it is."""
    return _RELATIVE.sub(lambda match: f"{match[0]} ({_meant(match, at)})", text) if at > 0 else text


def day(at: float) -> str:
    """The day of a moment, as it stands in artifacts."""
    return strftime("%Y-%m-%d", gmtime(at)) if at > 0 else "undated"


def _meant(match: Match[str], at: float) -> str:
    if match["near"]:
        return day(at + _NEAR[match["near"].lower()] * DAY)
    if match["period"]:
        step = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
        return _period(match["period"].lower(), step, at)
    if match["weekday"]:
        today, wanted = gmtime(at).tm_wday, _WEEKDAYS.index(match["weekday"].lower())
        if match["side"].lower() == "last":
            return day(at - ((today - wanted - 1) % 7 + 1) * DAY)
        return day(at + ((wanted - today - 1) % 7 + 1) * DAY)
    count = match["count"].lower()
    number = _NUMBERS.get(count) or int(count)
    moment = at - number * _UNIT_DAYS[match["unit"].lower()] * DAY
    return day(moment) if match["unit"].lower() in ("day", "week") else f"about {strftime('%Y-%m', gmtime(moment))}"


def _period(period: str, step: int, at: float) -> str:
    moment = gmtime(at)
    if period == "week":
        return f"the week of {day(at - moment.tm_wday * DAY + 7 * step * DAY)}"
    if period == "year":
        return str(moment.tm_year + step)
    month = moment.tm_year * 12 + moment.tm_mon - 1 + step
    return f"{month // 12}-{month % 12 + 1:02}"
