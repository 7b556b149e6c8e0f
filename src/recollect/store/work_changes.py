"""The trail of tasks and projects: what a change made of them, from what to what."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.store.rows import dump_list, load_list, storable
from recollect.store.statements import changes as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


class WorkAudit(Record):
    """What a change did to one task or project: the fields it touched, before and after. An addition has no before,
    what was taken away no after."""

    change_id: int
    work_id: str
    before: dict[str, Any]
    after: dict[str, Any]


class WorkChanges:
    """All changes of tasks and projects, oldest first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, audits: Sequence[WorkAudit]) -> None:
        """Account for what a change did. Needs an open write()."""
        self._database.run_many(
            sql.ADD_WORK,
            [storable((one.change_id, one.work_id, _column(one.before), _column(one.after))) for one in audits],
        )

    def of_change(self, change_id: int) -> list[WorkAudit]:
        """What one change did."""
        return self._select(sql.WORK_OF_CHANGE, (change_id,))

    def last_of(self, work_id: str, *, action: str = "") -> int | None:
        """The number of the last change of a task or project, or the last of one kind, that was not taken back."""
        rows = self._database.rows(sql.LAST_OF_WORK, (work_id, action))
        return int(rows[0][0]) if rows else None

    def authors(self, work_id: str) -> list[tuple[int, str, frozenset[str]]]:
        """(change, actor, fields) of every change of a task or project that still holds, newest first."""
        rows = self._database.rows(sql.WORK_AUTHORS, (work_id,))
        return [(number, actor, frozenset(_fields(after))) for number, actor, after in rows]

    def all(self) -> list[WorkAudit]:
        """The whole trail."""
        return self._select(sql.ALL_WORK, ())

    def erase(self, work_id: str) -> None:
        """Forget the trail of a task: what was erased stands there too. Needs an open write()."""
        self._database.run(sql.ERASE_WORK, (work_id,))

    def _select(self, statement: str, values: tuple[object, ...]) -> list[WorkAudit]:
        rows = self._database.rows(statement, values)
        return [WorkAudit(number, work_id, _fields(before), _fields(after)) for number, work_id, before, after in rows]


def _column(fields: dict[str, Any]) -> str:
    return dump_list([fields]) if fields else ""


def _fields(column: str) -> dict[str, Any]:
    found = load_list(column)
    return dict(found[0]) if found else {}
