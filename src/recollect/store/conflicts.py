"""Pairs of entries that contradict each other, as (newer, older)."""

from __future__ import annotations

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
        self._database.run(
            "INSERT INTO conflicts (newer_id, older_id, created) VALUES (?, ?, ?) "
            "ON CONFLICT (newer_id, older_id) DO NOTHING",
            (newer_id, older_id, now),
        )

    def open(self) -> list[tuple[str, str]]:
        """The pairs of which both are active, in the order they were noted."""
        rows = self._database.rows(
            "SELECT c.newer_id, c.older_id FROM conflicts AS c "
            "JOIN entries AS n ON n.entry_id = c.newer_id JOIN entries AS o ON o.entry_id = c.older_id "
            "WHERE n.status = 'active' AND o.status = 'active' ORDER BY c.created, n.entry_row, o.entry_row"
        )
        return [(newer, older) for newer, older in rows]

    def all(self) -> list[tuple[str, str, float]]:
        """Every pair with the time when it was noted, by id."""
        rows = self._database.rows("SELECT newer_id, older_id, created FROM conflicts ORDER BY newer_id, older_id")
        return [(newer, older, created) for newer, older, created in rows]

    def among(self, entry_ids: Sequence[str]) -> list[tuple[str, str]]:
        """The pairs of which both are among these entries."""
        if not entry_ids:
            return []
        marks = ",".join("?" * len(entry_ids))
        rows = self._database.rows(
            f"SELECT newer_id, older_id FROM conflicts WHERE newer_id IN ({marks}) AND older_id IN ({marks})",
            [*entry_ids, *entry_ids],
        )
        return [(newer, older) for newer, older in rows]
