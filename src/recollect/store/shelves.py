"""Entries that a program keeps under an address: found by it exactly, without a search."""

from __future__ import annotations

from recollect.store.entries import Stored
from recollect.store.rows import SELECTED, from_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

# As in the index: SQLite uses it only where a query says the same.
_SHELVED = "tags LIKE '%\"shelved%'"
_LIVE = "status = 'active' AND (valid_to = 0 OR valid_to > ?)"


class Shelves:
    """Addressed entries, by repository ('' is user scope). All of them are entries like any other too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def at(self, repository: str, address: str, *, now: float) -> list[Stored]:
        """What stands under exactly this address, in the order it came."""
        return self._select("subject = ?", (repository, now, address))

    def under(self, repository: str, prefix: str, *, now: float, limit: int = -1, offset: int = 0) -> list[Stored]:
        """What stands under addresses that begin like this, in the order it came; everything for an empty prefix."""
        page = "" if limit < 0 else f"LIMIT {int(limit)} OFFSET {int(offset)}"
        if not prefix:
            return self._select("1 = 1", (repository, now), page)
        return self._select("subject >= ? AND subject < ?", (repository, now, prefix, _behind(prefix)), page)

    def addresses(self, repository: str, *, now: float) -> list[str]:
        """Every address in use, sorted."""
        rows = self._database.rows(
            f"SELECT DISTINCT subject FROM entries WHERE {_SHELVED} AND repository = ? AND {_LIVE} ORDER BY subject",
            (repository, now),
        )
        return [subject for (subject,) in rows]

    def expired(self, repository: str, *, now: float) -> list[Stored]:
        """Active entries whose time is over."""
        return self._rows(
            f"{_SHELVED} AND repository = ? AND status = 'active' AND valid_to > 0 AND valid_to <= ?", (repository, now)
        )

    def keep_until(self, entry_ids: Sequence[str], valid_to: Sequence[float]) -> None:
        """Put off when these expire; no audit row, nothing about them changed."""
        self._database.run_many(
            "UPDATE entries SET valid_to = ? WHERE entry_id = ?", list(zip(valid_to, entry_ids, strict=True))
        )

    def _select(self, condition: str, values: tuple[Any, ...], page: str = "") -> list[Stored]:
        return self._rows(f"{_SHELVED} AND repository = ? AND {_LIVE} AND {condition}", values, page)

    def _rows(self, condition: str, values: tuple[Any, ...], page: str = "") -> list[Stored]:
        sql = f"SELECT entry_row, {SELECTED} FROM entries WHERE {condition} ORDER BY entry_row {page}"
        return [Stored(row[0], from_row(row[1:])) for row in self._database.rows(sql, values)]


def _behind(prefix: str) -> str:
    """The first text that no longer begins with the prefix."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)
