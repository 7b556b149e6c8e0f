"""Entries that a program keeps under an address: found by it exactly, without a search."""

from __future__ import annotations

from recollect.store.entries import Stored
from recollect.store.rows import from_row
from recollect.store.statements import shelves as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


class Shelves:
    """Addressed entries, by repository ('' is user scope). All of them are entries like any other too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def at(self, repository: str, address: str, *, now: float) -> list[Stored]:
        """What stands under exactly this address, in the order it came."""
        return self._select(sql.AT, (repository, now, address))

    def under(self, repository: str, prefix: str, *, now: float, limit: int = -1, offset: int = 0) -> list[Stored]:
        """What stands under addresses that begin like this, in the order it came; everything for an empty prefix."""
        page = (limit, offset) if limit >= 0 else (-1, 0)
        if not prefix:
            return self._select(sql.ALL, (repository, now, *page))
        return self._select(sql.UNDER, (repository, now, prefix, _behind(prefix), *page))

    def addresses(self, repository: str, *, now: float) -> list[str]:
        """Every address in use, sorted."""
        return [subject for (subject,) in self._database.rows(sql.ADDRESSES, (repository, now))]

    def expired(self, repository: str, *, now: float) -> list[Stored]:
        """Active entries whose time is over."""
        return self._select(sql.EXPIRED, (repository, now))

    def keep_until(self, entry_ids: Sequence[str], valid_to: Sequence[float]) -> None:
        """Put off when these expire; no audit row, nothing about them changed."""
        self._database.run_many(sql.KEEP_UNTIL, list(zip(valid_to, entry_ids, strict=True)))

    def _select(self, statement: str, values: tuple[Any, ...]) -> list[Stored]:
        return [Stored(row[0], from_row(row[1:])) for row in self._database.rows(statement, values)]


def _behind(prefix: str) -> str:
    """The first text that no longer begins with the prefix."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)
