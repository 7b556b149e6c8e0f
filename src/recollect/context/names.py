"""Names in a text: paths, identifiers, flags, references and values with a name. What later work comes back to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_NAME = 4
LONGEST_NAME = 160
CACHED_TOKENS = 200_000

_TOKEN = re.compile(r"[A-Za-z0-9_$@~./#+-]{3,}")
# A line break in quoted text, and a closing tag: neither `\nWith` nor `</status>` is a name.
_NO_NAME = re.compile(r"\\[nrt](?=[A-Z])|</[\w:-]+>")
_FLAG = re.compile(r"--[a-z][\w-]+\Z")
_IDENTIFIER = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_DOTTED = re.compile(r"[A-Za-z]\w+\.[A-Za-z]\w")
_VERSION = re.compile(r"v?\d+\.\d+\.\d")
_REFERENCE = re.compile(r"#\d+\Z|[A-Z][A-Z0-9]+-\d+\Z|(?=\D*\d)(?=.*[a-f])[0-9a-f]{7,40}\Z")
_DASHED = re.compile(r"[a-z]{2,}-[a-z0-9]{2,}")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_VALUE = re.compile(
    r"(?<![\w.])[A-Za-z_]{2,30}[=:] ?\d{2,}\b"
    r"|\b(?:port|line|pr|issue|version|timeout|limit|step|phase) #?\d+(?:\.\d+)*\b",
    re.I,
)
_PROGRAM = re.compile(r"(?:^|&&|\|\|?|;|\n)\s*(?:\w+=\S+\s+)*([a-z][\w.-]*) ([a-z][\w:-]{2,})(?=\s|$)")
_DASHED_WEIGHT = 0.3
_kinds: dict[str, float] = {}


def names_in(text: str) -> Iterator[str]:
    """The names in a text, in order, repeats included; of a path its last part too, of `a.b` both, of `$a_b` `a_b`."""
    for name in whole_names(text):
        yield name
        if name.startswith("$"):
            name = name[1:]
            yield name
        if "/" in name:
            name = name.rsplit("/", 1)[1]
            if weight_of(name):
                yield name
        if "." in name:
            yield from (piece for piece in name.split(".") if weight_of(piece))


def whole_names(text: str) -> Iterator[str]:
    """The names in a text as they stand there."""
    for token in _TOKEN.findall(_NO_NAME.sub(" ", text) if "\\" in text or "</" in text else text):
        name = token.rstrip("./+-#~$").lstrip("@+")
        if weight_of(name):
            yield name


def values_in(text: str) -> Iterator[str]:
    """Numbers that have a name: `port 7443`, `timeout=30`."""
    yield from _VALUE.findall(text)


def programs_in(command: str) -> Iterator[str]:
    """The programs that a command line runs, each with what it is told to do: `go test`."""
    for program, verb in _PROGRAM.findall(command):
        yield f"{program} {verb}"


def weight_of(name: str) -> float:
    """How surely this is a name: 0 for plain words, less for words with a dash, which people write too."""
    known = _kinds.get(name)
    if known is None:
        if len(_kinds) >= CACHED_TOKENS:
            _kinds.clear()
        known = _kinds[name] = _weight(name)
    return known


def _weight(name: str) -> float:
    if _REFERENCE.match(name):
        return 1.0
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        return 0.0
    if name.startswith("-"):
        return 1.0 if _FLAG.match(name) else 0.0
    if "/" in name:
        return 1.0 if _LETTERS.search(name) and _is_path(name) else 0.0
    if _IDENTIFIER.search(name) or _DOTTED.match(name) or _VERSION.match(name):
        return 1.0
    return _DASHED_WEIGHT if _DASHED.search(name) else 0.0


def _is_path(name: str) -> bool:
    pieces = [piece for piece in name.split("/") if piece]
    return name.startswith(("/", "~", ".")) or len(pieces) > 2 or (len(pieces) == 2 and "." in pieces[-1])
