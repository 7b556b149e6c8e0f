"""What people and files say about entries: votes, conflicts, and cached checks of citations."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


class Judgements:
    """Votes, conflicts and checks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_vote(self, entry_row: int, direction: str, reason: str, actor: str, *, now: float) -> None:
        """Keep a vote with its reason; the entry itself carries the counts."""
        self._database.run(
            "INSERT INTO votes (entry_row, direction, reason, actor, created) VALUES (?, ?, ?, ?, ?)",
            (entry_row, direction, reason, actor, now),
        )

    def votes(self, entry_row: int) -> list[dict[str, Any]]:
        """The votes on an entry that were not taken back, oldest first."""
        rows = self._database.rows(
            "SELECT direction, reason, actor, created FROM votes AS v WHERE entry_row = ? AND NOT EXISTS ("
            "SELECT 1 FROM audits AS a JOIN changes AS c USING (change_id) WHERE a.entry_row = v.entry_row "
            "AND c.created = v.created AND c.action = 'vote ' || v.direction AND c.undone_by <> 0) ORDER BY created",
            (entry_row,),
        )
        return [dict(zip(("direction", "reason", "actor", "created"), row, strict=True)) for row in rows]

    def add_conflict(self, newer_row: int, older_row: int, *, now: float) -> None:
        """Note that two entries contradict each other."""
        self._database.run(
            "INSERT INTO conflicts (newer_row, older_row, created) VALUES (?, ?, ?) "
            "ON CONFLICT (newer_row, older_row) DO NOTHING",
            (newer_row, older_row, now),
        )

    def conflicts(self) -> list[tuple[int, int]]:
        """Pairs (newer, older) of entries that contradict each other while both are active."""
        rows = self._database.rows(
            "SELECT c.newer_row, c.older_row FROM conflicts AS c "
            "JOIN entries AS n ON n.entry_row = c.newer_row JOIN entries AS o ON o.entry_row = c.older_row "
            "WHERE n.status = 'active' AND o.status = 'active' ORDER BY c.created"
        )
        return [(newer, older) for newer, older in rows]

    def all_conflicts(self) -> list[tuple[int, int, float]]:
        """Every conflict ever noted: (newer, older, created)."""
        rows = self._database.rows("SELECT newer_row, older_row, created FROM conflicts ORDER BY newer_row, older_row")
        return [(newer, older, created) for newer, older, created in rows]

    def conflicting(self, entry_rows: Sequence[int]) -> list[tuple[int, int]]:
        """The conflicts among these entries."""
        if not entry_rows:
            return []
        marks = ",".join("?" * len(entry_rows))
        rows = self._database.rows(
            f"SELECT newer_row, older_row FROM conflicts WHERE newer_row IN ({marks}) AND older_row IN ({marks})",
            [*entry_rows, *entry_rows],
        )
        return [(newer, older) for newer, older in rows]

    def conflicting_ids(self, entry_ids: Sequence[str]) -> list[tuple[str, str]]:
        """The conflicts among these entries, by id."""
        if not entry_ids:
            return []
        marks = ",".join("?" * len(entry_ids))
        rows = self._database.rows(
            f"WITH asked AS (SELECT entry_row, entry_id FROM entries WHERE entry_id IN ({marks})) "
            "SELECT n.entry_id, o.entry_id FROM asked AS n CROSS JOIN conflicts AS c ON c.newer_row = n.entry_row "
            "JOIN asked AS o ON o.entry_row = c.older_row ORDER BY c.newer_row, c.older_row",
            entry_ids,
        )
        return [(newer, older) for newer, older in rows]

    def cached_check(self, root: str, path: str, citation_key: str) -> tuple[int, int, str, bool] | None:
        """(mtime_ns, size, verdict, gone_everywhere) of the last check of a citation, if there was one."""
        rows = self._database.rows(
            "SELECT mtime_ns, size, verdict, gone_everywhere FROM citation_checks "
            "WHERE root = ? AND path = ? AND citation_key = ?",
            (root, path, citation_key),
        )
        return (rows[0][0], rows[0][1], rows[0][2], bool(rows[0][3])) if rows else None

    def checked_at(self, root: str, path: str, citation_key: str) -> float:
        """When a citation was checked last; 0 when it never was."""
        rows = self._database.rows(
            "SELECT checked FROM citation_checks WHERE root = ? AND path = ? AND citation_key = ?",
            (root, path, citation_key),
        )
        return float(rows[0][0]) if rows else 0.0

    def cache_checks(self, rows: Sequence[tuple[str, str, str, int, int, str, bool, float]]) -> None:
        """Keep checks: (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked)."""
        self._database.run_many(
            "INSERT INTO citation_checks (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (root, path, citation_key) DO UPDATE SET "
            "mtime_ns = excluded.mtime_ns, size = excluded.size, verdict = excluded.verdict, "
            "gone_everywhere = excluded.gone_everywhere, checked = excluded.checked",
            [(*row[:6], int(row[6]), row[7]) for row in rows],
        )
