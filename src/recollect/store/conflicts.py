"""Pairs of entries that contradict each other, as (newer, older)."""

from __future__ import annotations

from recollect.store.statements import conflicts as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database


class Conflicts:
    """Every conflict that was ever noted; it is open while both entries are active."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, newer_id: str, older_id: str, *, now: float) -> None:
        """Note that two entries contradict each other. Needs an open write()."""
        self._database.run(sql.ADD, (newer_id, older_id, now))

    def open(self) -> list[tuple[str, str]]:
        """The pairs of which both are active, in the order they were noted."""
        return [(newer, older) for newer, older in self._database.rows(sql.OPEN)]

    def all(self) -> list[tuple[str, str, float]]:
        """Every pair with the time when it was noted, by id."""
        return [(newer, older, created) for newer, older, created in self._database.rows(sql.ALL)]

    def against(self, entry_ids: Sequence[str]) -> list[tuple[str, str]]:
        """The pairs of active entries with one of these in them."""
        if not entry_ids:
            return []
        rows = self._database.rows(sql.against(entry_ids), [*entry_ids, *entry_ids])
        return [(newer, older) for newer, older in rows]

    def turn_round(self, newer_id: str, older_id: str) -> None:
        """Note that of a pair the older was said again since. Needs an open write()."""
        self._database.run(sql.TURN_ROUND, (newer_id, older_id))
