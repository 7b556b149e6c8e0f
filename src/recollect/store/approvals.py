"""Approvals: what a person allowed for a session or for a repository, until it is taken back."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.permissions import Approval
from recollect.store.rows import find_named
from recollect.store.statements import approvals as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.permissions import Reach
    from recollect.store.database import Database


class Approvals:
    """What a person allowed for longer than once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, approval: Approval) -> None:
        """Keep an approval; the same one again changes nothing."""
        self._database.run(sql.ADD, approval)

    def holds(self, kind: str, reach: Reach, place: str) -> bool:
        """Was this kind allowed there? A place without a name is never approved."""
        return bool(place) and bool(self._database.rows(sql.HOLDS, (kind, reach, place)))

    def listed(self) -> list[Approval]:
        """Every approval, newest first."""
        return [Approval._make(row) for row in self._database.rows(sql.ALL)]

    def get(self, approval_id: str) -> Approval:
        """The approval with this id, or a unique beginning or end of one."""
        rows = find_named(self._database.rows, sql.BY_PREFIX, sql.BY_END, approval_id)
        if not rows:
            raise NotFound(f"No approval has the id {approval_id!r}; `recollect permissions` shows all approvals.")
        if len(rows) > 1:
            raise Ambiguous(f"More than one approval matches {approval_id!r}; give more characters.")
        return Approval._make(rows[0])

    def revoke(self, approval_id: str) -> None:
        """Take an approval back."""
        self._database.run(sql.REVOKE, (approval_id,))

    def prune_sessions(self, *, before: float) -> None:
        """Drop approvals of sessions that are long over."""
        self._database.run(sql.PRUNE_SESSIONS, (before,))
