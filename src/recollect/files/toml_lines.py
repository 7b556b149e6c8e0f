"""On which line each key of a TOML text stands, for messages. Small, because a hook may have to read a changed file;
what edits files uses tomlkit."""

from __future__ import annotations

import re
import tomllib

Path = tuple[str, ...]
_PIECE = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{0,2})' + r"|'''.*?'''(?:'{0,2})"  # texts over several lines
    r'|"(?:[^"\\]|\\.)*"' + r"|'[^']*'" + r"|\#[^\n]*|[\[\]{}=\n]|[^\s\"'\#\[\]{}=.]+",
    re.DOTALL,
)


def key_lines(text: str, *, deepest: int) -> dict[Path, int]:
    """The first line of every key and table that has a line of its own, in a text that tomllib has accepted. Names are
    cut where they are longer than `deepest` parts."""
    lines: dict[Path, int] = {}
    table: Path = ()
    parts: list[str] = []
    in_header = in_value = False
    depth = start = 0
    text = text.removeprefix("\ufeff")
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece == "\n" and depth <= 0:
            parts, in_header, in_value, depth = [], False, False, 0
        elif in_value:
            depth += (piece in ("[", "{")) - (piece in ("]", "}"))
        elif piece == "[":
            in_header = True
        elif piece in ("=", "]"):
            path = ((() if in_header else table) + tuple(parts))[:deepest]
            table = path if in_header else table
            line = text.count("\n", 0, start) + 1
            for deep in range(1, len(path) + 1):
                lines.setdefault(path[:deep], line)
            in_value = True
        elif piece[0] not in "#\n":
            start = match.start() if not parts else start
            parts.append(_unquoted(piece) if len(parts) < deepest else "")
    return lines


def _unquoted(key: str) -> str:
    return str(tomllib.loads(f"key = {key}")["key"]) if key[0] in "\"'" else key
