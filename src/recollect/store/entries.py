"""The entries table, its index and its audit rows, always changed together."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.entries import LAYERS, SOURCES, STATUSES, Entry
from recollect.model.record import Record
from recollect.store.index import Index, analysed_text
from recollect.store.rows import (
    COLUMN_TYPES,
    COLUMNS,
    LAST_CHARACTER,
    SELECTED,
    Suspecting,
    changed_fields,
    dump_list,
    from_row,
    load_list,
    to_row,
    unreadable,
)
from recollect.store.statements import padded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

LAST_ROW = 2**63 - 1
_CHUNK = 400
NEWEST = 5_000  # rows at the end of the table that are looked through for what is new
_TYPES = (int, *COLUMN_TYPES)
_PLACES = ", ".join("?" * (len(COLUMNS) + 3))
_INSERT = f"INSERT INTO entries (entry_row, {SELECTED}, statement_key, analysed) VALUES ({_PLACES})"
_AUDIT = "INSERT INTO audits (change_id, entry_row, before, after) VALUES (?, ?, ?, ?)"
_AUDITED = "SELECT before, after FROM audits WHERE change_id = ? AND entry_row = ?"
# By both: the row of an erased entry is given to the next one.
_ANALYSED = "SELECT analysed FROM entries WHERE entry_row = ? AND entry_id = ?"
_PARTITION = "SELECT partition_id FROM partitions WHERE layer = ? AND repository = ? AND live = ?"


class Stored(Record):
    """An entry with its row."""

    entry_row: int
    entry: Entry


class Entries:
    """All entries. Methods that change something need an open write() and a change to account to."""

    def __init__(self, database: Database, index: Index) -> None:
        self._database = database
        self._index = index

    # -- changing

    def add(self, entries: Sequence[Entry], statement_keys: Sequence[str], *, change_id: int = 0) -> list[int]:
        """Store new entries; returns their rows. Without a change: a load, which brings its own trail."""
        row = self._index.newest_row()
        rows, indexed, audits = [], [], []
        known: dict[tuple[str, str, int], int] = {}
        for entry, key in zip(entries, statement_keys, strict=True):
            row += 1
            analysed = analysed_text(entry, self.partition_of(entry, known))
            rows.append((row, *to_row(entry), key, analysed))
            indexed.append((row, analysed))
            audits.append((change_id, row, "", ""))
        self._database.run_many(_INSERT, rows)
        self._index.add(indexed)
        if change_id:
            self._database.run_many(_AUDIT, audits)
        return [entry_row for entry_row, _ in indexed]

    def update(self, stored: Stored, after: Entry, statement_key: str, *, change_id: int) -> None:
        """Replace an entry by its new version, in place."""
        before, now = changed_fields(stored.entry, after)
        if not now:
            return
        analysed = self._one(_ANALYSED, (stored.entry_row, stored.entry.entry_id))
        fresh = analysed_text(after, self.partition_of(after, {}))
        if fresh != analysed:
            self._index.remove([(stored.entry_row, analysed)])
            self._index.add([(stored.entry_row, fresh)])
        assignments = ", ".join(f"{name} = ?" for name in now)
        self._database.run(
            f"UPDATE entries SET {assignments}, statement_key = ?, analysed = ? WHERE entry_row = ?",
            (*now.values(), statement_key, fresh, stored.entry_row),
        )
        self._account(change_id, stored.entry_row, before, now)

    def _account(self, change_id: int, entry_row: int, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Note what a change did to an entry; what it did to it earlier becomes one step with that."""
        known = self._database.rows(_AUDITED, (change_id, entry_row))
        if not known:
            self._database.run(_AUDIT, (change_id, entry_row, dump_list([before]), dump_list([after])))
        elif known[0][0]:  # an addition stays one
            [first], [last] = load_list(known[0][0]), load_list(known[0][1])
            self._database.run(
                "UPDATE audits SET before = ?, after = ? WHERE change_id = ? AND entry_row = ?",
                (dump_list([{**before, **first}]), dump_list([{**last, **after}]), change_id, entry_row),
            )

    def erase(self, stored: Stored) -> None:
        """Remove every trace of an entry; only a person asks for that."""
        row = (stored.entry_row,)
        analysed = self._one(_ANALYSED, (stored.entry_row, stored.entry.entry_id))
        self._index.remove([(stored.entry_row, analysed)])
        self._database.run("DELETE FROM audits WHERE entry_row = ?", row)
        self._database.run("DELETE FROM votes WHERE entry_row = ?", row)
        self._database.run("DELETE FROM conflicts WHERE newer_row = ? OR older_row = ?", row * 2)
        self._database.run("DELETE FROM entries WHERE entry_row = ?", row)
        self._database.run("UPDATE entries SET superseded_by = '' WHERE superseded_by = ?", (stored.entry.entry_id,))

    def count_use(self, entry_ids: Sequence[str], *, now: float) -> None:
        """Note that these entries were given to a turn; no audit row, nothing about them changed."""
        self._database.run_many(
            "UPDATE entries SET recall_count = recall_count + 1, "
            "last_used = CASE WHEN last_used < ? THEN ? ELSE last_used END WHERE entry_id = ?",
            [(now, now, entry_id) for entry_id in entry_ids],
        )

    # -- reading

    def get(self, entry_id: str) -> Stored:
        """The entry with this id or unique prefix of one."""
        rows = self._database.rows(
            f"SELECT entry_row, {SELECTED} FROM entries WHERE entry_id >= ? AND entry_id < ? ORDER BY entry_id LIMIT 2",
            (entry_id, entry_id + LAST_CHARACTER),
        )
        if not rows or not entry_id:
            raise NotFound(f"No entry has the id {entry_id!r}; `recollect list` shows what there is.")
        if len(rows) > 1 and rows[0][1] != entry_id:
            raise Ambiguous(f"More than one entry starts with {entry_id!r}; give more characters.")
        return _stored(rows[0])

    def row_of(self, entry_id: str) -> int | None:
        """The row of the entry with exactly this id."""
        rows = self._database.rows("SELECT entry_row FROM entries WHERE entry_id = ?", (entry_id,))
        return int(rows[0][0]) if rows else None

    def by_rows(self, entry_rows: Sequence[int]) -> dict[int, Entry]:
        """Entries by row."""
        found: dict[int, Entry] = {}
        for start in range(0, len(entry_rows), _CHUNK):
            chunk, marks = padded(entry_rows[start : start + _CHUNK])
            rows = self._database.rows(f"SELECT entry_row, {SELECTED} FROM entries WHERE entry_row IN ({marks})", chunk)
            with Suspecting(self._database):
                found.update(_stored(row) for row in rows)
        return found

    def by_ids(self, entry_ids: Sequence[str]) -> dict[str, Stored]:
        """Those of these entries that there are, by id, oldest first."""
        found: dict[str, Stored] = {}
        for start in range(0, len(entry_ids), _CHUNK):
            chunk, marks = padded(entry_ids[start : start + _CHUNK])
            for stored in self._select(f"entry_id IN ({marks})", chunk):
                found[stored.entry.entry_id] = stored
        return found

    def saying(self, statement_key: str) -> list[Stored]:
        """Entries of any status with this normalised statement."""
        return self._select("statement_key = ?", (statement_key,))

    def known_statements(self, statement_keys: Sequence[str]) -> set[tuple[str, str, str]]:
        """(statement_key, layer, repository) of entries that say one of these."""
        known: set[tuple[str, str, str]] = set()
        for start in range(0, len(statement_keys), _CHUNK):
            chunk = statement_keys[start : start + _CHUNK]
            rows = self._database.rows(
                "SELECT statement_key, layer, repository FROM entries "
                f"WHERE statement_key IN ({','.join('?' * len(chunk))})",
                chunk,
            )
            known.update(rows)
        return known

    def listed(self, where: dict[str, Any], *, limit: int = -1, newest_first: bool = True) -> list[Stored]:
        """Entries whose columns have these values; a list of values means any of them."""
        conditions: list[str] = []
        values: list[Any] = []
        for name, value in where.items():
            if isinstance(value, (list, tuple)):
                conditions.append(f"{name} IN ({','.join('?' * len(value))})" if value else "1 = 0")
                values += value
            else:
                conditions.append(f"{name} = ?")
                values.append(value)
        tail = f"ORDER BY entry_row {'DESC' if newest_first else 'ASC'}"
        if limit >= 0:
            tail += f" LIMIT {limit}"
        return self._select(" AND ".join(conditions) or "1 = 1", values, tail)

    def newest_typed(self, repositories: Sequence[str], *, limit: int, now: float) -> list[Entry]:
        """Active L1 entries that the user typed or corrected, newest first, among the last few thousand."""
        marks = ",".join("?" * len(repositories))
        found = self._select(
            f"entry_row > ? AND layer = 'L1' AND status = 'active' AND origin = 'typed' AND repository IN ({marks}) "
            "AND (valid_to = 0 OR valid_to > ?)",
            (self._index.newest_row() - NEWEST, *repositories, now),
            f"ORDER BY entry_row DESC LIMIT {limit}",
        )
        return [stored.entry for stored in found]

    def active(self, entry_ids: Sequence[str]) -> list[Entry]:
        """Those of these entries that are still active, in the order given."""
        marks = ",".join("?" * len(entry_ids))
        found = self._select(f"status = 'active' AND entry_id IN ({marks})", list(entry_ids)) if entry_ids else []
        known = {stored.entry.entry_id: stored.entry for stored in found}
        return [known[entry_id] for entry_id in entry_ids if entry_id in known]

    def cited(self, repository: str, *, before_row: int | None, limit: int) -> list[Stored]:
        """Active entries of a repository that cite something, newest first; page by page."""
        return self._select(
            "repository = ? AND status = 'active' AND citations <> '' AND entry_row < ?",
            (repository, LAST_ROW if before_row is None else before_row),
            f"ORDER BY entry_row DESC LIMIT {limit}",
        )

    def superseded_by(self, entry_id: str) -> list[Stored]:
        """Entries that this one replaced."""
        return self._select("superseded_by = ? AND status <> 'active'", (entry_id,))

    def unused_since(self, before: float) -> list[Stored]:
        """Active L1 entries that the system wrote, that nobody typed, and that nothing has touched since."""
        return self._select(
            "layer = 'L1' AND status = 'active' AND source = 'system' AND origin <> 'typed' AND citations = '' "
            "AND created < ? AND updated < ? AND last_used < ?",
            (before, before, before),
        )

    def counts(self) -> dict[str, int]:
        """Active entries by layer."""
        rows = self._database.rows("SELECT layer, count(*) FROM entries WHERE status = 'active' GROUP BY layer")
        return dict(rows)

    # -- partitions

    def partition_of(self, entry: Entry, known: dict[tuple[str, str, int], int]) -> int:
        """The partition an entry belongs to, made when it is the first there; `known` remembers. Needs a write()."""
        place = (entry.layer, entry.repository, int(entry.status == "active"))
        if place not in known:
            self._database.run(
                "INSERT INTO partitions (layer, repository, live) VALUES (?, ?, ?) "
                "ON CONFLICT (layer, repository, live) DO NOTHING",
                place,
            )
            known[place] = int(self._one(_PARTITION, place))
        return known[place]

    def _one(self, sql: str, values: Any) -> Any:
        rows = self._database.rows(sql, values)
        if not rows:
            raise NotFound("That entry is gone; somebody erased it meanwhile.")
        return rows[0][0]

    def _select(self, condition: str, values: Any, tail: str = "ORDER BY entry_row") -> list[Stored]:
        sql = f"SELECT entry_row, {SELECTED} FROM entries WHERE {condition} {tail}"
        with Suspecting(self._database):
            return [_stored(row) for row in self._database.rows(sql, values)]


def _stored(row: Sequence[Any]) -> Stored:
    if tuple(map(type, row)) != _TYPES:
        raise unreadable(f"entry {row[1]!r}")
    entry = from_row(row[1:])
    if entry.layer not in LAYERS or entry.status not in STATUSES or entry.source not in SOURCES:
        raise unreadable(f"entry {entry.entry_id!r}")
    return Stored(row[0], entry)
