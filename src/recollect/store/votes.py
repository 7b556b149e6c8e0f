"""Votes on entries, each with its reason."""

from __future__ import annotations

from recollect.store.statements import votes as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.store.database import Database


class Votes:
    """Every vote that was ever given; the entry itself carries the counts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, entry_id: str, direction: str, reason: str, actor: str, *, now: float) -> None:
        """Keep a vote with its reason. Needs an open write()."""
        self._database.run(sql.ADD, (entry_id, direction, reason, actor, now))

    def count(self) -> int:
        """How many there are."""
        return int(self._database.rows(sql.COUNT)[0][0])

    def of_entry(self, entry_id: str) -> list[dict[str, Any]]:
        """The votes on an entry that were not taken back, oldest first."""
        rows = self._database.rows(sql.OF_ENTRY, (entry_id,))
        return [dict(zip(("direction", "reason", "actor", "created"), row, strict=True)) for row in rows]
