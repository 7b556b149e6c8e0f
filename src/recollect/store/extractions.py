"""What sessions left for consolidation, and how often artifacts and their blocks were used."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.store.rows import storable
from recollect.store.statements import extractions as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database

# `cleared` can still be brought back; of what is `gone` only the session's id is left, so that it stays gone.
LIVE, CLEARED, GONE = "live", "cleared", "gone"


class Extraction(Record):
    """What one session left, as it is stored."""

    session_id: str
    repository: str
    synopsis: str
    slug: str
    content: str
    ended: float
    made_by: str
    made: float
    uses: int = 0
    last_used: float = 0.0
    status: str = LIVE


class Used(Record):
    """How often something was used, and when last."""

    uses: int
    last_used: float


class Extractions:
    """All of them. Every change needs an open write()."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, one: Extraction) -> None:
        """Keep what a session left, unless it is known from a later state of the session."""
        self._database.run(sql.SAVE, storable(one))

    def remove(self, session_id: str) -> None:
        """The session leaves nothing."""
        self._database.run(sql.REMOVE, (session_id,))

    def of_repository(self, repository: str, status: str = LIVE) -> list[Extraction]:
        """What sessions of a repository left, in a stable order."""
        return [Extraction._make(row) for row in self._database.rows(sql.OF_REPOSITORY, (repository, status))]

    def get(self, session_id: str) -> Extraction | None:
        """What a session left; None when it left nothing."""
        rows = self._database.rows(sql.OF_SESSION, (session_id,))
        return Extraction._make(rows[0]) if rows else None

    def cleared(self) -> set[str]:
        """Sessions that a person cleared: they are not extracted again by themselves."""
        rows = [*self._database.rows(sql.WITH_STATUS, (CLEARED,)), *self._database.rows(sql.WITH_STATUS, (GONE,))]
        return {str(row[0]) for row in rows}

    def cleared_of(self, repository: str) -> list[str]:
        """The sessions of a repository that a person cleared."""
        found = [*self.of_repository(repository, CLEARED), *self.of_repository(repository, GONE)]
        return [one.session_id for one in found]

    def count(self, repository: str) -> tuple[int, float]:
        """How many there are of a repository, and when the last was made."""
        [(number, made)] = self._database.rows(sql.COUNT, (repository,))
        return number, made

    def repositories(self, status: str = LIVE) -> list[str]:
        """The repositories of which there are any."""
        return [str(row[0]) for row in self._database.rows(sql.REPOSITORIES, (status,))]

    def clear(self, repository: str) -> None:
        """Take out everything of a repository, so that it can still be brought back."""
        self.forget_cleared(repository)
        self._database.run(sql.SET_STATUS, (CLEARED, repository, LIVE))

    def bring_back(self, repository: str) -> None:
        """What was cleared last is there again."""
        self._database.run(sql.SET_STATUS, (LIVE, repository, CLEARED))

    def forget_cleared(self, repository: str) -> None:
        """What was cleared can no longer be brought back."""
        self._database.run(sql.EMPTY, (GONE, repository, CLEARED))

    def allow_again(self, repository: str) -> None:
        """Sessions of a repository that were cleared may be extracted again."""
        for status in (CLEARED, GONE):
            self._database.run(sql.FORGET, (repository, status))

    # -- use

    def note_use(self, repository: str, name: str, *, now: float) -> None:
        """An artifact, or a block, was read or cited."""
        self._database.run(sql.USE, (repository, name, now))

    def note_session_use(self, session_id: str, *, now: float) -> None:
        """A block that rests on a session was read or cited."""
        self._database.run(sql.USE_SESSION, (now, session_id))

    def uses(self, repository: str) -> dict[str, Used]:
        """How often artifacts and blocks of a repository were used."""
        rows = self._database.rows(sql.USES, (repository,))
        return {name: Used(uses, last) for name, uses, last in rows}

    def forget_uses(self, repository: str) -> None:
        """Begin counting anew."""
        self._database.run(sql.FORGET_USES, (repository,))
