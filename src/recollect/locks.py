"""A lock between processes, held by an open file: the system releases it when the process ends, however it ends."""

from __future__ import annotations

import errno
import os
import sys
import time

from recollect.errors import FileError, StoreBusy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

SHORTEST_SECONDS = 0.001
LONGEST_SECONDS = 0.005
PATIENCE_SECONDS = 0.25
TAKEN = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})
UNSUPPORTED = frozenset({errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK})


def lock(path: str, *, wait_seconds: float) -> Lock:
    """`with lock(path, wait_seconds=0.05):` only one process at a time. Raises StoreBusy when the wait is over."""
    return Lock(path, wait_seconds)


def wait_for(handle: int, wait_seconds: float) -> bool:
    """Lock an open file, or say after the wait that another process still has it. Closing it gives the lock back."""
    began = time.monotonic()
    pause = SHORTEST_SECONDS
    while not try_lock(handle):
        waited = time.monotonic() - began
        if waited >= wait_seconds:
            return False
        # Jitter without `random`: waiters that started together must not stay in step.
        spread = 0.5 + (time.monotonic_ns() ^ os.getpid() * 7919) % 1024 / 1024
        time.sleep(min(pause * spread, wait_seconds - waited))
        # Whoever has waited long knocks more often, or the newly come would overtake it again and again.
        pause = min(pause * 2, LONGEST_SECONDS) if waited < PATIENCE_SECONDS else SHORTEST_SECONDS
    return True


class Lock:
    """Taken on entry, given back on exit; not reentrant. Where the file system has no locks, it does nothing."""

    def __init__(self, path: str, wait_seconds: float) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._handle = -1
        self._pid = 0

    def __enter__(self) -> Self:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._handle = os.open(self._path, flags, 0o600)
        except OSError as error:
            raise FileError(f"The lock {self._path} could not be opened: {error.strerror}.") from error
        try:
            if not wait_for(self._handle, self._wait_seconds):
                raise StoreBusy
        except BaseException:
            self._close()
            raise
        self._pid = os.getpid()
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            # A child that was forked meanwhile holds the same open file: closing ours alone would not give it back.
            if self._pid == os.getpid():
                unlock(handle)
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: int) -> bool:
        # Far behind any content: there the lock keeps nobody from reading.
        os.lseek(handle, 2**30, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return error.errno not in TAKEN
        return True

    def unlock(handle: int) -> None:
        """Nothing to do: the handle is not shared."""

else:
    try:
        import fcntl
    except ImportError:  # a Python for a system without it

        def try_lock(handle: int) -> bool:
            return True

        def unlock(handle: int) -> None:
            """There was no lock."""

    else:

        def try_lock(handle: int) -> bool:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in TAKEN:
                    return False
                if error.errno in UNSUPPORTED:
                    return True
                raise FileError(f"The lock could not be taken: {error.strerror}.") from error
            return True

        def unlock(handle: int) -> None:
            try:
                fcntl.flock(handle, fcntl.LOCK_UN)
            except OSError:
                return  # closing it does the rest
