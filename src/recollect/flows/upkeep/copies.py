"""Safety copies of the database: listed, made now, and put back in the place of everything."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import NotFound
from recollect.model.record import Record
from recollect.store.backups import backup, copies, put_back

if TYPE_CHECKING:
    from recollect.flows.opened import Opened


class SafetyCopy(Record):
    """One copy of the whole database."""

    name: str
    made: float
    size_bytes: int


class Copies:
    """The safety copies of this home."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._folder = memory.home.backups

    def listed(self) -> list[SafetyCopy]:
        """Every copy, newest first."""
        found = []
        for path in copies(self._folder):
            state = os.stat(path)
            found.append(SafetyCopy(os.path.basename(path), state.st_mtime, state.st_size))
        return found

    def make(self) -> str:
        """Copy the database now; empty when nothing changed since the last copy."""
        return backup(self._memory.store, self._folder, now=self._memory.now, largest_bytes=None)

    def restore(self, name: str) -> None:
        """Put a copy in the place of everything, after a copy of how it is now."""
        path = next((one for one in copies(self._folder) if os.path.basename(one) == name), "")
        if not path:
            raise NotFound(f"There is no safety copy {name!r}.")
        put_back(self._memory.store, path, self._folder, now=self._memory.now)
