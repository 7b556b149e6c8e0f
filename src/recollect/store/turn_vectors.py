"""What was typed in each turn as a vector, for who has the extra that makes them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database


class TurnVectors:
    """Turns to vectors; a turn without words has an empty one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def missing(self, limit: int) -> list[tuple[int, str]]:
        """(turn_row, what was typed) of turns that have no vector yet, oldest first."""
        rows = self._database.rows(
            "SELECT t.turn_row, t.user_text FROM turns AS t LEFT JOIN turn_vectors AS v USING (turn_row) "
            "WHERE v.turn_row IS NULL ORDER BY t.turn_row LIMIT ?",
            (limit,),
        )
        return [(row, text) for row, text in rows]

    def save(self, rows: Sequence[tuple[int, bytes]]) -> None:
        """Keep these."""
        self._database.run_many(
            "INSERT INTO turn_vectors (turn_row, vector) VALUES (?, ?) "
            "ON CONFLICT (turn_row) DO UPDATE SET vector = excluded.vector",
            rows,
        )

    def forget(self, turn_row: int) -> None:
        """The turn has changed: its vector will be made again."""
        self._database.run("DELETE FROM turn_vectors WHERE turn_row = ?", (turn_row,))

    def state(self) -> tuple[int, int]:
        """How many there are and the highest row: both change when vectors are added."""
        [(count, highest)] = self._database.rows("SELECT count(*), coalesce(max(turn_row), 0) FROM turn_vectors")
        return count, highest

    def all(self) -> tuple[list[int], bytes]:
        """Every row that has a vector, and the vectors one after another."""
        rows = self._database.rows("SELECT turn_row, vector FROM turn_vectors WHERE vector <> x'' ORDER BY turn_row")
        return [row for row, _ in rows], b"".join([data for _, data in rows])
