"""One key of a settings file, changed where it stands or added where a person would write it."""

from __future__ import annotations

from recollect.files.edits.jsonc_edit import newline_of
from recollect.files.edits.toml_edit import (
    BYTE_ORDER_MARK,
    Line,
    NotToml,
    Path,
    add_to_inline,
    find_lines,
    literal,
    replace_value,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def set_key(text: str, name: str, value: object, *, is_mine: Callable[[Path], bool]) -> str:
    """The text with `section.key` set; `is_mine` knows the other spellings of it. No other byte changes.

    Raises NotToml when it is set more than once, or when the file cannot be edited without changing other lines."""
    lines = find_lines(text)
    mine = [(line, path) for line in lines for path in _keys(line) if is_mine(path)]
    if len(mine) > 1:
        numbers = " and ".join(str(text.count("\n", 0, line.start) + 1) for line, _ in mine)
        raise NotToml(f"it is set more than once, on lines {numbers}; keep one of them")
    if mine:
        return replace_value(text, *mine[0], value)
    section, _, key = name.rpartition(".")
    return _added(text, lines, section, key, value) if section else _with_root_line(text, lines, key, value)


def remove_key(text: str, *, is_mine: Callable[[Path], bool]) -> str:
    """The text without the lines that set this key, however often they do, and without a table that they leave with
    nothing in it, not even a comment. No other byte changes.

    Raises NotToml when it stands inside an inline table."""
    tables = set()
    for line in reversed(find_lines(text)):
        if any(is_mine(path) for path in line.inline):
            raise NotToml("it is inside an inline table; remove it by hand")
        if not (line.is_header or line.is_inline) and is_mine(line.path):
            text = text[: line.start] + text[line.end :]
            tables.add(line.table)
    return _without_empty(text, tables)


def _without_empty(text: str, tables: set[Path]) -> str:
    headers = [line for line in find_lines(text) if line.is_header]
    ends = [*(line.start for line in headers), len(text)][1:]
    for header, end in reversed(list(zip(headers, ends, strict=True))):
        if header.table in tables and not text[header.end : end].strip():
            before, after, newline = text[: header.start], text[end:], newline_of(text)
            # The last one takes the empty line before it along, which came with it.
            text = before.removesuffix(newline) if before.endswith(newline * 2) and not after else before + after
    return text


def _keys(line: Line) -> tuple[Path, ...]:
    if line.is_inline:
        return line.inline
    return () if line.is_header else (line.path,)


def _added(text: str, lines: list[Line], section: str, key: str, value: object) -> str:
    pair = f"{key} = {literal(value)}"
    for line in lines:
        if line.is_inline and line.path == (section,):
            return add_to_inline(text, line, pair)
    in_section = [line for line in lines if line.table == (section,)]
    if in_section:
        return _with_line(text, in_section[-1].end, pair)
    dotted = [line for line in lines if not line.table and line.path[0] == section and len(line.path) > 1]
    if dotted:
        return _with_line(text, dotted[-1].end, f"{section}.{pair}")
    newline = newline_of(text)
    return _with_line(text, len(text), (newline if text else "") + f"[{section}]{newline}{pair}")


def _with_root_line(text: str, lines: list[Line], key: str, value: object) -> str:
    """Keys without a section go before the first header, and before the comment that stands on top of it."""
    pair = f"{key} = {literal(value)}"
    root = [line for line in lines if not line.table]
    headers = [line for line in lines if line.is_header]
    if root:
        return _with_line(text, root[-1].end, pair)
    if not headers:
        return _with_line(text, len(text), pair)
    mark = len(BYTE_ORDER_MARK) * text.startswith(BYTE_ORDER_MARK)
    above = text[mark : headers[0].start].splitlines(keepends=True)
    while above and above[-1].lstrip().startswith("#"):
        above.pop()
    start = mark + len("".join(above))
    newline = newline_of(text)
    return text[:start] + pair + newline * 2 + text[start:]


def _with_line(text: str, at: int, line: str) -> str:
    """The text with one more line, at the end of a line."""
    newline = newline_of(text)
    gap = newline if text[:at].removeprefix(BYTE_ORDER_MARK) and not text[:at].endswith("\n") else ""
    return text[:at] + gap + line + newline + text[at:]
