"""What can still be read of a damaged database, brought into a new one: table by table, around the bad pages."""

from __future__ import annotations

import json
import os
import sqlite3

from recollect.model.entries import LAYERS, ORIGINS, SCOPES, SOURCES, STATUSES
from recollect.model.record import Record
from recollect.store import pages
from recollect.store.database import CREATED_SUFFIX, LOCK_SUFFIX, Database
from recollect.store.migrations import columns_of, columns_of_versions, migrate
from recollect.store.rows import COLUMN_TYPES, COLUMNS
from recollect.store.statements import salvage as sql
from recollect.store.statements import schema

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from recollect.store.store import Store

    Row = list[Any]

# The text of an error may itself be damaged: it names what stands in the file.
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
CHUNK = 500
BEYOND = 2_000  # how far behind the last readable row lost ones are looked for
# Made anew from other tables, or a cache. Without `logs` every log is read again, which brings lost turns back.
DERIVED = frozenset(
    {"migrations", "partitions", "term_counts", "turn_term_counts", "citation_checks", "entry_vectors", "logs"}
)
# Tables whose rows are told from all others by their number of columns.
SCANNED = ("entries", "turns", "sessions")
# Columns that a table got later stand in none of the rows that were written before.
ADDED_LATER = {"entries": 1}
_LISTS = {"aliases", "citations", "tags"}
_TURN_TEXTS = ("repository", "user_text", "assistant_text", "tools", "compactions")
_LIST_COLUMNS = {"audits": ("before", "after"), "turns": ("tools", "compactions"), "receipts": ("entries", "left_out")}
_ALLOWED = {
    "layer": (LAYERS, "L1"),
    "scope": (SCOPES, "user"),
    "source": (SOURCES, "system"),
    "origin": (ORIGINS, "document"),
    "status": (STATUSES, "inactive"),
}


class Saved(Record):
    """How many entries came over, and of how many; unknown is 0."""

    entries: int
    known: int

    @property
    def lost(self) -> int:
        """How many are known to be missing."""
        return max(self.known - self.entries, 0)


class Table(Record):
    """A table as it is in the new file."""

    name: str
    columns: tuple[str, ...]
    key: str  # the integer it is ordered by; empty: none
    required: tuple[str, ...]  # columns that always have a value


def salvage(database: str, log: str, *, into: Store, folder: str, now: float) -> Saved:
    """Bring everything readable of a file and its log into an empty file; both stay untouched.

    It is first given the tables that the damaged file has, and then migrated: only a migration knows both shapes."""
    work = os.path.join(folder, "salvage.tmp")
    try:
        torn = _assemble(database, log, work)
        migrate(into.database, now=now, until=_version(work))
        saved = _best(work, into, torn=torn)
        migrate(into.database, now=now)
        _tidy_up(into, now)
        return saved
    finally:
        for suffix in ("", "-journal", ".template"):
            if os.path.exists(work + suffix):
                os.unlink(work + suffix)


def _assemble(database: str, log: str, work: str) -> bool:
    """Put the file together with its log; True when what is in it need not fit together."""
    if os.path.exists(database):
        pages.copy_bytes(database, work)
    else:
        open(work, "wb").close()
    torn = pages.apply_log(log, work)
    if os.stat(work).st_size:
        pages.mend_header(work)
    return torn


def _version(work: str) -> int:
    """The version whose tables stand in the file, as far as that can be read; else this one."""
    source = _connect(work)
    try:
        there = columns_of(source)
    except UNREADABLE:
        there = {}
    finally:
        source.close()
    alike = [sum(there.get(name) == columns for name, columns in of.items()) for of in columns_of_versions()]
    # Of two that fit alike, the newer one.
    return max(range(len(alike)), key=lambda at: (alike[at], at)) + 1


def _best(work: str, into: Store, *, torn: bool) -> Saved:
    """Read with the file's own first page; when that is broken, with what a new or a rewritten file has there."""
    if not os.stat(work).st_size:
        return Saved(0, 0)
    tables = _tables(into)
    source = _connect(work)
    try:
        readable = _has_schema(source, tables)
    finally:
        source.close()
    if not readable:
        fits = [(_fit(work, template, tables), template) for template in _templates(into, work + ".template")]
        most, template = max(fits, key=lambda one: one[0])
        pages.mend_header(work, template)
        readable = most > 0
    return _copy(work, tables if readable else [], tables, into, torn=torn)


