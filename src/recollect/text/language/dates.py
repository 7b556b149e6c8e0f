"""Days as index marks, and the days that a question means: `in March`, `last Saturday`, `two weeks ago`."""

from __future__ import annotations

import re
from time import gmtime

from recollect.text.marks import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Match
    from time import struct_time

    Marks = tuple[str, ...]

DAY = 86_400.0
_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNTS = {word: number for number, word in enumerate(_NUMBERS, 1)} | {"a": 1, "an": 1}
_COUNTS |= {"couple of": 2, "a couple of": 2, "few": 3, "a few": 3}

_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "may" else name for name in _MONTHS) + ")"
_DAY_OF_MONTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_PATTERNS = (
    r"\b(?P<iso>\d{4}-\d\d(?:-\d\d)?)\b",
    rf"\b{_DAY_OF_MONTH} (?:of )?{_MONTH}\b{_YEAR}",
    rf"\b{_MONTH} {_DAY_OF_MONTH}\b{_YEAR}",
    rf"\b{_MONTH},? (?P<year>\d{{4}})\b",
    rf"\b(?:in|during|since|of|last|this|early|late|mid|until|by) {_MONTH}\b",
    r"\b(?:in|during|since|of) (?P<year>(?:19|20)\d\d)\b",
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(sorted(_COUNTS, reverse=True))}) (?P<unit>day|week|month|year)s? ago\b",
    r"\b(?P<which>last|past|previous|this) (?P<period>week|month|year|weekend)\b",
    r"\b(?P<near>today|yesterday|the day before yesterday)\b",
    rf"\b(?:(?P<which>last|past|previous|this) )?(?P<weekday>{'|'.join(_WEEKDAYS)})\b",
)
_PHRASES = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _PATTERNS)
_MAY_BE_A_DATE = re.compile(
    r"\d{4}|\b(?:ago|last|past|previous|this|today|yesterday)\b|" + "|".join((*(m[:3] for m in _MONTHS), *_WEEKDAYS)),
    re.IGNORECASE,
)


def date_marks(at: float) -> list[str]:
    """What the index holds of a moment: its day, its month, its year, and each of them without the year."""
    if at <= 0:
        return []
    day = gmtime(at)
    year, month, exact = f"{MARK}{day.tm_year}", f"{MARK}{day.tm_mon:02}", f"{day.tm_mon:02}-{day.tm_mday:02}"
    return [
        year,
        month,
        f"{year}-{day.tm_mon:02}",
        f"{MARK}{exact}",
        f"{year}-{exact}",
        MARK + _WEEKDAYS[day.tm_wday][:3],
    ]


def date_phrases(text: str, now: float) -> list[Marks]:
    """For each date that the text names, the marks of which a moment must have one."""
    if not _MAY_BE_A_DATE.search(text):
        return []
    found: list[tuple[int, int, Marks]] = []
    for pattern in _PHRASES:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end, _ in found):
                continue
            marks = tuple(dict.fromkeys(_meant(match, now)))
            if marks:
                found.append((match.start(), match.end(), marks))
    named = [marks for _, _, marks in sorted(found)]
    # People speak of a day in the weeks after it: its month tells something too.
    months = [(marks[0][:-3],) for marks in named if len(marks) == 1 and _is_day(marks[0])]
    return list(dict.fromkeys([*named, *months]))


def _is_day(mark: str) -> bool:
    """`@2023-05-13` or `@05-13`."""
    return len(mark) in (len("@2023-05-13"), len("@05-13"))


def _meant(match: Match[str], now: float) -> Iterator[str]:
    said = {name: value.lower() for name, value in match.groupdict().items() if value}
    if "iso" in said:
        yield MARK + said["iso"]
    elif "month" in said:
        yield from _in_month(said, match.group("month"))
    elif "year" in said:
        yield MARK + said["year"]
    elif "unit" in said:
        count = int(said["count"]) if said["count"].isdigit() else _COUNTS[said["count"]]
        yield from _ago(count, said["unit"], now)
    elif "period" in said:
        yield from _period(said["period"], said["which"] == "this", now)
    elif "near" in said:
        yield _day(now - DAY * ("today", "yesterday", "the day before yesterday").index(said["near"]))
    elif "weekday" in said:
        yield from _weekday(said["weekday"], said.get("which", ""), now)


def _in_month(said: dict[str, str], written: str) -> Iterator[str]:
    # `may` and `march` are words too; as months they are written large.
    if written in ("may", "march", "mar"):
        return
    month = next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(said["month"]))
    day = int(said.get("day", 0))
    if day > 31:
        return
    year = said["year"] + "-" if "year" in said else ""
    yield f"{MARK}{year}{month:02}" + (f"-{day:02}" if day else "")


def _ago(count: int, unit: str, now: float) -> Iterator[str]:
    """The day itself and, the longer ago, the more days around it."""
    if unit == "day":
        around = min(1, count // 3)
        yield from (_day(now - DAY * (count + shift)) for shift in range(-around, around + 1))
    elif unit == "week":
        yield from (_day(now - DAY * (7 * count + shift)) for shift in range(-3, 4))
    elif unit == "month":
        yield _month(gmtime(now), -count)
    else:
        yield f"{MARK}{gmtime(now).tm_year - count}"


def _period(period: str, current: bool, now: float) -> Iterator[str]:
    today = gmtime(now)
    if period == "year":
        yield f"{MARK}{today.tm_year - (not current)}"
    elif period == "month":
        yield _month(today, 0 if current else -1)
    else:
        monday = now - DAY * (today.tm_wday + (0 if current else 7))
        yield from (_day(monday + DAY * shift) for shift in range(5 if period == "weekend" else 0, 7))


def _weekday(name: str, which: str, now: float) -> Iterator[str]:
    if which in ("", "this"):
        yield MARK + name[:3]
        return
    back = (gmtime(now).tm_wday - _WEEKDAYS.index(name)) % 7 or 7
    yield from (_day(now - DAY * days) for days in (back, back + 7))


def _day(moment: float) -> str:
    day = gmtime(max(moment, 0.0))
    return f"{MARK}{day.tm_year}-{day.tm_mon:02}-{day.tm_mday:02}"


def _month(today: struct_time, shift: int) -> str:
    months = today.tm_year * 12 + today.tm_mon - 1 + shift
    return f"{MARK}{months // 12}-{months % 12 + 1:02}"
