"""The entries table, its index and its audit rows, always changed together."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.entries import LAYERS, SOURCES, STATUSES, Entry
from recollect.model.record import Record
from recollect.store.index import Index, analysed_text
from recollect.store.rows import (
    COLUMN_TYPES,
    Suspecting,
    changed_fields,
    dump_list,
    find_named,
    from_row,
    load_list,
    to_row,
    unreadable,
)
from recollect.store.statements import CHUNK, padded
from recollect.store.statements import entries as sql
from recollect.text.ids import ENTRY, mistaken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

LAST_ROW = 2**63 - 1
NEWEST = 5_000  # rows at the end of the table that are looked through for what is new
_TYPES = (int, *COLUMN_TYPES)


class Stored(Record):
    """An entry with its row, which is the store's own: whoever names an entry takes its id."""

    entry_row: int
    entry: Entry

    @property
    def entry_id(self) -> str:
        """Its name everywhere."""
        return self.entry.entry_id

    def came_after(self, other: Stored) -> bool:
        """Was it stored after another one?"""
        return self.entry_row > other.entry_row


class Entries:
    """All entries. Methods that change something need an open write() and a change to account to."""

    def __init__(self, database: Database, index: Index) -> None:
        self._database = database
        self._index = index

    # -- changing

    def add(self, entries: Sequence[Entry], statement_keys: Sequence[str], *, change_id: int = 0) -> None:
        """Store new entries. Without a change: a load, which brings its own trail."""
        from recollect.store.statements import changes as trail

        row = self._index.newest_row()
        rows, indexed, audits = [], [], []
        known: dict[tuple[str, str, int], int] = {}
        for entry, key in zip(entries, statement_keys, strict=True):
            row += 1
            analysed = analysed_text(entry, self.partition_of(entry, known))
            rows.append((row, *to_row(entry), key, analysed))
            indexed.append((row, analysed))
            audits.append((change_id, entry.entry_id, "", ""))
        self._database.run_many(sql.ADD, rows)
        self._index.add(indexed)
        if change_id:
            # In the order of the table: neighbours share a page.
            self._database.run_many(trail.ADD_AUDIT, sorted(audits))

    def update(self, stored: Stored, after: Entry, statement_key: str, *, change_id: int) -> None:
        """Replace an entry by its new version, in place."""
        before, now = changed_fields(stored.entry, after)
        if not now:
            return
        analysed = self._one(sql.ANALYSED, (stored.entry_row, stored.entry_id))
        fresh = analysed_text(after, self.partition_of(after, {}))
        if fresh != analysed:
            self._index.remove([(stored.entry_row, analysed)])
            self._index.add([(stored.entry_row, fresh)])
        self._database.run(sql.update(now), (*now.values(), statement_key, fresh, stored.entry_row))
        self._account(change_id, stored.entry_id, before, now)

    def _account(self, change_id: int, entry_id: str, before: dict[str, Any], after: dict[str, Any]) -> None:
        """Note what a change did to an entry; what it did to it earlier becomes one step with that."""
        from recollect.store.statements import changes as trail

        known = self._database.rows(trail.AUDITED, (change_id, entry_id))
        if not known:
            self._database.run(trail.ADD_AUDIT, (change_id, entry_id, dump_list([before]), dump_list([after])))
        elif known[0][0]:  # an addition stays one
            [first], [last] = load_list(known[0][0]), load_list(known[0][1])
            columns = (dump_list([{**before, **first}]), dump_list([{**last, **after}]))
            self._database.run(trail.UPDATE_AUDIT, (*columns, change_id, entry_id))

    def erase(self, stored: Stored) -> None:
        """Remove every trace of an entry; only a person asks for that."""
        from recollect.store.statements import changes as trail
        from recollect.store.statements import conflicts, entry_vectors, votes

        name = (stored.entry_id,)
        analysed = self._one(sql.ANALYSED, (stored.entry_row, stored.entry_id))
        self._index.remove([(stored.entry_row, analysed)])
        self._database.run(trail.ERASE_AUDITS, name)
        self._database.run(votes.ERASE, name)
        self._database.run(conflicts.ERASE, name * 2)
        self._database.run(entry_vectors.ERASE, name)
        self._database.run(sql.ERASE, name)
        self._database.run(sql.ERASE_SUCCESSOR, name)

    def count_use(self, entry_ids: Sequence[str], *, now: float) -> None:
        """Note that these entries were given to a turn; no audit row, nothing about them changed."""
        self._database.run_many(sql.COUNT_USE, [(now, now, entry_id) for entry_id in entry_ids])

    # -- reading

    def get(self, entry_id: str) -> Stored:
        """The entry with this id, or a unique beginning or end of one."""
        rows = find_named(self._database.rows, sql.BY_PREFIX, sql.BY_END, entry_id)
        if not rows:
            raise NotFound(
                mistaken(entry_id, ENTRY)
                or f"No entry has the id {entry_id!r}; "
                "`recollect list --all --status any --limit 0` lists all but the archive (add `--layer L2`)."
            )
        if len(rows) > 1 and rows[0][1] != entry_id:
            raise Ambiguous(f"More than one entry matches {entry_id!r}; give more characters.")
        return _stored(rows[0])

    def has(self, entry_id: str) -> bool:
        """Is there an entry with exactly this id?"""
        return bool(self._database.rows(sql.HAS, (entry_id,)))

    def by_ids(self, entry_ids: Sequence[str]) -> dict[str, Stored]:
        """Entries by id, in the order they were stored; ids that are not there are left out."""
        found: list[Stored] = []
        for start in range(0, len(entry_ids), CHUNK):
            chunk, marks = padded(entry_ids[start : start + CHUNK])
            found += self._select(sql.by_ids(marks), chunk)
        return {stored.entry_id: stored for stored in sorted(found, key=lambda one: one.entry_row)}

    def saying(self, statement_key: str) -> list[Stored]:
        """Entries of any status with this normalised statement."""
        return self._select(sql.SAYING, (statement_key,))

    def known_statements(self, statement_keys: Sequence[str]) -> set[tuple[str, str, str]]:
        """(statement_key, layer, repository) of entries that say one of these."""
        known: set[tuple[str, str, str]] = set()
        for start in range(0, len(statement_keys), CHUNK):
            chunk = statement_keys[start : start + CHUNK]
            known.update(self._database.rows(sql.known_statements(chunk), chunk))
        return known

    def listed(
        self, where: dict[str, Any], *, limit: int = -1, newest_first: bool = True, before: str = ""
    ) -> list[Stored]:
        """Entries whose columns have these values; a list of values means any of them. `before`: only those that come
        after this one in the list."""
        return self._select(*sql.listed(where, limit=limit, newest_first=newest_first, before=before))

    def newest_typed(self, repositories: Sequence[str], *, limit: int, now: float) -> list[Entry]:
        """Active L1 entries that the user typed or corrected, newest first, among the last few thousand."""
        newest = self._index.newest_row() - NEWEST
        found = self._select(sql.newest_typed(repositories), (newest, *repositories, now, limit))
        return [stored.entry for stored in found]

    def most_used_everywhere(self, *, limit: int, now: float) -> list[Entry]:
        """Active L1 entries that hold everywhere and that a person said, most used first, among the newest of them."""
        return [stored.entry for stored in self._select(sql.STANDING, (NEWEST, now, limit))]

    def active(self, entry_ids: Sequence[str]) -> list[Entry]:
        """Those of these entries that are still active, in the order given."""
        found = self._select(sql.active(entry_ids), list(entry_ids)) if entry_ids else []
        known = {stored.entry.entry_id: stored.entry for stored in found}
        return [known[entry_id] for entry_id in entry_ids if entry_id in known]

    def cited(self, repository: str, *, before: Stored | None, limit: int) -> list[Stored]:
        """Active entries of a repository that cite something, newest first; page by page, before the last of one."""
        row = LAST_ROW if before is None else before.entry_row
        return self._select(sql.CITED, (repository, row, limit))

    def superseded_by(self, entry_id: str) -> list[Stored]:
        """Entries that this one replaced."""
        return self._select(sql.REPLACED, (entry_id,))

    def unused_since(self, before: float) -> list[Stored]:
        """Active L1 entries that the system wrote, that nobody typed, and that nothing has touched since."""
        return self._select(sql.UNUSED, (before, before, before))

    def count_all(self) -> int:
        """How many there are, whatever became of them."""
        return int(self._database.rows(sql.COUNT_ALL)[0][0])

    def count_in(self, repository: str) -> int:
        """Active entries of the profile and of knowledge in a repository, or with an empty name everywhere."""
        return int(self._database.rows(sql.COUNT_IN, (repository,))[0][0])

    def counts(self) -> dict[str, int]:
        """Active entries by layer."""
        return dict(self._database.rows(sql.COUNTS))

    # -- partitions

    def partition_of(self, entry: Entry, known: dict[tuple[str, str, int], int]) -> int:
        """The partition an entry belongs to, made when it is the first there; `known` remembers. Needs a write()."""
        place = (entry.layer, entry.repository, int(entry.status == "active"))
        if place not in known:
            self._database.run(sql.ADD_PARTITION, place)
            known[place] = int(self._one(sql.PARTITION, place))
        return known[place]

    def _one(self, statement: str, values: Any) -> Any:
        rows = self._database.rows(statement, values)
        if not rows:
            raise NotFound("That entry is gone; it was erased in the meantime.")
        return rows[0][0]

    def _select(self, statement: str, values: Any) -> list[Stored]:
        return read_entries(self._database, statement, values)


def read_entries(database: Database, statement: str, values: Any) -> list[Stored]:
    """What a statement selects: a row and the columns of an entry."""
    with Suspecting(database):
        return [_stored(row) for row in database.rows(statement, values)]


def _stored(row: Sequence[Any]) -> Stored:
    if tuple(map(type, row)) != _TYPES:
        raise unreadable(f"entry {row[1]!r}")
    entry = from_row(row[1:])
    if entry.layer not in LAYERS or entry.status not in STATUSES or entry.source not in SOURCES:
        raise unreadable(f"entry {entry.entry_id!r}")
    return Stored(row[0], entry)