def _fit(work: str, template: bytes, tables: list[Table]) -> int:
    """How many tables are known and can be read with this first page; where the others are named stays unseen."""
    pages.mend_header(work, template)
    source = _connect(work)
    try:
        if not _has_schema(source, tables) or not _bisected(source, tables[0], 1, BEYOND):
            return 0
        return sum(_is_sound(source, table) for table in tables)
    finally:
        source.close()


def _is_sound(source: sqlite3.Connection, table: Table) -> bool:
    """Can every row be read, and has it a value wherever one is asked for? A page of another table seldom has."""
    try:
        return not source.execute(sql.unsound_rows(table)).fetchone()[0]
    except UNREADABLE:
        return False


def _copy(work: str, readable: list[Table], tables: list[Table], into: Store, *, torn: bool) -> Saved:
    source = _connect(work)
    try:
        with into.write():
            known = _known_entries(source)
            for new in tables:
                table = _as_it_was(source, new)
                rows, whole = _rows(source, table) if new in readable else ([], False)
                if table.name in SCANNED and (torn or not whole):
                    rows = _with_leaves(rows, table, work)
                _insert(into, table, rows)
            entries = int(into.database.rows(sql.COUNT_ENTRIES)[0][0])
    finally:
        source.close()
    return Saved(entries, known)


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    # Else one bad line of the schema would close the whole file.
    connection.execute("PRAGMA writable_schema = ON")
    return connection


def _tables(into: Store) -> list[Table]:
    found = []
    for name, made in into.database.rows(schema.MADE):
        if name in DERIVED or "_text" in name or name.startswith("sqlite_"):
            continue
        info = into.database.rows(schema.columns(name))
        first = next((column for _, column, kind, _, _, place in info if place == 1 and kind == "INTEGER"), "")
        key = first if "WITHOUT ROWID" in made else "rowid"
        required = tuple(row[1] for row in info if row[3])
        found.append(Table(name, tuple(row[1] for row in info), key, required))
    return sorted(found, key=lambda table: table.name != "entries")


def _as_it_was(source: sqlite3.Connection, table: Table) -> Table:
    """The table with the columns that an earlier version had."""
    try:
        had = {row[1] for row in source.execute(schema.columns(table.name))}
    except UNREADABLE:
        return table
    return table._replace(columns=tuple(name for name in table.columns if name in had) or table.columns)


def _has_schema(source: sqlite3.Connection, tables: list[Table]) -> bool:
    try:
        names = {name for (name,) in source.execute(schema.TABLES)}
    except UNREADABLE:
        return False
    return "entries" in names and sum(table.name in names for table in tables) > len(tables) // 2


def _templates(into: Store, path: str) -> Iterator[bytes]:
    """The first page of a file that went through the migrations, of one that was made at once, and of each after it was
    rewritten as a whole."""
    at_once = Database(path + ".new")
    try:
        migrate(at_once, now=0.0)
        for made in (into.database, at_once):
            copy = sqlite3.connect(path, isolation_level=None)
            try:
                made.connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # else a log would hold what is written next
                yield pages.first_page(path)
                copy.execute("VACUUM")
                yield pages.first_page(path)
            finally:
                copy.close()
    finally:
        at_once.close()
        for suffix in ("", "-wal", "-shm", CREATED_SUFFIX, LOCK_SUFFIX):
            if os.path.exists(at_once.path + suffix):
                os.unlink(at_once.path + suffix)


def _rows(source: sqlite3.Connection, table: Table) -> tuple[list[Row], bool]:
    """Every readable row, its key first, and whether that is all of them."""
    found: list[Row] = []
    try:
        for row in source.execute(sql.rows(table)):
            found.append(list(row))
    except UNREADABLE:
        if not table.key:
            return found, False
    else:
        return found, True
    last = _last_key(source, table)
    found = []
    for start in range(1, last + 1, CHUNK):
        found += _bisected(source, table, start, min(start + CHUNK - 1, last))
    return found, False


