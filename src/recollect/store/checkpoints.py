"""Checkpoints of every session, ours and hosts', in one table: whoever needs the latest asks here."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.store.rows import storable
from recollect.store.statements import checkpoints as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database

OWN = "recollect"  # the host of our own sessions, which keep their checkpoints themselves


class StoredCheckpoint(Record):
    """The summary that took the place of older messages, and where."""

    session_id: str
    number: int
    host: str
    repository: str
    title: str
    summary: str
    created: float
    tokens_before: int = 0
    tokens_after: int = 0
    in_effect: int = 1


class Checkpoints:
    """All checkpoints."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, session_id: str, checkpoints: Sequence[StoredCheckpoint]) -> None:
        """Let these be the checkpoints of a session. Needs an open write()."""
        self._database.run(sql.CLEAR, (session_id,))
        self._database.run_many(sql.ADD, [storable(one) for one in checkpoints])

    def take_from_turns(self, session_id: str) -> None:
        """Let the summaries in its turns be the checkpoints of a host's session. Needs an open write()."""
        self._database.run(sql.CLEAR, (session_id,))
        self._database.run(sql.ADD_FROM_TURNS, (session_id, OWN))

    def of_session(self, session_id: str) -> list[StoredCheckpoint]:
        """The checkpoints of a session, in order."""
        return [StoredCheckpoint._make(row) for row in self._database.rows(sql.OF_SESSION, (session_id,))]

    def newest(self, *, repository: str | None = None, limit: int = 1) -> list[StoredCheckpoint]:
        """The newest checkpoints that are in effect, of a repository or of all."""
        statement = sql.newest(repository=repository is not None)
        values = (limit,) if repository is None else (repository, limit)
        return [StoredCheckpoint._make(row) for row in self._database.rows(statement, values)]

    def counts(self) -> tuple[int, int, int]:
        """How many there are, how many tokens they freed, and how many are of hosts' own sessions."""
        [(number, freed, by_hosts)] = self._database.rows(sql.COUNTS, (OWN,))
        return number, freed, by_hosts
