"""The SQLite file: connections, write transactions, migrations, and errors said in one sentence."""

from __future__ import annotations

import os
import sqlite3
from _thread import _local

from recollect.errors import StoreBusy, StoreDamaged, StoreError, StoreFull
from recollect.locks import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

WAIT_SECONDS = 30.0
# The number of the newest file in migrations/; kept here so that a hook need not list the folder.
SCHEMA_VERSION = 1

_FULL = sqlite3.SQLITE_FULL
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def translate(error: sqlite3.Error, path: str) -> StoreError:
    """The error as one of ours, with what to do about it."""
    # Extended codes carry the primary one in their low byte. Old errors have no code, only a text.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _BUSY:
        return StoreBusy()
    if code == _FULL:
        return StoreFull()
    if code in _DAMAGED or "malformed" in str(error):
        return StoreDamaged(f"{path} is damaged ({error}); run `recollect doctor` to see what was kept.")
    if code == sqlite3.SQLITE_READONLY or code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} cannot be written ({error}); check its permissions and its folder's.")
    if code == sqlite3.SQLITE_IOERR:
        return StoreFull(f"{path} could not be written ({error}); check the disk's free space and health.")
    return StoreError(f"{path}: {error}")


class Database:
    """One SQLite file. Reads never wait; writes queue on a file lock, then run in BEGIN IMMEDIATE."""

    def __init__(self, path: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = path
        self.wait_seconds = wait_seconds
        self._thread = _local()

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, opened when it is first needed."""
        connection: sqlite3.Connection | None = getattr(self._thread, "connection", None)
        if connection is None:
            connection = self._thread.connection = self._connect()
            self._thread.depth = 0
        return connection

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                self.path, timeout=self.wait_seconds, isolation_level=None, check_same_thread=False
            )
            # The timeout comes first: every other statement here may need a lock.
            connection.execute(f"PRAGMA busy_timeout = {int(self.wait_seconds * 1000)}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as error:
            raise translate(error, self.path) from error
        return connection

    def rows(self, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        try:
            return self.connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def run(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        """Run one statement; a change needs an open write()."""
        try:
            return self.connection.execute(sql, values)
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def run_many(self, sql: str, rows: Any) -> None:
        """Run one statement for many rows."""
        try:
            self.connection.executemany(sql, rows)
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def write(self, *, durable: bool = True, wait_seconds: float | None = None) -> Write:
        """A write transaction; inside another one it joins that. Durable ones survive a power cut."""
        return Write(self, durable=durable, wait_seconds=self.wait_seconds if wait_seconds is None else wait_seconds)

    def scrub(self) -> None:
        """After an erasure: rewrite the index and the file, so that nothing of it is left in free pages or the log."""
        with self.write():
            self.run("INSERT INTO entry_text (entry_text) VALUES ('optimize')")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        self.run("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close this thread's connection."""
        connection = getattr(self._thread, "connection", None)
        if connection is not None:
            connection.close()
            self._thread.connection = None

    def exists(self) -> bool:
        """Is there anything in the file?"""
        try:
            return os.stat(self.path).st_size > 0
        except OSError:
            return False

    def schema_version(self) -> int:
        """The number of the last migration that was applied."""
        return int(self.rows("PRAGMA user_version")[0][0])


class Write:
    """The context of one write transaction."""

    __slots__ = ("_database", "_durable", "_lock")

    def __init__(self, database: Database, *, durable: bool, wait_seconds: float) -> None:
        self._database = database
        self._durable = durable
        self._lock = Lock(database.path + ".lock", wait_seconds)

    def __enter__(self) -> sqlite3.Connection:
        database = self._database
        connection = database.connection
        if database._thread.depth == 0:
            # Writers queue on a file lock: SQLite's own busy handler lets some wait ten times longer than others.
            self._lock.__enter__()
            try:
                connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                self._lock.__exit__()
                raise translate(error, database.path) from error
        database._thread.depth += 1
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        database = self._database
        database._thread.depth -= 1
        if database._thread.depth:
            return
        try:
            database.connection.execute("ROLLBACK" if kind else "COMMIT")
        except sqlite3.Error as failure:
            if database.connection.in_transaction:
                database.connection.execute("ROLLBACK")
            if kind is None:
                raise translate(failure, database.path) from failure
        finally:
            self._lock.__exit__()
        if isinstance(error, sqlite3.Error):
            raise translate(error, database.path) from error
