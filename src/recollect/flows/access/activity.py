"""Activity: who did what, and whether anything happened since somebody last looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.suggestions.mode import current_mode
from recollect.flows.writes.waiting import what_waits
from recollect.model.record import Record
from recollect.suggestions.modes import headlines

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.store.changes import Change
    from recollect.suggestions.modes import Notice

MOST_ENTRIES = 100  # that are named of one change
LAST = 2**62


class ChangeMade(Record):
    """What one call did, and to which entries."""

    change: Change
    entries: tuple[str, ...]


class Seen(Record):
    """What somebody who watches has seen."""

    change: int  # the number of the newest change
    pending: int  # how much waits for a person
    suggestions: int  # and how many changes of customization files
    told: float  # when a person was last told of some of these


class Activity:
    """What happens in this home, whichever process does it."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._store = memory.store
        self._now = memory.now

    def seen(self) -> Seen:
        """How things stand; cheap enough to be asked every second."""
        store = self._store
        waiting = what_waits(store, now=self._now, repository=None)
        return Seen(store.changes.newest(), waiting.approvals, waiting.suggestions, store.suggestions.last_told())

    def notices(self, since: float) -> list[Notice]:
        """What a person was told of suggestions after a moment, as the mode words it."""
        return headlines(self._store.suggestions.told_after(since), current_mode(self._memory))

    def after(self, change_id: int, *, limit: int) -> list[ChangeMade]:
        """Changes behind a number, oldest first."""
        return [self._made(one) for one in self._store.changes.after(change_id, limit=limit)]

    def before(self, change_id: int = 0, *, limit: int) -> list[ChangeMade]:
        """Changes before a number, or the last ones, newest first."""
        return [self._made(one) for one in self._store.changes.before(change_id or LAST, limit=limit)]

    def _made(self, change: Change) -> ChangeMade:
        return ChangeMade(change, tuple(self._store.changes.touched(change.change_id, limit=MOST_ENTRIES)))
