"""Edits of TOML files that change no other byte. tomlkit says where things stand; the text is cut and joined there.

Too slow to load for a hook, which only reads: `files/toml_lines.py`."""

from __future__ import annotations

import re
import tomllib

from recollect.errors import FileError
from recollect.files.edits.jsonc_edit import newline_of
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tomlkit import TOMLDocument
    from tomlkit.container import Container
    from tomlkit.items import Item

Path = tuple[str, ...]
BYTE_ORDER_MARK = "\ufeff"
MARK = "\0"  # never stands in TOML
HANDS_OFF = "it cannot be edited without changing other lines; change it by hand"
_KEY = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
HEADER = re.compile(
    rf"^[ \t]*\[\[?[ \t]*{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*[ \t]*\]\]?[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE
)


class NotToml(FileError):
    """The file is not TOML."""


class Line(Record):
    """A key with its value, or the header of a table: from where its line starts to behind its line end."""

    path: Path
    start: int
    end: int
    table: Path  # the header above it; a header is its own
    is_header: bool = False
    inline: tuple[Path, ...] = ()  # the keys inside its value, when that is an inline table
    is_inline: bool = False  # is its value an inline table?


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
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {literal(value)}" for key, value in values.items())]
    edited = rest + gap + newline.join(lines) + newline
    _verify(edited, path, dict(values), _without(_parse(text), path))
    return edited


def remove_table(text: str, path: Path) -> str:
    """The text without the table, the tables below it, and the empty line that set them apart."""
    before = _parse(text)
    if read_table(text, path) is None:
        return text
    for start, end in reversed(_spans(text, path)):
        text = text[:start] + text[end:]
    if read_table(text, path) is not None or not _same(_without(_parse(text), path), _without(before, path)):
        raise NotToml(f"`{'.'.join(path)}` is not a table with a header of its own there; change it by hand")
    return text


def replace_value(text: str, line: Line, path: Path, value: object) -> str:
    """The text with another value for a key that stands on a line."""
    section, document = _section_of(text, line)
    _inside(document, path[:-1])[path[-1]] = _item(value)
    return _put_back(text, section, document)


def add_to_inline(text: str, line: Line, pair: str) -> str:
    """The text with one more `key = value` in the inline table that stands on a line."""
    _, document = _section_of(text, line)
    written = _inside(document, line.path).as_string()
    start = text.index(written, line.start)
    close = start + len(written) - 1
    last = start + len(text[start:close].rstrip())
    if last == start + 1:
        return f"{text[:last]} {pair} {text[close:]}"
    return f"{text[:last]}, {pair}{text[last:]}"


def literal(value: object) -> str:
    """The value as TOML writes it."""
    return _item(value).as_string()


def find_lines(text: str) -> list[Line]:
    """Every key and header with its place, in order. Raises NotToml when tomlkit would not give the text back."""
    return [line for start, end in _sections(text) for line in _lines(text[start:end], start)]


def _lines(section: str, offset: int) -> Iterator[Line]:
    document = _document(section)
    found = list(_walk(document, (), ()))
    line_ends = [len(item.trivia.trail) for _, item in found]
    for _, item in found:
        item.trivia.indent = MARK + item.trivia.indent
        item.trivia.trail = MARK + item.trivia.trail
    pieces = document.as_string().split(MARK)
    if "".join(pieces) != section or len(pieces) != 2 * len(found) + 1:
        raise NotToml(HANDS_OFF)
    at = [offset]
    for piece in pieces:
        at.append(at[-1] + len(piece))
    for number, (line, _) in enumerate(found):
        yield line._replace(start=at[2 * number + 1], end=at[2 * number + 2] + line_ends[number])


def _sections(text: str) -> Iterator[tuple[int, int]]:
    """Where each header with what stands under it starts and ends; what stands above the first one comes first.

    One at a time, because tomlkit may put tables of one name together that stand apart."""
    start = len(BYTE_ORDER_MARK) * text.startswith(BYTE_ORDER_MARK)
    for header in HEADER.finditer(text, start + 1):
        # Inside a text or a list over several lines, what comes before is not whole.
        if _is_toml(text[start : header.start()]):
            yield start, header.start()
            start = header.start()
    yield start, len(text)


def _section_of(text: str, line: Line) -> tuple[tuple[int, int], TOMLDocument]:
    section = next((start, end) for start, end in _sections(text) if start <= line.start < end)
    return section, _document(text[slice(*section)])


def _inside(document: TOMLDocument, path: Path) -> Container:
    from tomlkit.items import AoT

    inner: Container = document
    for key in path:
        inner = inner[key]
        if isinstance(inner, AoT):
            raise NotToml(f"`{key}` is a list of tables there; change it by hand")
    return inner


def _put_back(text: str, section: tuple[int, int], document: TOMLDocument) -> str:
    return text[: section[0]] + document.as_string() + text[section[1] :]


def _walk(container: Container, table: Path, above: Path) -> Iterator[tuple[Line, Item]]:
    """What has a line of its own, in order: `table` is the header above, `above` leads to the container."""
    from tomlkit.items import AoT, InlineTable, Table

    for key, item in container.body:
        if key is None:
            continue
        path = (*above, key.key)
        for one in item.body if isinstance(item, AoT) else [item]:
            if not isinstance(one, Table):
                inline = isinstance(one, InlineTable)
                keys = tuple(_keys(one.value, path)) if isinstance(one, InlineTable) else ()
                yield Line(path, 0, 0, table, inline=keys, is_inline=inline), one
            elif key.is_dotted():
                yield from _walk(one.value, table, path)
            else:
                if not one.is_super_table():
                    yield Line(path, 0, 0, path, is_header=True), one
                yield from _walk(one.value, path, path)


def _keys(container: Container, above: Path) -> Iterator[Path]:
    from tomlkit.items import InlineTable, Table

    for key, item in container.body:
        if key is not None:
            path = (*above, key.key)
            if isinstance(item, (InlineTable, Table)):
                yield from _keys(item.value, path)
            else:
                yield path


def _document(section: str) -> TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(section)
    except RecursionError as error:
        raise NotToml("it is nested too deeply") from error
    except (TOMLKitError, ValueError) as error:
        raise NotToml(f"it is not valid TOML: {str(error)[:100]}") from error
    if document.as_string() != section:
        raise NotToml(HANDS_OFF)
    return document


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _item(value: object) -> Item:
    import tomlkit

    return tomlkit.item(list(value) if isinstance(value, tuple) else value)


def _spans(text: str, path: Path) -> list[tuple[int, int]]:
    """From each header of ours, and the empty line before it, to the end of the last line that belongs to it."""
    spans = []
    lines = find_lines(text)
    for index, header in enumerate(lines):
        if not (header.is_header and header.path[: len(path)] == path):
            continue
        following = lines[index + 1 :]
        stop = next((number for number, line in enumerate(following) if line.is_header), len(following))
        start, end = header.start, [header, *following[:stop]][-1].end
        if text[:start].endswith(("\n\n", "\r\n\r\n")):
            start -= 2 if text[:start].endswith("\r\n") else 1
        spans.append((start, end))
    return spans


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
