"""Log files of other programs: their state, to see whether anything in them is new."""

from __future__ import annotations

import os
import stat

from recollect.files.git.refs import without_waiting
from recollect.model.record import Record

ENDS_BYTES = 4_096


class FileState(Record):
    """What tells one state of a file from another."""

    inode: int
    size: int
    mtime_ns: int
    head: str
    tail: str


def file_state(path: str) -> FileState | None:
    """The state of a file now; None when it cannot be read. A SQLite file counts with its write-ahead log."""
    import hashlib

    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return None  # a pipe or a device: reading could wait, or go on, for ever
        with open(path, "rb", opener=without_waiting) as file:
            head = file.read(ENDS_BYTES)
            file.seek(max(0, found.st_size - ENDS_BYTES))
            tail = file.read(ENDS_BYTES)
    except OSError:
        return None
    size, mtime_ns = found.st_size, found.st_mtime_ns
    try:
        log = os.stat(path + "-wal")
        size, mtime_ns = size + log.st_size, max(mtime_ns, log.st_mtime_ns)
    except OSError:
        pass
    return FileState(
        found.st_ino, size, mtime_ns, hashlib.sha256(head).hexdigest()[:32], hashlib.sha256(tail).hexdigest()[:32]
    )


def read_head(path: str) -> bytes:
    """The first bytes of a file; nothing when it cannot be read."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            return file.read(ENDS_BYTES)
    except OSError:
        return b""


def below(path: str) -> list[str]:
    """The files of a folder and all below it, in order; a file is its own list. Links are not followed."""
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders.sort()
        found += [os.path.join(folder, name) for name in sorted(names)]
    return found
