"""One table in a TOML file, added at its end and removed again; no other byte changes."""

from __future__ import annotations

import json
import tomllib

from recollect.errors import FileError
from recollect.files.edits.jsonc_edit import newline_of
from recollect.files.edits.toml_places import find_places, line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.edits.toml_places import Place

Path = tuple[str, ...]
BYTE_ORDER_MARK = "\ufeff"


class NotToml(FileError):
    """The file is not TOML."""


def read_table(text: str, path: Path) -> dict[str, object] | None:
    """What the table says, or None when it is not there. Raises NotToml."""
    value: object = _parse(text)
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else None


def set_table(text: str, path: Path, values: Mapping[str, object]) -> str:
    """The text with the table at its end, unless it says all this already."""
    now = read_table(text, path)
    if now is not None and all(now.get(key) == value for key, value in values.items()):
        return text
    rest = remove_table(text, path)
    newline = newline_of(text)
    body = rest.removeprefix(BYTE_ORDER_MARK)
    gap = "" if not body else newline if body.endswith("\n") else newline * 2
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {_literal(value)}" for key, value in values.items())]
    edited = rest + gap + newline.join(lines) + newline
    _verify(edited, path, dict(values), _without(_parse(text), path))
    return edited


def remove_table(text: str, path: Path) -> str:
    """The text without the table, the tables below it, and the empty line that set them apart."""
    before = _parse(text)
    for start, end in reversed(_spans(text, path)):
        text = text[:start] + text[end:]
    if read_table(text, path) is not None or not _same(_without(_parse(text), path), _without(before, path)):
        raise NotToml(f"`{'.'.join(path)}` is not a table with a header of its own there; change it by hand")
    return text


def _spans(text: str, path: Path) -> list[tuple[int, int]]:
    """From each header of ours, and the empty line before it, to the end of the last line that belongs to it."""
    spans = []
    places = find_places(text)
    for index, header in enumerate(places):
        if not (header.is_header and header.path[: len(path)] == path):
            continue
        end = _end_of_lines(text, [header, *_inside(places, index)])
        start = text.rfind("\n", 0, header.at) + 1 or len(BYTE_ORDER_MARK) * text.startswith(BYTE_ORDER_MARK)
        if start >= 2 and text[:start].endswith(("\n\n", "\r\n\r\n")):
            start -= 2 if text[:start].endswith("\r\n") else 1
        spans.append((start, end))
    return spans


def _inside(places: list[Place], header: int) -> list[Place]:
    following = places[header + 1 :]
    stop = next((index for index, place in enumerate(following) if place.is_header), len(following))
    return following[:stop]


def _end_of_lines(text: str, places: list[Place]) -> int:
    return min(line_end(text, max(place.end for place in places)) + 1, len(text))


def _verify(edited: str, path: Path, values: dict[str, object], rest: dict[str, object]) -> None:
    try:
        read = read_table(edited, path)
        kept = _without(_parse(edited), path)
    except NotToml:
        read, kept = None, {}
    if read != values or not _same(kept, rest):
        above = ".".join(path[:-1])
        raise NotToml(f"`{above}` is not written as tables with headers there; write it as [{'.'.join(path)}] first")


def _without(document: dict[str, object], path: Path) -> dict[str, object]:
    """The document without the table, and without tables that held nothing else."""
    if len(path) == 1:
        return {key: value for key, value in document.items() if key != path[0]}
    inner = document.get(path[0])
    if not isinstance(inner, dict):
        return document
    left = _without(inner, path[1:])
    return {key: left if key == path[0] else value for key, value in document.items() if key != path[0] or left}


def _same(left: object, right: object) -> bool:
    return repr(left) == repr(right)  # a number that is none does not equal itself


def _parse(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except RecursionError as error:
        raise NotToml("it is nested too deeply") from error
    except ValueError as error:
        raise NotToml(f"it is not valid TOML: {str(error)[:100]}") from error


def _literal(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_literal(part) for part in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    # JSON's escapes are TOML's, but for the delete character, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
