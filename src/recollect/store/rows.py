"""Entries as rows and back; lists are JSON text, empty ones an empty text."""

from __future__ import annotations

import json

from recollect.model.entries import Citation, Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

COLUMNS = Entry._fields
SELECTED = ", ".join(COLUMNS)
_ALIASES, _CITATIONS, _TAGS = (COLUMNS.index(name) for name in ("aliases", "citations", "tags"))


def dump_list(items: Sequence[object]) -> str:
    """A list as a column: JSON, or nothing."""
    return json.dumps(items, ensure_ascii=False, separators=(",", ":")) if items else ""


def load_list(text: str) -> list[Any]:
    """A column as a list."""
    return json.loads(text) if text else []


def dump_citations(citations: Sequence[Citation]) -> str:
    """Citations as a column; fields that say nothing are left out."""
    return dump_list([citation_json(citation) for citation in citations])


def citation_json(citation: Citation) -> dict[str, object]:
    """A citation as JSON, without its empty fields."""
    return {name: value for name, value in citation._asdict().items() if value}


def load_citations(text: str) -> tuple[Citation, ...]:
    """A column as citations; fields of a later version are ignored."""
    known = Citation._fields
    return tuple(Citation(**{k: v for k, v in item.items() if k in known}) for item in load_list(text))


def to_row(entry: Entry) -> tuple[object, ...]:
    """The entry's values in the order of COLUMNS."""
    row: list[object] = list(entry)
    row[_ALIASES] = dump_list(entry.aliases)
    row[_CITATIONS] = dump_citations(entry.citations)
    row[_TAGS] = dump_list(entry.tags)
    return tuple(row)


def from_row(row: Sequence[Any]) -> Entry:
    """The entry of a row selected with SELECTED."""
    values = list(row)
    values[_ALIASES] = tuple(load_list(values[_ALIASES]))
    values[_CITATIONS] = load_citations(values[_CITATIONS])
    values[_TAGS] = tuple(load_list(values[_TAGS]))
    return Entry(*values)


def changed_fields(before: Entry, after: Entry) -> tuple[dict[str, object], dict[str, object]]:
    """The fields in which two versions differ, as columns: those of the first, those of the second."""
    pairs = [
        (name, old, new) for name, old, new in zip(COLUMNS, to_row(before), to_row(after), strict=True) if old != new
    ]
    return {name: old for name, old, _ in pairs}, {name: new for name, _, new in pairs}
