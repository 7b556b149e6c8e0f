"""Rolling safety copies: one whole database file a copy, made while everybody goes on reading and writing."""

from __future__ import annotations

import os
import sqlite3
import time
from urllib.parse import quote

from recollect.errors import Refused, StoreError
from recollect.locks import Lock
from recollect.store.database import LOCK_SUFFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store

KEEP = 3
LARGEST_BYTES = 200_000_000
PREFIX, SUFFIX = "recollect-", ".db"
DAMAGED = "recollect-damaged-"
_UNFINISHED = ".unfinished"
UNFINISHED_SECONDS = 3_600.0
_WAIT_SECONDS = 2.0
_LOCK_SECONDS = 10.0
_FRESH = 1_000_000
_CLOCK_SECONDS = 60.0  # what a copy's time may be ahead of the clock


def backup(
    store: Store, folder: str, *, now: float, keep: int = KEEP, largest_bytes: int | None = LARGEST_BYTES
) -> str:
    """Copy the database into the folder and drop all but the newest copies; returns the copy's path.

    Empty when nothing changed since the last one, or when the database is too large to be copied unasked."""
    path = store.database.path
    too_large = largest_bytes is not None and _size(path) > largest_bytes
    if too_large or not _changed(path, folder, time.time()):
        return ""
    target = os.path.join(folder, f"{PREFIX}{stamp(now)}{SUFFIX}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _drop_unfinished(folder)
        _copy(path, target + _UNFINISHED)
        os.replace(target + _UNFINISHED, target)
        # A copy from the future was made while the clock was wrong: it is not the newest, whatever it is called.
        for old in sorted(copies(folder), key=lambda path: (path <= target, path), reverse=True)[keep:]:
            os.unlink(old)
    except sqlite3.Error as error:
        raise store.database.failure(error) from error
    except OSError as error:
        raise StoreError(f"{target} could not be written: {error.strerror or error}.") from error
    finally:
        _remove(target + _UNFINISHED)
    return target


def put_back(store: Store, copy: str, folder: str, *, now: float) -> None:
    """Put a copy in the place of what the database holds, after a copy of that was made. Refused for a copy of another
    version. Readers see the one or the other, whole."""
    path = store.database.path
    source = sqlite3.connect(f"file:{quote(copy)}?mode=ro", uri=True)
    try:
        if source.execute("PRAGMA user_version").fetchone()[0] != store.database.schema_version():
            raise Refused("That copy was made by another version of Recollect; nothing was changed.")
        backup(store, folder, now=now, keep=KEEP + 1, largest_bytes=None)
        with Lock(path + LOCK_SUFFIX, _LOCK_SECONDS):
            target = sqlite3.connect(path, timeout=_WAIT_SECONDS)
            try:
                source.backup(target)
            finally:
                target.close()
    except sqlite3.Error as error:
        raise store.database.failure(error) from error
    finally:
        source.close()
    with store.write():
        store.index.changed(_FRESH)  # what somebody holds of the index in memory is not of this one


def renew(store: Store, folder: str, *, now: float) -> str:
    """Drop every copy and make a new one: what was erased must not live on in a copy."""
    for old in copies(folder):
        _remove(old)
    _drop_unfinished(folder, older_seconds=0.0)
    return backup(store, folder, now=now)


def damaged_copies(folder: str) -> list[str]:
    """What was kept of databases that were damaged, newest first."""
    try:
        found = sorted((name for name in os.listdir(folder) if name.startswith(DAMAGED)), reverse=True)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in found]


def copies(folder: str) -> list[str]:
    """The copies in a folder, newest first."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [name for name in names if name.startswith(PREFIX) and name.endswith(SUFFIX) and name[10:11].isdigit()]
    return [os.path.join(folder, name) for name in sorted(found, reverse=True)]


def stamp(now: float) -> str:
    """A time as part of a file name; names sort by it."""
    return time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))


def _copy(path: str, target: str) -> None:
    _remove(target)
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    # Connections of its own: the thread's may be inside a transaction.
    source = sqlite3.connect(path, timeout=_WAIT_SECONDS)
    copy = sqlite3.connect(target)
    try:
        copy.execute("PRAGMA synchronous = FULL")
        # In one step: with a log beside the file a reader keeps nobody waiting, and in small steps every write by
        # another process would start the copy over.
        source.backup(copy)
    finally:
        copy.close()
        source.close()


def _drop_unfinished(folder: str, *, older_seconds: float = UNFINISHED_SECONDS) -> None:
    """Remove what a process that was killed left half-way; a copy that is being made is younger."""
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if name.endswith(_UNFINISHED) and _time(path) < time.time() - older_seconds:
            _remove(path)


def _changed(path: str, folder: str, now: float) -> bool:
    made = max((_time(copy) for copy in copies(folder) if _time(copy) <= now + _CLOCK_SECONDS), default=0.0)
    return max(_time(path), _time(path + "-wal")) > made


def _time(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
