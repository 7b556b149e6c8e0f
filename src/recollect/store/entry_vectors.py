"""What entries say as vectors, for who has the extra that makes them."""

from __future__ import annotations

from recollect.store.statements import entry_vectors as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database


class EntryVectors:
    """Active facts to vectors. What an entry said before has none: it would answer for what is no longer there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self, limit: int) -> list[tuple[str, str, str]]:
        """Facts that have no vector yet, oldest first: (entry_id, statement_key, what it says)."""
        return [(entry_id, key, text) for entry_id, key, text in self._database.rows(sql.MISSING, (limit,))]

    def save(self, vectors: Sequence[tuple[str, str, bytes]]) -> None:
        """Keep these (entry_id, statement_key, vector)."""
        self._database.run_many(sql.SAVE, vectors)

    def state(self) -> tuple[int, int]:
        """How many there are, and a number that changes with the newest."""
        [(count, newest)] = self._database.rows(sql.STATE)
        return count, newest

    def all(self) -> list[tuple[str, str, bytes]]:
        """Every fact that has a vector, oldest first: (entry_id, repository, vector)."""
        return [(entry_id, repository, vector) for entry_id, repository, vector in self._database.rows(sql.ALL)]
