"""The trail: who changed what, when, from what to what, and what was taken back."""

from __future__ import annotations

from recollect.errors import NotFound
from recollect.model.record import Record
from recollect.store.rows import Suspecting, dump_list, load_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


# What happens by itself while somebody does something else: it can be taken back by its number, but is nobody's last
# change.
UPKEEP = ("archive session", "forget unused", "join repository")


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


_CHANGE = "c.change_id, c.action, c.actor, c.created, c.undone_by"
_AUDITS = f"SELECT {_CHANGE}, a.entry_id, a.before, a.after FROM audits AS a JOIN changes AS c USING (change_id)"


class Changes:
    """All changes, oldest first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, action: str, actor: str, *, now: float) -> int:
        """Open a change inside a write(); entries then account to its number."""
        return self._insert("action, actor, created", (action, actor, now))

    def drop_if_empty(self, change_id: int) -> None:
        """Forget a change that touched nothing, so that undo does not meet it."""
        self._database.run(
            "DELETE FROM changes WHERE change_id = ? AND NOT EXISTS (SELECT 1 FROM audits WHERE change_id = ?)",
            (change_id, change_id),
        )

    def get(self, change_id: int) -> Change:
        """The change with this number."""
        rows = self._database.rows(f"SELECT {_CHANGE} FROM changes AS c WHERE change_id = ?", (change_id,))
        if not rows:
            raise NotFound(f"There is no change {change_id}; `recollect history ID` shows an entry's changes.")
        return Change._make(rows[0])

    def last(self) -> Change | None:
        """The newest change that was neither taken back nor is itself a taking back; upkeep does not count, nor what
        was erased since. By time, for what a load brought has new numbers."""
        marks = ", ".join("?" * len(UPKEEP))
        rows = self._database.rows(
            f"SELECT {_CHANGE} FROM changes AS c WHERE undone_by = 0 AND action NOT IN ('undo', {marks}) "
            "AND (change_id IN (SELECT change_id FROM audits) OR change_id IN (SELECT change_id FROM work_audits)) "
            "ORDER BY created DESC, change_id DESC LIMIT 1",
            UPKEEP,
        )
        return Change._make(rows[0]) if rows else None

    def newest(self) -> int:
        """The highest number of a change."""
        return int(self._database.rows("SELECT coalesce(max(change_id), 0) FROM changes")[0][0])

    def of_entry(self, entry_id: str) -> list[Audit]:
        """What happened to an entry."""
        return self._audits("WHERE a.entry_id = ? ORDER BY a.change_id", (entry_id,))

    def audits(self, change_id: int) -> list[Audit]:
        """Everything one change did, in the order of the entries."""
        return self._audits(
            "JOIN entries AS e USING (entry_id) WHERE a.change_id = ? ORDER BY e.entry_row", (change_id,)
        )

    def all_audits(self) -> list[Audit]:
        """The whole trail."""
        return self._audits("ORDER BY a.change_id, a.entry_id", ())

    def mark_undone(self, change_id: int, *, by: int) -> None:
        """Note that one change took another back."""
        self._database.run("UPDATE changes SET undone_by = ? WHERE change_id = ?", (by, change_id))

    def clear_undone(self, *, by: int) -> None:
        """What this change had taken back is in force again."""
        self._database.run("UPDATE changes SET undone_by = 0 WHERE undone_by = ?", (by,))

    def load(self, changes: Sequence[tuple[int, str, str, float]]) -> dict[int, int]:
        """Bring changes back; returns their numbers here by their old ones, which they keep where those are free."""
        numbers = {}
        for old, action, actor, created in changes:
            if self._database.rows("SELECT 1 FROM changes WHERE change_id = ?", (old,)):
                numbers[old] = self._insert("action, actor, created", (action, actor, created))
            else:
                numbers[old] = self._insert("change_id, action, actor, created", (old, action, actor, created))
        return numbers

    def load_audits(self, change_id: int, audits: Sequence[tuple[str, dict[str, Any], dict[str, Any]]]) -> None:
        """Bring back what a change did: (entry_id, before, after)."""
        self._database.run_many(
            "INSERT INTO audits (change_id, entry_id, before, after) VALUES (?, ?, ?, ?)",
            [(change_id, entry_id, _column(before), _column(after)) for entry_id, before, after in audits],
        )

    def _insert(self, columns: str, values: tuple[object, ...]) -> int:
        marks = ", ".join("?" * len(values))
        sql = f"INSERT INTO changes ({columns}) VALUES ({marks}) RETURNING change_id"
        [(change_id,)] = self._database.run(sql, values).fetchall()
        return int(change_id)

    def _audits(self, tail: str, values: tuple[object, ...]) -> list[Audit]:
        found = []
        rows = self._database.rows(f"{_AUDITS} {tail}", values)
        with Suspecting(self._database):
            for row in rows:
                before, after = load_list(row[6]), load_list(row[7])
                fields = (before[0] if before else {}, after[0] if after else {})
                found.append(Audit(Change._make(row[:5]), row[5], *fields))
        return found


def _column(fields: dict[str, Any]) -> str:
    return dump_list([fields]) if fields else ""
