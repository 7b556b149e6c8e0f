"""What SQLite says went wrong, as one of our errors, in a sentence that says what to do."""

from __future__ import annotations

import os

from recollect.errors import (
    RecollectError,
    Stopped,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreTooNew,
    UsageError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    import _sqlite3 as sqlite3  # as in database.py

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_UNREADABLE = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)
_DAMAGED_TEXTS = ("malformed", "no such table", "no such column", "Could not decode to UTF-8", "vtable constructor")


def translate(error: Exception, path: str) -> RecollectError:
    """The error as one of ours, with what to do about it."""
    if isinstance(error, UnicodeEncodeError):
        return UsageError("The text contains half a character (a lone surrogate), which cannot be stored.")
    if isinstance(error, UnicodeDecodeError):
        return damaged(path, "a text in it is not valid text")
    if isinstance(error, OverflowError):
        return UsageError("That number is too large.")
    # Extended codes carry the primary one in their low byte; errors of Python's own have no code, only a text.
    code = getattr(error, "sqlite_errorcode", 0)
    primary = code & 0xFF
    if primary in _BUSY:
        return StoreBusy()
    if primary == sqlite3.SQLITE_INTERRUPT:
        return Stopped()
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull()
    if primary in _DAMAGED or any(text in str(error) for text in _DAMAGED_TEXTS):
        return damaged(path, str(error))
    if primary in _FORBIDDEN:
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            return StoreError(f"{path} cannot be opened: the folder {folder} is not there.")
        return StoreError(f"{path} cannot be written ({error}); check the permissions of the file and of its folder.")
    if code in _UNREADABLE:
        return StoreError(f"{path} could not be read ({error}); check the disk's health.")
    if primary == sqlite3.SQLITE_IOERR:
        return StoreFull(f"{path} could not be written ({error}); check the disk's free space and health.")
    return StoreError(f"{path}: {error}")


def require_known(version: int, known: int, path: str) -> None:
    """Refuse to use what a newer version made, also when it made it while this program was running."""
    if version > known:
        raise StoreTooNew(
            f"{path} has schema {version}, but this Recollect only knows {known}: upgrade Recollect. "
            "Nothing was changed."
        )


def damaged(path: str, what: str) -> StoreDamaged:
    """The error that says what is broken and how to mend it."""
    return StoreDamaged(f"{path} is damaged ({what}); `recollect status` keeps a copy and saves what can be read.")
