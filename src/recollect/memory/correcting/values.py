"""The values in a sentence: numbers with their kind, identifiers, paths and names; where one of them stands for
another, both are of the same kind."""

from __future__ import annotations

import re
from bisect import bisect_right

from recollect.model.record import Record
from recollect.text.patterns import lazy

_CODE = lazy(r"`([^`\n]{1,120})`")
_TOKEN = lazy(r"[^\s,;()\[\]{}\"“”«»!?]+")
_WEEKDAYS = "mon tues wednes thurs fri satur sun".split()
_KINDS = (
    ("weekday", re.compile(rf"(?:{'|'.join(_WEEKDAYS)})days?", re.IGNORECASE)),
    ("date", re.compile(r"\d{4}-\d\d(?:-\d\d)?")),
    ("time", re.compile(r"\d{1,2}[:h]\d{2}|\d{1,2}(?:am|pm)|noon|midnight", re.IGNORECASE)),
    ("hex", re.compile(r"0x[0-9a-f]+", re.IGNORECASE)),
    ("address", re.compile(r"(?:https?://\S+|\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\S+)?|[\w.-]+:\d{2,5}(?:/\S*)?)")),
    ("version", re.compile(r"v?\d+(?:\.\d+)+(?:[-+]\w+)?|v\d+")),
    ("tiny", re.compile(r"\d+(?:\.\d+)?e-?\d+", re.IGNORECASE)),
    ("share", re.compile(r"\d+(?:\.\d+)?%")),
    ("amount", re.compile(r"[$€£]?\d+(?:[.,']\d+)*[kKmM]?[$€£]?")),
    ("measure", re.compile(r"\d+(?:[.,]\d+)?[a-zµ°]{1,4}", re.IGNORECASE)),
    ("channel", re.compile(r"#[A-Za-z][\w-]+")),
    ("path", re.compile(r"[\w@.~*-]*/[\w@./*~-]*|\.?[\w-]+\.[a-z]{1,5}")),
    ("identifier", re.compile(r"[A-Za-z]\w*(?:[._:-]\w+)+|[a-z]+[A-Z]\w*|[A-Za-z]+\d\w*")),
    ("name", re.compile(r"[A-ZÄÖÜÉÈÀÁÍÓÚØÅÆ][\w’'é-]*")),
)
NUMBERS = ("weekday", "date", "time", "hex", "version", "tiny", "share", "amount", "measure", "address")
BEHIND_NAME = r" v?\d+(?:\.\d+)*(?![\w:%]|[.-]\w)"
VERSION = lazy(BEHIND_NAME)
_LOOSE = frozenset(("amount", "measure", "share"))
# From zero on; in every language those that mean nothing else.
_COUNTED = tuple(
    words.split()
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht - zehn elf zwölf",
        "- - deux trois quatre cinq - sept huit - dix onze douze",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez - doce",
    )
)
_NUMBER_WORDS = frozenset(word for words in _COUNTED for word in words if word != "-")
_HOURS = {"noon": "12:00", "midnight": "00:00"}
_ONE_OF_THEM = re.compile(r"\b(?:the|that|this|which|other|last|old|new|\w+er|[A-Z]\w+) $")  # "the Navy one"


class Value(Record):
    """A value as it stands in a text."""

    text: str
    kind: str
    start: int
    end: int
    unit: str = ""  # the word right behind a number
    first: bool = False  # it begins the sentence


def values_in(text: str) -> list[Value]:
    """The values of a text, in order."""
    found = []
    taken = [(match.start(), match.end()) for match in _CODE.finditer(text)]
    found += [Value(text[start:end], "code", start, end) for start, end in taken]
    starts = [start for start, _ in taken]
    tokens = []
    for match in _TOKEN.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or taken[before][1] <= match.start():
            tokens.append(match)
    for number, match in enumerate(tokens):
        word = match[0].rstrip(".:'’").removesuffix("'s").removesuffix("’s")
        start = match.start()
        if word[:1] == ":" and word[1:].isdigit():  # a port
            word, start = word[1:], start + 1
        kind = kind_of(word)
        if not kind or (word == "one" and _ONE_OF_THEM.search(text[:start])):
            continue
        after = tokens[number + 1] if number + 1 < len(tokens) else None
        is_next = after is not None and text[start + len(word) : after.start()].isspace()  # "9091, the API" has none
        behind = after[0].rstrip(".:").casefold() if after and is_next else ""
        found.append(Value(word, kind, start, start + len(word), behind, _begins(text, match.start())))
    return sorted(found, key=lambda one: one.start)


def kind_of(word: str) -> str:
    """The kind of a value, or "" for an ordinary word."""
    if word.casefold() in _NUMBER_WORDS:
        return "amount"
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(word)), "")


def in_words_of(old: str, new: str) -> str:
    """A number as the one that it takes the place of is written: in its language, or in digits."""
    if ":" in old and new.casefold() in _HOURS:
        return _HOURS[new.casefold()]
    theirs = next((words for words in _COUNTED if old.casefold() in words), [])
    mine = next((words for words in _COUNTED if new.casefold() in words), [])
    if not mine or mine is theirs:
        return new
    value = mine.index(new.casefold())
    return theirs[value] if theirs and theirs[value] != "-" else str(value)


def is_same_sort(a: Value, b: Value) -> bool:
    """Could one stand in the place of the other?"""
    return a.kind == b.kind or {a.kind, b.kind} <= _LOOSE


def _begins(text: str, at: int) -> bool:
    while at and text[at - 1].isspace():
        at -= 1
    return not at or text[at - 1] in ".!?:;"
