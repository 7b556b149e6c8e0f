"""What the last check of a citation said, so that a hook need not read the file."""

from __future__ import annotations

from recollect.store.statements import citation_checks as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database


class CitationChecks:
    """The last check of each citation: of a file in a folder, or in a commit."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def last(self, root: str, path: str, citation_key: str) -> tuple[int, int, str, bool] | None:
        """(mtime_ns, size, verdict, gone_everywhere) of the last check of a citation, if there was one."""
        rows = self._database.rows(sql.LAST, (root, path, citation_key))
        return (rows[0][0], rows[0][1], rows[0][2], bool(rows[0][3])) if rows else None

    def checked_at(self, root: str, path: str, citation_key: str) -> float:
        """When a citation was checked last; 0 when it never was."""
        rows = self._database.rows(sql.CHECKED_AT, (root, path, citation_key))
        return float(rows[0][0]) if rows else 0.0

    def save(self, rows: Sequence[tuple[str, str, str, int, int, str, bool, float]]) -> None:
        """Keep checks: (root, path, citation_key, mtime_ns, size, verdict, gone_everywhere, checked)."""
        self._database.run_many(sql.SAVE, [(*row[:6], int(row[6]), row[7]) for row in rows])
