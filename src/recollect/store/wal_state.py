"""How long the log was when it was last written to: SQLite takes one that was cut off for a short one.

SQLite keeps that beside the log, in memory that all processes share (`-shm`), and makes it anew when the first process
opens the file. So it is read before and after that."""

from __future__ import annotations

import os
import sys
import time

from recollect.model.record import Record
from recollect.store.database import SUSPECTED_SUFFIX

# In the file that notes damage: the log was shorter than it had been; then the name of its copy.
CUT_MARK = "log"
_VERSION = 3007000
_COPY_BYTES = 48  # the header stands there twice; while they differ, somebody is writing it
_BYTES = 2 * _COPY_BYTES + 4

_handles: dict[str, tuple[int, int]] = {}  # by path: inode and open file


class WalState(Record):
    """What the shared memory says of the log."""

    change: int  # counts transactions; begins anew when the log had to be read anew
    frames: int
    backfilled: int  # of these, so many are in the database too
    salts: bytes  # tell one log from the next in the same file
    file: int = 0  # which file the shared memory is


def wal_state(path: str) -> WalState | None:
    """What the shared memory of a database says now; None when there is none, or none to be trusted."""
    try:
        file, data = _read(path + "-shm")
    except OSError:
        return None
    if len(data) < _BYTES or data[:_COPY_BYTES] != data[_COPY_BYTES : 2 * _COPY_BYTES] or not data[12]:
        return None
    version, change, frames, backfilled = (int.from_bytes(data[at : at + 4], sys.byteorder) for at in (0, 8, 16, 96))
    return WalState(change, frames, backfilled, data[32:40], file) if version == _VERSION else None


def is_cut(before: WalState | None, after: WalState | None) -> bool:
    """Was the log shorter when it was opened than when it was last written to?"""
    if before is None or after is None or before.frames <= before.backfilled:
        return False  # nothing is known, or all of it was in the database
    if after.file != before.file:
        return False  # meanwhile the last process closed it, which brings the log home and takes both files away
    if after.salts == before.salts:
        return after.frames < before.frames
    return after.change < before.change or (after.change == before.change and not after.frames)


def suspect_cut_wal(path: str, copy: str = "") -> None:
    """Note beside the database that its log was shorter than it had been, and where its copy is."""
    try:
        with open(path + SUSPECTED_SUFFIX, "w", encoding="utf-8", opener=_private) as file:
            file.write(f"{CUT_MARK}\n{copy}")
    except OSError:
        return


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read(path: str) -> tuple[int, bytes]:
    if not hasattr(os, "pread"):
        return 0, b""
    found = os.stat(path)
    # What was there before the machine started last was perhaps never written to the disk as it stood in memory.
    if found.st_mtime < time.time() - _seconds_since_start():
        return 0, b""
    inode, handle = _handles.get(path, (-1, -1))
    if inode != found.st_ino:
        _close_removed()
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0))
        _handles[path] = found.st_ino, handle
    return found.st_ino, os.pread(handle, _BYTES, 0)


def _close_removed() -> None:
    """Close what SQLite has removed. Any other stays open: closing lets go of SQLite's own locks in this process."""
    for path, (_, handle) in list(_handles.items()):
        if not os.fstat(handle).st_nlink and _handles.pop(path, (0, 0))[1]:
            os.close(handle)


def _seconds_since_start() -> float:
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.clock_gettime(clock) if clock is not None else time.monotonic()
