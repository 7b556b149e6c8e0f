"""Where the keys and tables of a TOML text stand, so that an edit can leave every other byte as it is."""

from __future__ import annotations

import tomllib

from recollect.model.record import Record

Path = tuple[str, ...]
DEEPEST_NAME = 4  # longer than the name of any setting; what lies deeper is not told apart
BLANK = " \t\r\n"


class Place(Record):
    """Where a key or a table header stands. `start` and `end` enclose the value; a header has the two alike."""

    path: Path
    at: int
    start: int
    end: int
    table: Path
    inline: bool = False

    @property
    def is_header(self) -> bool:
        return self.start == self.end


def find_places(text: str) -> list[Place]:
    """Where everything stands in a text that tomllib has accepted."""
    places: list[Place] = []
    table: Path = ()
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    while at < len(text):
        if text[at] == "[":
            table, end = _key(text, at + (2 if text.startswith("[[", at) else 1))
            end = text.index("]", end) + (2 if text.startswith("[[", at) else 1)
            places.append(Place(table, at, end, end, table))
        else:
            end = _pair(text, at, table, places)
        at = _skip(text, end)
    return places


def _pair(text: str, at: int, table: Path, places: list[Place], *, inline: bool = False) -> int:
    """Note `key = value` and, in an inline table, the pairs inside it. Returns the end of the value."""
    key, start = _key(text, at)
    start = _skip(text, text.index("=", start) + 1)
    end = _value_end(text, start)
    path = (*table, *key)[:DEEPEST_NAME]
    places.append(Place(path, at, start, end, table, inline=inline))
    if text[start] == "{":
        inner = _skip(text, start + 1, BLANK + ",")
        while text[inner] != "}":
            inner = _skip(text, _pair(text, inner, path, places, inline=True), BLANK + ",")
    return end


def _key(text: str, at: int) -> tuple[Path, int]:
    parts = []
    while True:
        at = _skip(text, at)
        if text[at] in "\"'":
            end = _string_end(text, at)
            parts.append(str(tomllib.loads("key = " + text[at:end])["key"]))
        else:
            end = next(i for i in range(at, len(text)) if text[i] in BLANK + ".=]")
            parts.append(text[at:end])
        at = _skip(text, end)
        if text[at] != ".":
            return tuple(parts[:DEEPEST_NAME]), at
        at += 1


def _value_end(text: str, at: int) -> int:
    if text[at] in "\"'":
        return _string_end(text, at)
    if text[at] not in "[{":
        end = next((i for i in range(at, len(text)) if text[i] in ",]}#\n"), len(text))
        return at + len(text[at:end].rstrip(BLANK))
    depth = 0
    while True:
        at = _skip(text, at)
        if text[at] in "\"'":
            at = _string_end(text, at)
            continue
        depth += (text[at] in "[{") - (text[at] in "]}")
        at += 1
        if depth == 0:
            return at


def _string_end(text: str, at: int) -> int:
    quote = text[at]
    fence = quote * 3 if text.startswith(quote * 3, at) else quote
    at += len(fence)
    while not text.startswith(fence, at):
        at += 2 if quote == '"' and text[at] == "\\" else 1
    at += len(fence)
    while len(fence) == 3 and text.startswith(quote, at):  # two quotes may stand before the closing three
        at += 1
    return at


def _skip(text: str, at: int, what: str = BLANK) -> int:
    """Past blanks and comments."""
    while at < len(text) and (text[at] in what or text[at] == "#"):
        at = at + 1 if text[at] != "#" else line_end(text, at)
    return at


def line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)
