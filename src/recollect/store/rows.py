"""Entries as rows and back; lists are JSON text, empty ones an empty text."""

from __future__ import annotations

from recollect.errors import StoreDamaged, require_text
from recollect.model.entries import Citation, Entry
from recollect.text.ids import end_of
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from recollect.store.database import Database

    Found = TypeVar("Found")

LAST_CHARACTER = "\U0010ffff"  # sorts behind every other: what begins with a prefix lies before prefix + this
COLUMNS = Entry._fields
_NUMBERS = {
    "confidence": float,
    "created": float,
    "updated": float,
    "last_used": float,
    "recall_count": int,
    "votes_up": int,
    "votes_down": int,
    "valid_from": float,
    "valid_to": float,
}
COLUMN_TYPES: tuple[type, ...] = tuple(_NUMBERS.get(name, str) for name in COLUMNS)
SELECTED = ", ".join(COLUMNS)
_ALIASES, _CITATIONS, _TAGS = (COLUMNS.index(name) for name in ("aliases", "citations", "tags"))


def find_named(
    select: Callable[[str, Sequence[object]], list[Found]], by_prefix: str, by_end: str, name: str
) -> list[Found]:
    """What has an id that begins with the name; where there is none, what has one that ends with it."""
    require_text(name, "An id")
    if not name:
        return []
    kind, end = end_of(name)
    found = select(by_prefix, (name, name + LAST_CHARACTER))
    return found or (select(by_end, (f"{kind}%{end}",)) if end else [])


def holding(text: str) -> str:
    """What LIKE finds a text with, wherever it stands."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def dump_list(items: Sequence[object]) -> str:
    """A list as a column: JSON, or nothing."""
    return dumps(items, ensure_ascii=False, separators=(",", ":")) if items else ""


def load_list(text: str) -> list[Any]:
    """A column as a list."""
    if not text:
        return []
    try:
        found = loads(text)
    except (ValueError, TypeError) as error:
        raise unreadable(f"a list is not valid JSON: {error}") from error
    if not isinstance(found, list):
        raise unreadable("a list is something else")
    return found


def unreadable(why: str) -> StoreDamaged:
    """The error for a value that no Recollect wrote."""
    return StoreDamaged(
        f"The database contains a damaged value ({why}); `recollect status` keeps a copy and saves what can be read."
    )


class Suspecting:
    """`with Suspecting(database):` values are read; one that no Recollect wrote is noted beside the file, so that the
    next open mends it."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> None:
        """Nothing has been read yet."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is StoreDamaged:
            self._database.suspect()


def storable(values: Sequence[object]) -> tuple[object, ...]:
    """The values with half characters replaced: a lone surrogate cannot be stored."""
    if "".join([value for value in values if isinstance(value, str)]).isascii():
        return tuple(values)
    return tuple(_whole(value) if isinstance(value, str) else value for value in values)


def _whole(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")


def dump_citations(citations: Sequence[Citation]) -> str:
    """Citations as a column; fields that say nothing are left out."""
    return dump_list([citation.filled() for citation in citations])


def load_citations(text: str) -> tuple[Citation, ...]:
    """A column as citations; fields of a later version are ignored."""
    known = Citation._fields
    try:
        return tuple(Citation(**{k: v for k, v in item.items() if k in known}) for item in load_list(text))
    except (TypeError, AttributeError) as error:
        raise unreadable("a citation is none") from error


def to_row(entry: Entry) -> tuple[object, ...]:
    """The entry's values in the order of COLUMNS."""
    row: list[object] = list(entry)
    row[_ALIASES] = dump_list(entry.aliases)
    row[_CITATIONS] = dump_citations(entry.citations)
    row[_TAGS] = dump_list(entry.tags)
    return storable(row)


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
