"""Days that a statement names from where it was typed, written out: tomorrow "yesterday" is another day."""

from __future__ import annotations

import re
from time import gmtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match

DAY = 86_400.0
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "January February March April May June July August September October November December".split()
_COUNTS = {word: at for at, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_COUNTS |= {"a": 1, "an": 1, "a couple of": 2, "a few": 3}
_NEAR = {"today": 0, "tonight": 0, "this morning": 0, "yesterday": -1, "last night": -1, "tomorrow": 1}
_LEADS = r"(?P<lead>(?:since|from|until|till|by|as of|starting|before|after) )?"
# "On Friday" may be every Friday, so a day alone is none; with one of these it is a certain one.
_DAY_LEADS = r"(?:(?P<past>since )|(?P<ahead>from |until |till |by |as of |starting ))"
_RELATIVE = re.compile(
    rf"\b(?:{_DAY_LEADS}(?:(?:last|next|this) )?(?P<led>{'|'.join(_WEEKDAYS)})\b"
    rf"|{_LEADS}(?:(?P<near>{'|'.join(_NEAR)})"
    r"|(?P<count>\d{1,3}|an?|"
    + "|".join(key for key in _COUNTS if len(key) > 2)
    + r") (?P<unit>day|week|month|year)s? ago"
    rf"|(?P<which>last|this|next) (?:(?P<period>week|month|year)|(?P<weekday>{'|'.join(_WEEKDAYS)})))\b)",
    re.IGNORECASE,
)


def is_relative(text: str) -> bool:
    """Does it name a day that is another one tomorrow?"""
    return _RELATIVE.search(text) is not None


def dated(statement: str, at: float) -> str:
    """The statement with the days it names from the moment it was typed written out; as it is without a moment."""
    if at <= 0:
        return statement
    told = _RELATIVE.sub(lambda found: _written(found, at), statement)
    return told[:1].upper() + told[1:] if statement[:1].isupper() else told


def _written(found: Match[str], at: float) -> str:
    said = {name: value.lower().strip() for name, value in found.groupdict().items() if value}
    led = said.get("lead") or said.get("past") or said.get("ahead") or ""
    if "led" in said:
        return f"{led} {_day(_of_week(said['led'], at, ahead='ahead' in said))}"
    if "near" in said:
        return f"{led or 'on'} {_day(at + DAY * _NEAR[said['near']])}"
    if "unit" in said:
        count = int(said["count"]) if said["count"].isdigit() else _COUNTS[said["count"]]
        return _ago(count, said["unit"], led, at)
    step = {"last": -1, "this": 0, "next": 1}[said["which"]]
    if "weekday" in said:
        return f"{led or 'on'} {_day(_of_week(said['weekday'], at, ahead=step >= 0))}"
    return _ago(-step, said["period"], led, at)


def _ago(count: int, unit: str, led: str, at: float) -> str:
    """So many days, weeks, months or years before; a negative number lies ahead."""
    if unit == "day":
        return f"{led or 'on'} {_day(at - DAY * count)}"
    if unit == "week":
        monday = at - DAY * (gmtime(at).tm_wday + 7 * count)
        return f"{led or 'in'} the week of {_day(monday)}"
    now = gmtime(at)
    if unit == "year":
        return f"{led or 'in'} {now.tm_year - count}"
    months = now.tm_year * 12 + now.tm_mon - 1 - count
    return f"{led or 'in'} {_MONTHS[months % 12]} {months // 12}"


def _of_week(name: str, at: float, *, ahead: bool) -> float:
    """The next day of this name, or the last one; never the day itself."""
    apart = (_WEEKDAYS.index(name) - gmtime(at).tm_wday) % 7
    return at + DAY * (apart or 7) if ahead else at - DAY * ((7 - apart) % 7 or 7)


def _day(moment: float) -> str:
    day = gmtime(moment)
    return f"{day.tm_year}-{day.tm_mon:02}-{day.tm_mday:02}"
