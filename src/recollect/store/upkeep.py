"""Are the text indexes what their base rows say, and is the file whole? And how to build the indexes anew, and to leave
nothing of what was erased."""

from __future__ import annotations

from recollect.errors import StoreBusy, StoreDamaged
from recollect.locks import Lock
from recollect.model.record import Record
from recollect.store.database import LOCK_SUFFIX, SCHEMA_VERSION
from recollect.store.index import ALL, analysed_text, partition_token
from recollect.store.rows import from_row
from recollect.store.statements import upkeep as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from recollect.store.database import Database
    from recollect.store.store import Store

BATCH = 1_000
MOST_PROBLEMS = 20


class TextIndex(Record):
    """An index, the rows it covers, and the table that counts its terms."""

    name: str
    base: str
    row: str
    columns: tuple[str, ...]
    counts: str


INDEXES = (
    TextIndex("entry_text", "entries", "entry_row", ("analysed",), "term_counts"),
    TextIndex(
        "turn_text",
        "turns",
        "turn_row",
        ("user_analysed", "assistant_analysed", "tools_analysed"),
        "turn_term_counts",
    ),
)


def check(store: Store) -> list[str]:
    """Everything that is wrong with the file and its indexes, in sentences; reads all of it.

    What it finds is mended at the next open."""
    try:
        rows = store.database.rows(f"PRAGMA integrity_check({MOST_PROBLEMS})")
        problems = [str(text) for (text,) in rows if text != "ok"] or verify_index(store) or _unreadable(store)
    except StoreDamaged as error:
        problems = [str(error)]
    if problems:
        store.database.suspect()
    return problems[:MOST_PROBLEMS]


def verify_index(store: Store) -> list[str]:
    """How the indexes differ from their base rows: nothing, when every term stands exactly where its row has it."""
    problems: list[str] = []
    with store.read():
        for index in INDEXES:
            problems += _compared(store.database, index)
        problems += _misplaced(store.database)
    return problems[:MOST_PROBLEMS]


def rebuild_index(store: Store) -> int:
    """Analyse all entries and turns anew, build both indexes and their counts from them; returns the entries."""
    database = store.database
    with store.write():
        entries = _analyse_again(store)
        store.sessions.analyse_again()
        for index in INDEXES:
            _build(database, index)
        store.index.changed(entries + 1)
    return entries


def scrub(store: Store) -> None:
    """After an erasure: rewrite the index and the file, so that nothing of it is left in free pages or the log."""
    database = store.database
    with store.write():
        database.run(sql.MERGE_ENTRIES)
    with Lock(database.path + LOCK_SUFFIX, database.wait_seconds):
        database.rows("VACUUM")
        [(blocked, _, _)] = database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if blocked:
        raise StoreBusy("The entry is erased, but a reader kept the log from being emptied; erase it again.")


def _unreadable(store: Store) -> list[str]:
    """Entries and audit rows with values that no Recollect wrote."""
    if store.database.schema_version() != SCHEMA_VERSION:
        return []  # of an earlier version, whose columns had other names
    try:
        ids = [entry_id for (entry_id,) in store.database.rows(sql.IDS)]
        for start in range(0, len(ids), BATCH):
            store.entries.by_ids(ids[start : start + BATCH])
            for entry_id in ids[start : start + BATCH]:
                store.changes.of_entry(entry_id)
    except StoreDamaged as error:
        return [str(error)]
    return []


def _compared(database: Database, index: TextIndex) -> list[str]:
    expected: dict[int, int] = {}
    counts: dict[str, int] = {}
    for row, *texts in _base_rows(database, index):
        seen: set[str] = set()
        total = 0
        for column, text in zip(index.columns, texts, strict=True):
            terms = str(text).split()
            total += sum(hash((term, column, offset)) for offset, term in enumerate(terms))
            seen.update(terms)
        expected[row] = total
        for term in (ALL, *seen):
            counts[term] = counts.get(term, 0) + 1
    found = _indexed(database, index)
    silent = {row for row, total in expected.items() if total == 0}
    problems = [
        f"{index.name}: row {row} is not indexed as {index.base} has it"
        for row in sorted(expected.keys() | found.keys())
        if expected.get(row) != found.get(row) and row not in silent - found.keys()
    ]
    stored = dict(database.rows(sql.counts(index)))
    problems += [
        f"{index.counts}: {term!r} is counted {stored.get(term, 0)} times and occurs in {counts.get(term, 0)} rows"
        for term in sorted(stored.keys() | counts.keys())
        if stored.get(term) != counts.get(term)
    ]
    return problems


def _indexed(database: Database, index: TextIndex) -> dict[int, int]:
    """The sum over all terms of each row in the index, read back from the index itself."""
    database.rows(sql.create_vocabulary(index))
    found: dict[int, int] = {}
    try:
        for term, row, column, offset in _stream(database, sql.vocabulary(index)):
            found[row] = found.get(row, 0) + hash((term, column, offset))
    finally:
        database.rows(sql.drop_vocabulary(index))
    return found


def _misplaced(database: Database) -> list[str]:
    """Entries whose partition token is not that of their layer, repository and status."""
    partitions = {
        (layer, repository, live): partition_token(number)
        for number, layer, repository, live in database.rows(sql.PARTITIONS)
    }
    rows = _stream(database, sql.PLACES)
    return [
        f"{entry_id} stands in the wrong partition"
        for entry_id, layer, repository, status, analysed in rows
        if partitions.get((layer, repository, int(status == "active"))) != str(analysed).split(" ", 1)[0]
    ]


def _analyse_again(store: Store) -> int:
    database = store.database
    rows = database.rows(sql.ROWS)
    known: dict[tuple[str, str, int], int] = {}
    for start in range(0, len(rows), BATCH):
        first, last = rows[start][0], rows[min(start + BATCH, len(rows)) - 1][0]
        chunk = database.rows(sql.BETWEEN, (first, last))
        fresh = []
        for row, analysed, *columns in chunk:
            entry = from_row(columns)
            text = analysed_text(entry, store.entries.partition_of(entry, known))
            if text != analysed:
                fresh.append((text, row))
        database.run_many(sql.SET_ANALYSED, fresh)
    return len(rows)


def _build(database: Database, index: TextIndex) -> None:
    for statement in sql.clear(index):
        database.run(statement)
    database.run(sql.fill(index))
    counts: dict[str, int] = {}
    for _, *texts in _base_rows(database, index):
        for term in {ALL, *(term for text in texts for term in text.split())}:
            counts[term] = counts.get(term, 0) + 1
    database.run_many(sql.add_counts(index), sorted(counts.items()))


def _base_rows(database: Database, index: TextIndex) -> Iterator[Any]:
    return _stream(database, sql.base_rows(index))


def _stream(database: Database, statement: str) -> Iterator[Any]:
    """Rows one by one: a whole table need not fit into memory."""
    import sqlite3

    try:
        yield from database.connection.execute(statement)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise database.failure(error) from error
