"""A lock file between processes; the system releases it when its holder dies."""

from __future__ import annotations

import os
import time

from recollect.errors import StoreBusy, StoreError

try:
    import fcntl
except ImportError:  # Windows: SQLite's own busy handler is the only queue there
    fcntl = None  # type: ignore[assignment]

_SHORTEST_SECONDS = 0.0005
_LONGEST_SECONDS = 0.02


class FileLock:
    """Held by one process at a time; threads of one process each open the file for themselves."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptors: list[int] = []

    def acquire(self, wait_seconds: float) -> None:
        """Take the lock, or raise StoreBusy when it is not free in time."""
        if fcntl is None:
            return
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be opened ({error.strerror}); check its folder.") from error
        deadline = time.monotonic() + wait_seconds
        pause = _SHORTEST_SECONDS
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._descriptors.append(descriptor)
                return
            except OSError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    raise StoreBusy() from None
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_SECONDS)

    def release(self) -> None:
        """Give the lock back."""
        if self._descriptors:
            os.close(self._descriptors.pop())
