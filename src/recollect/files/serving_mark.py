"""Whether `recollect serve` does the work of a home: a lock that its process holds, however that process ends."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import FileError, StoreBusy
from recollect.locks import Lock, lock

if TYPE_CHECKING:
    from recollect.files.home import Home

NAME = "serving.lock"


class ServingMark:
    """Held by the worker inside a server; another server of the same home may hold it already."""

    def __init__(self, home: Home) -> None:
        self._path = os.path.join(home.root, NAME)
        self._lock: Lock | None = None

    def take(self) -> None:
        """Take it unless it is taken. Without it the work goes on; only `status` does not tell."""
        if self._lock is not None:
            return
        wanted = lock(self._path, wait_seconds=0.0)
        try:
            wanted.__enter__()
        except (StoreBusy, FileError):
            return
        self._lock = wanted

    def release(self) -> None:
        """Give it back."""
        held, self._lock = self._lock, None
        if held is not None:
            held.__exit__()


def is_serving(home: Home) -> bool:
    """Does a server work for this home now?"""
    path = os.path.join(home.root, NAME)
    if not os.path.exists(path):
        return False
    try:
        with lock(path, wait_seconds=0.0):
            return False
    except StoreBusy:
        return True
    except FileError:
        return False
