"""JSON documents that hold a list of messages: what stands before a break is kept."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from recollect.hosts.reading import MAX_LINE_BYTES, list_of, parse_object, read_head
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.hosts.reading import Json

MAX_DOCUMENT_BYTES = 4 * MAX_LINE_BYTES
_DECODER = json.JSONDecoder()
_GAP = re.compile(r"[\s,]*")


class Document(Record):
    """The objects of a list, the fields that stand beside it, and why the rest could not be read, if so."""

    items: tuple[Json, ...]
    fields: Json
    broken: str = ""


def read_document(path: str, key: str) -> Document:
    """A file that is an array of objects, or an object that holds one under the key."""
    data = read_head(path, MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        return Document((), {}, f"the file is longer than {MAX_DOCUMENT_BYTES // 1024 // 1024} MiB")
    return parse_document(data.decode("utf-8", "replace"), key)


def parse_document(text: str, key: str) -> Document:
    """The same of a text, which may be cut short or damaged: the objects before the break are kept."""
    text = text.strip("\x00\ufeff \t\r\n")
    if text.startswith("["):
        return _items_from(text, 1, {})
    fields = parse_object(text)
    if fields is not None:
        items = tuple(item for item in list_of(fields.pop(key, None)) if isinstance(item, dict))
        return Document(items, fields)
    opening = re.search(rf'"{re.escape(key)}"\s*:\s*\[', text) if text.startswith("{") else None
    if opening is None:
        return Document((), {}, "the file is not the JSON it should be")
    return _items_from(text, opening.end(), {})


def parse_value(value: object) -> object:
    """A value that some hosts store as JSON in a string; anything else comes back as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    parsed = parse_object(f'{{"value":{value}}}')
    return value if parsed is None else parsed["value"]


def _items_from(text: str, position: int, fields: Json) -> Document:
    items: list[Json] = []
    while True:
        position = _gap_end(text, position)
        if text.startswith("]", position):
            return Document(tuple(items), fields)
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return Document(tuple(items), fields, "the file is broken or cut short")
        if "\\ud" in text[position:end].lower():
            value = parse_object(text[position:end])
        if isinstance(value, dict):
            items.append(value)
        position = end


def _gap_end(text: str, position: int) -> int:
    gap = _GAP.match(text, position)
    return gap.end() if gap else position
