"""The user's own `~/.ssh/config`, read for one thing: which host an alias stands for. No ssh process is run."""

from __future__ import annotations

import os

from recollect.files.git.refs import without_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT_BYTES = 1_000_000
MOST_FILES = 64
DEEPEST = 8


def real_host(alias: str, home: str) -> str:
    """The HostName of an alias; empty when the configuration says nothing about it. The first value wins, as in ssh."""
    folder = os.path.join(home, ".ssh")
    return Reader(alias, folder, home).read(os.path.join(folder, "config"), applies=True, depth=0)


class Reader:
    """Reads a file and those it includes until it knows the host."""

    def __init__(self, alias: str, folder: str, home: str) -> None:
        self._alias = alias.lower()
        self._folder = folder
        self._home = home
        self._files = 0

    def read(self, path: str, *, applies: bool, depth: int) -> str:
        """What a file says; `applies`: do its first lines, before any block, hold for the alias?"""
        self._files += 1
        if depth > DEEPEST or self._files > MOST_FILES:
            return ""
        outside = applies
        for keyword, values in _lines(path):
            found = ""
            if keyword == "host":
                applies = outside and self._is_meant(values)
            elif keyword == "match":
                applies = outside and self._fits(values)
            elif keyword == "include":
                found = self._included(values, applies=applies, depth=depth + 1)
            elif keyword == "hostname" and applies and values:
                found = self._expanded(values[0])
            if found:
                return found
        return ""

    def _included(self, values: list[str], *, applies: bool, depth: int) -> str:
        if not applies:
            return ""
        for value in values:
            path = os.path.join(self._home, value[2:]) if value.startswith("~/") else os.path.join(self._folder, value)
            for one in _files(path):
                found = self.read(one, applies=True, depth=depth)
                if found:
                    return found
        return ""

    def _is_meant(self, patterns: list[str]) -> bool:
        """Does one of the patterns fit, and none that begins with `!`?"""
        fits = False
        for pattern in patterns:
            if _matches(pattern.lstrip("!").lower(), self._alias):
                if pattern.startswith("!"):
                    return False
                fits = True
        return fits

    def _fits(self, criteria: list[str]) -> bool:
        """A `Match` that only asks for the host; what would need a user, a command or an address is taken for no."""
        words = [word.lower() for word in criteria]
        while words:
            word = words.pop(0)
            if word in ("host", "originalhost") and words:
                if not self._is_meant(words.pop(0).split(",")):
                    return False
            elif word != "all":
                return False
        return bool(criteria)

    def _expanded(self, name: str) -> str:
        name = name.replace("%h", self._alias).replace("%%", "%").strip(".").lower()
        return "" if "%" in name or "/" in name else name


def _lines(path: str) -> Iterator[tuple[str, list[str]]]:
    """Keyword and values of each line; none when the file cannot be read."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            text = file.read(LIMIT_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line[0] == "#":
            continue
        at = next((at for at, character in enumerate(line) if character in " \t="), len(line))
        yield line[:at].lower(), _values(line[at:].lstrip(" \t=") if "=" in line[at : at + 3] else line[at:].strip())


def _values(text: str) -> list[str]:
    """Words; quotes keep together what has spaces in it."""
    found: list[str] = []
    parts = text.split('"')
    for number, part in enumerate(parts):
        if number % 2:
            found.append(part)
            continue
        words = part.split()
        comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
        found += words[:comment]
        if comment < len(words):
            break
    return found


def _files(path: str) -> list[str]:
    if not any(mark in path for mark in "*?["):
        return [path]
    from glob import glob

    return sorted(glob(path))


def _matches(pattern: str, text: str) -> bool:
    if not any(mark in pattern for mark in "*?"):
        return pattern == text
    import re

    written = "".join({"*": ".*", "?": "."}.get(character, re.escape(character)) for character in pattern)
    return re.fullmatch(written, text) is not None
