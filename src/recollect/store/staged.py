"""Staged writes wait for a person and expire; announcements are what a person is told once, when a session starts."""

from __future__ import annotations

import json

from recollect.errors import Ambiguous, NotFound
from recollect.model.permissions import Staged
from recollect.model.record import Record
from recollect.store.rows import find_named, holding, storable, unreadable
from recollect.store.statements import staged as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

_PAYLOAD = Staged._fields.index("payload")


class Announcement(Record):
    """One line for a person, told once."""

    announcement_id: int
    repository: str  # empty: wherever the person is
    text: str
    created: float


class StagedWrites:
    """What agents wanted to change and may not change alone."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, staged: Staged) -> str:
        """Let it wait; the id of what waits already, when it is the same. Needs an open write()."""
        values = list(staged)
        values[_PAYLOAD] = json.dumps(staged.payload, ensure_ascii=False, sort_keys=True)
        same = storable((staged.action, staged.target_id, staged.what, staged.repository))
        rows = self._database.rows(sql.SAME, same)
        if rows:
            return str(rows[0][0])
        self._database.run(sql.ADD, storable(values))
        return staged.staged_id

    def waiting(self, *, now: float) -> list[Staged]:
        """What waits and has not expired, oldest first."""
        return self._select(sql.WAITING, (now,))

    def count(self, *, now: float, repository: str | None = None) -> int:
        """How much waits, in one repository and the user's scope where one is named."""
        counted = sql.COUNT if repository is None else sql.COUNT_IN
        values = (now,) if repository is None else (now, repository)
        return int(self._database.rows(counted, values)[0][0])

    def get(self, staged_id: str) -> Staged:
        """The staged write with this id, or a unique beginning or end of one."""
        found = find_named(self._select, sql.BY_PREFIX, sql.BY_END, staged_id)
        if not found:
            raise NotFound(f"Nothing is waiting under the id {staged_id!r}; `recollect pending` shows what is waiting.")
        if len(found) > 1:
            raise Ambiguous(f"More than one thing matches {staged_id!r}; give more characters.")
        return found[0]

    def was_wanted(self, action: str, target_id: str, client: str) -> bool:
        """Did this client ever want this, whatever became of it?"""
        return bool(self._database.rows(sql.WANTED, storable((action, target_id, client))))

    def was_offered(self, what: str, repository: str, *, or_stored: bool = True) -> bool:
        """Was this ever to be stored in a repository or everywhere, whatever became of it? Without `or_stored`,
        unless it was stored then."""
        wanted = sql.OFFERED if or_stored else sql.NOT_STORED
        return bool(self._database.rows(wanted, storable((what, repository))))

    def settle(self, staged_id: str, status: str) -> None:
        """A person accepted or rejected it."""
        self._database.run(sql.SETTLE, (status, staged_id))

    def settle_same(self, action: str, what: str, repository: str, *, target_id: str = "") -> None:
        """The same was done in another way, in a repository or, if it is empty, everywhere: nobody needs to decide it
        any more."""
        self._database.run(sql.SETTLE_SAME, storable((action, what, target_id, repository, repository)))

    def settle_target(self, action: str, target_id: str) -> None:
        """What waits for this target was overtaken by something newer."""
        self._database.run(sql.SETTLE_TARGET, (action, target_id))

    def erase(self, entry_id: str, content: str) -> None:
        """Remove what says what an erased entry said, or would have changed it."""
        said = holding(json.dumps(content, ensure_ascii=False)[1:-1])
        self._database.run(sql.ERASE, (entry_id, content, f'%"{entry_id}"%', said))

    def expired(self, *, now: float) -> list[Staged]:
        """What has waited too long and is still marked as waiting."""
        return self._select(sql.EXPIRED, (now,))

    def _select(self, statement: str, values: Sequence[object]) -> list[Staged]:
        return [_staged(row) for row in self._database.rows(statement, values)]


class Announcements:
    """What a person is told once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, text: str, *, repository: str, now: float) -> None:
        """Tell this at the next session start: in one repository, or anywhere when none is named."""
        self._database.run(sql.ADD_ANNOUNCEMENT, storable((repository, text, now)))

    def open(self, repository: str) -> list[Announcement]:
        """What was not told yet here, oldest first."""
        rows = self._database.rows(sql.OPEN_ANNOUNCEMENTS, (repository,))
        return [Announcement._make(row) for row in rows]

    def mark(self, announcement_ids: Sequence[int], *, now: float) -> None:
        """They have been told."""
        self._database.run_many(sql.MARK_ANNOUNCEMENT, [(now, one) for one in announcement_ids])

    def erase(self, text: str) -> None:
        """Remove what quotes this text."""
        self._database.run(sql.ERASE_ANNOUNCEMENTS, (holding(text),))

    def prune(self, *, before: float) -> None:
        """Drop what was told long ago, and what nobody came to hear."""
        self._database.run(sql.PRUNE_ANNOUNCEMENTS, (before,))


def _staged(row: Sequence[Any]) -> Staged:
    values = list(row)
    try:
        values[_PAYLOAD] = json.loads(values[_PAYLOAD])
    except ValueError as error:
        raise unreadable(f"staged write {row[0]}") from error
    return Staged._make(values)
