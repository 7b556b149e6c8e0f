"""The trail: who changed what, when, from what to what, and what was taken back."""

from __future__ import annotations

from recollect.errors import NotFound
from recollect.model.record import Record
from recollect.store.rows import Suspecting, dump_list, load_list
from recollect.store.statements import changes as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


# A load, and one of a person's own export. What that brings has a trail of its own, so this change stands only for the
# whole, to be taken back: it is neither exported nor the last change of one entry.
LOAD, LOAD_OWN = "load", "load --mine"
# What happens by itself while somebody does something else: it can be taken back by its number, but is nobody's last
# change.
UPKEEP = ("archive session", "forget unused", "join repository", "keep what logs prove")


# What brings entries of several repositories at once, wherever it is run.
ANYWHERE = (LOAD, LOAD_OWN, "import")


class Change(Record):
    """What one call did."""

    change_id: int
    action: str
    actor: str
    created: float
    undone_by: int


class Audit(Record):
    """What a change did to one entry: the columns it touched, before and after. An addition has neither."""

    change: Change
    entry_id: str
    before: dict[str, Any]
    after: dict[str, Any]


class Changes:
    """All changes, oldest first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, action: str, actor: str, *, now: float) -> int:
        """Open a change inside a write(); entries then account to its number."""
        return self._insert(sql.BEGIN, (action, actor, now))

    def drop_if_empty(self, change_id: int) -> None:
        """Forget a change that touched nothing, so that undo does not meet it."""
        self._database.run(sql.DROP_IF_EMPTY, (change_id, change_id))

    def get(self, change_id: int) -> Change:
        """The change with this number."""
        rows = self._database.rows(sql.GET, (change_id,))
        if not rows:
            raise NotFound(f"There is no change {change_id}; `recollect history ID` shows an entry's changes.")
        return Change._make(rows[0])

    def last(self, repository: str | None = None) -> Change | None:
        """The newest change that was neither taken back nor is itself a taking back, of one repository and of what
        holds everywhere, or of all; upkeep does not count, nor what was erased since. By time, for what a load brought
        has new numbers."""
        if repository is None:
            rows = self._database.rows(sql.last(UPKEEP), UPKEEP)
        else:
            rows = self._database.rows(sql.last(UPKEEP, ANYWHERE), (*UPKEEP, *ANYWHERE, repository))
        return Change._make(rows[0]) if rows else None

    def places(self, change_id: int) -> list[str]:
        """The repositories in which a change touched something; empty text for everywhere."""
        return [row[0] for row in self._database.rows(sql.PLACES, (change_id,))]

    def newest(self) -> int:
        """The highest number of a change."""
        return int(self._database.rows(sql.NEWEST)[0][0])

    def after(self, change_id: int, *, limit: int) -> list[Change]:
        """Changes behind a number, oldest first."""
        return [Change._make(row) for row in self._database.rows(sql.AFTER, (change_id, limit))]

    def before(self, change_id: int, *, limit: int) -> list[Change]:
        """Changes before a number, newest first."""
        return [Change._make(row) for row in self._database.rows(sql.BEFORE, (change_id, limit))]

    def touched(self, change_id: int, *, limit: int) -> list[str]:
        """The ids of the entries that a change touched."""
        return [row[0] for row in self._database.rows(sql.TOUCHED, (change_id, limit))]

    def of_entry(self, entry_id: str) -> list[Audit]:
        """What happened to an entry."""
        return self._audits(sql.OF_ENTRY, (entry_id,))

    def audits(self, change_id: int) -> list[Audit]:
        """Everything one change did, in the order of the entries."""
        return self._audits(sql.OF_CHANGE, (change_id,))

    def all_audits(self) -> list[Audit]:
        """The whole trail."""
        return self._audits(sql.ALL_AUDITS, ())

    def mark_undone(self, change_id: int, *, by: int) -> None:
        """Note that one change took another back."""
        self._database.run(sql.MARK_UNDONE, (by, change_id))

    def clear_undone(self, *, by: int) -> None:
        """What this change had taken back is in force again."""
        self._database.run(sql.CLEAR_UNDONE, (by,))

    def load(self, changes: Sequence[tuple[int, str, str, float]]) -> dict[int, int]:
        """Bring changes back; returns their numbers here by their old ones, which they keep where those are free."""
        numbers = {}
        for old, action, actor, created in changes:
            if self._database.rows(sql.GET, (old,)):
                numbers[old] = self._insert(sql.BEGIN, (action, actor, created))
            else:
                numbers[old] = self._insert(sql.LOAD, (old, action, actor, created))
        return numbers

    def load_audits(self, change_id: int, audits: Sequence[tuple[str, dict[str, Any], dict[str, Any]]]) -> None:
        """Bring back what a change did: (entry_id, before, after)."""
        self._database.run_many(
            sql.ADD_AUDIT,
            [(change_id, entry_id, _column(before), _column(after)) for entry_id, before, after in audits],
        )

    def _insert(self, statement: str, values: tuple[object, ...]) -> int:
        [(change_id,)] = self._database.run(statement, values).fetchall()
        return int(change_id)

    def _audits(self, statement: str, values: tuple[object, ...]) -> list[Audit]:
        found = []
        rows = self._database.rows(statement, values)
        with Suspecting(self._database):
            for row in rows:
                before, after = load_list(row[6]), load_list(row[7])
                fields = (before[0] if before else {}, after[0] if after else {})
                found.append(Audit(Change._make(row[:5]), row[5], *fields))
        return found


def _column(fields: dict[str, Any]) -> str:
    return dump_list([fields]) if fields else ""
