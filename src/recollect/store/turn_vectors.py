"""What was typed in each turn as a vector, for who has the extra that makes them."""

from __future__ import annotations

from recollect.store.statements import turn_index as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.turn_search import TurnKey
    from recollect.store.database import Database


class TurnVectors:
    """Turns to vectors; a turn without words has an empty one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self, limit: int) -> list[tuple[TurnKey, str]]:
        """Turns that have no vector yet and what was typed there, oldest first."""
        rows = self._database.rows(sql.WITHOUT_VECTOR, (limit,))
        return [((session_id, record_id), text) for session_id, record_id, text in rows]

    def save(self, vectors: Sequence[tuple[TurnKey, bytes]]) -> None:
        """Keep these."""
        self._database.run_many(sql.SAVE_VECTOR, [(vector, *key) for key, vector in vectors])

    def forget(self, turn_row: int) -> None:
        """The turn has changed: its vector will be made again."""
        self._database.run(sql.FORGET_VECTOR, (turn_row,))

    def state(self) -> tuple[int, int]:
        """How many there are, and a number that changes with the newest."""
        [(count, newest)] = self._database.rows(sql.VECTOR_STATE)
        return count, newest

    def all(self) -> tuple[list[TurnKey], bytes]:
        """Every turn that has a vector, and the vectors one after another."""
        rows = self._database.rows(sql.VECTORS)
        return [(session_id, record_id) for session_id, record_id, _ in rows], b"".join([row[2] for row in rows])