def _bisected(source: sqlite3.Connection, table: Table, low: int, high: int) -> list[Row]:
    try:
        return _read(source, table, low, high)
    except UNREADABLE:
        if low == high:
            return []
    middle = (low + high) // 2
    return _bisected(source, table, low, middle) + _bisected(source, table, middle + 1, high)


def _read(source: sqlite3.Connection, table: Table, low: int, high: int) -> list[Row]:
    return list(map(list, source.execute(sql.rows_between(table), (low, high))))


def _last_key(source: sqlite3.Connection, table: Table) -> int:
    try:
        return int(source.execute(sql.last_key(table)).fetchone()[0])
    except (*UNREADABLE, TypeError, ValueError):
        pass
    last = 0
    try:
        for (value,) in source.execute(sql.keys(table)):
            last = value if isinstance(value, int) else last
    except UNREADABLE:
        pass
    return max(last, *_keys_in_indexes(source, table.name), 0) + BEYOND


def _keys_in_indexes(source: sqlite3.Connection, name: str) -> Iterator[int]:
    """The rows that an index of the table knows, index by index until one breaks."""
    try:
        indexes = [row[1] for row in source.execute(sql.indexes(name))]
    except UNREADABLE:
        return
    for index in indexes:
        try:
            for (key,) in source.execute(sql.keys_in_index(name, index)):
                if isinstance(key, int):
                    yield key
        except UNREADABLE:
            continue


def _known_entries(source: sqlite3.Connection) -> int:
    """How many entries there were, as far as anything still tells."""
    try:
        [(counted,)] = source.execute(sql.KNOWN_ENTRIES).fetchall()
        if isinstance(counted, int):
            return counted
    except (*UNREADABLE, ValueError):
        pass
    return len(set(_keys_in_indexes(source, "entries")))


def _with_leaves(rows: list[Row], table: Table, work: str) -> list[Row]:
    """The rows, and those that only their own leaf page still knows."""
    known = {row[0] for row in rows}
    found: dict[int, Row] = {}
    most = len(table.columns)
    for rowid, values in pages.leaf_rows(work, most - ADDED_LATER.get(table.name, 0), most, without=known):
        if rowid > 0 and (table.name != "entries" or str(values[1]).startswith("e_")):
            found[rowid] = [rowid, rowid, *values[1:], *[""] * (most - len(values))]
    return rows + list(found.values())


def _insert(into: Store, table: Table, rows: list[Row]) -> None:
    sound = [row for row in (_sound(table, row[1:]) for row in rows) if row is not None]
    into.database.run_many(sql.add(table), sound)


def _sound(table: Table, values: Row) -> Row | None:
    """The values as they may be stored; None when the row says nothing any more."""
    if table.name == "entries":
        return _sound_entry(dict(zip(table.columns, values, strict=True)))
    if table.name == "turns" and not _are_texts(values[table.columns.index(name)] for name in _TURN_TEXTS):
        return None
    for name in _LIST_COLUMNS.get(table.name, ()):
        value = values[table.columns.index(name)]
        if value and not _is_list(value):
            return None
    return values


def _sound_entry(values: dict[str, Any]) -> Row | None:
    if not isinstance(values["content"], str) or not isinstance(values["entry_id"], str):
        return None
    for name, kind in zip(COLUMNS, COLUMN_TYPES, strict=True):
        if name not in values:
            continue
        if not isinstance(values[name], (int, float) if kind is float else kind):
            values[name] = kind()
        if name in _LISTS and values[name] and not _is_list(values[name]):
            values[name] = ""
    for name, (allowed, otherwise) in _ALLOWED.items():
        if values.get(name, otherwise) not in allowed:
            values[name] = otherwise
    values["statement_key"] = str(values["statement_key"] or "")
    values["analysed"] = ""
    return list(values.values())


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_list(text: object) -> bool:
    try:
        return isinstance(json.loads(str(text)), list)
    except ValueError:
        return False


def _tidy_up(into: Store, now: float) -> None:
    """Drop what belongs to rows that are lost, and build the indexes."""
    from recollect.store.upkeep import rebuild_index

    database = into.database
    with into.write():
        for statement in sql.DROP_ORPHANS:
            database.run(statement)
        database.run(sql.ADD_LOST_CHANGES, (now,))
        rebuild_index(into)
