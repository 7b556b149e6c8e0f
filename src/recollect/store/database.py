"""The SQLite file: connections, snapshots, write transactions, and errors said in one sentence."""

from __future__ import annotations

import os
import time
from _thread import _local

from recollect.errors import RecollectError, Stopped, StoreDamaged, StoreError
from recollect.locks import Lock
from recollect.store.failures import damaged, require_known, translate

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Self
else:
    import _sqlite3 as sqlite3  # the same without converters of dates, which a hook would load and nobody uses

WAIT_SECONDS = 30.0
BUSY = 5  # SQLite's code for a file that another connection holds
# The number of the newest file in migrations/; kept here so that a hook need not list the folder.
SCHEMA_VERSION = 19
# A log that a bulk load made long is cut back to this when it next starts over.
LOG_BYTES = 8_000_000
# Pages that a process keeps for its next search: with SQLite's own 2 MB a large store reads most of them again.
CACHE_KIB = 16_000
LOCK_SUFFIX = ".lock"
STOP_STEPS = 1_000  # of SQLite's machine, between two looks whether to stop: some 10 microseconds
# Lies beside a database that was once made: when that is gone or empty, the user hears of it.
CREATED_SUFFIX = ".created"
# Lies beside a file that a statement found damaged: the next open looks closer.
SUSPECTED_SUFFIX = ".damaged"

_ERRORS = (sqlite3.Error, UnicodeError, OverflowError)
_inherited: list[sqlite3.Connection] = []


class ThreadConnection:
    """What one thread of one process holds: its connection and where it stands in a transaction."""

    __slots__ = ("connection", "depth", "doomed", "durable", "file", "pid", "reading", "stop")

    def __init__(self, connection: sqlite3.Connection, file: tuple[int, int] | None) -> None:
        self.connection = connection
        self.file = file
        self.pid = os.getpid()
        self.depth = 0
        self.reading = 0
        self.doomed = False
        self.durable: bool | None = True  # as _open() leaves it
        self.stop: Callable[[], bool] | None = None


class Database:
    """One SQLite file. Reads never wait; writes queue on a file lock, then run in BEGIN IMMEDIATE.

    Every thread has its own connection, and so has every process: after a fork the child opens a new one."""

    def __init__(self, path: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = os.path.abspath(path)
        self.wait_seconds = wait_seconds
        self._thread = _local()

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, opened when it is first needed."""
        return self.own_connection().connection

    def own_connection(self) -> ThreadConnection:
        """What this thread holds; a connection inherited through a fork is left alone."""
        own: ThreadConnection | None = getattr(self._thread, "own", None)
        if own is not None and own.pid == os.getpid():
            return own
        if own is not None:
            _never_close(own.connection)
        opened: ThreadConnection = self._open()
        self._thread.own = opened
        return opened

    def current(self) -> ThreadConnection:
        """What this thread holds, on the file that has the name now: a recovery may have put another one there."""
        own = self.own_connection()
        if own.depth or own.reading or own.file == _identity(self.path):
            return own
        self.close()
        if not os.path.exists(self.path):
            raise StoreError(f"{self.path} was removed while it was in use; start Recollect again.")
        own = self.own_connection()
        if self.schema_version() != SCHEMA_VERSION:
            raise StoreError(f"{self.path} was replaced while it was in use; start Recollect again.")
        return own

    def _open(self) -> ThreadConnection:
        connection = None
        try:
            _create_private(self.path)
            connection = sqlite3.connect(
                self.path, timeout=self.wait_seconds, isolation_level=None, check_same_thread=False
            )
            # Before anything is written: a file that is not ours to change stays as it is.
            _require_ours(connection, self.path)
            _use_log(connection, self.wait_seconds)
            connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute("PRAGMA synchronous = FULL")
        except _ERRORS as error:
            _close(connection)
            raise self.failure(error) from error
        except BaseException:
            _close(connection)
            raise
        return ThreadConnection(connection, _identity(self.path))

    def rows(self, sql: str, values: Any = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        try:
            return self.own_connection().connection.execute(sql, values).fetchall()
        except _ERRORS as error:
            raise self.failure(error) from error

    def run(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        """Run one statement inside a write()."""
        return self._attempt(sqlite3.Connection.execute, sql, values)

    def run_many(self, sql: str, rows: Any) -> None:
        """Run one statement for many rows, inside a write()."""
        self._attempt(sqlite3.Connection.executemany, sql, rows)

    def _attempt(self, how: Callable[..., sqlite3.Cursor], sql: str, values: Any) -> sqlite3.Cursor:
        own = self._writing()
        try:
            return how(own.connection, sql, values)
        except _ERRORS as error:
            own.doomed = True
            raise self.failure(error) from error

    def _writing(self) -> ThreadConnection:
        own = self.own_connection()
        # An error may have ended the transaction: what came after it would be committed statement by statement.
        if not own.depth or own.doomed:
            why = "an earlier statement failed" if own.doomed else "no write() is open"
            raise StoreError(f"{self.path}: nothing can be written here, {why}.")
        return own

    def failure(self, error: Exception) -> RecollectError:
        """The error translated; damage is noted beside the file, so that the next open looks closer."""
        translated = translate(error, self.path)
        if isinstance(translated, StoreDamaged):
            self.suspect()
        return translated

    def suspect(self) -> None:
        """Note that the file is damaged."""
        touch(self.path + SUSPECTED_SUFFIX)

    def read(self) -> Read:
        """One snapshot for all reads inside; inside a write() or another read() it joins that."""
        return Read(self)

    def write(self, *, durable: bool = True, wait_seconds: float | None = None) -> Write:
        """A write transaction; inside another one it joins that. Durable ones survive a power cut.

        All or nothing: an error inside takes everything back, also when somebody in between catches it."""
        return Write(self, durable=durable, wait_seconds=self.wait_seconds if wait_seconds is None else wait_seconds)

    def wait_at_most(self, seconds: float) -> None:
        """From now on, the longest wait for other writers."""
        self.wait_seconds = seconds
        self.close()  # a connection keeps the wait it was opened with

    def stop_when(self, asked: Callable[[], bool] | None) -> None:
        """From now on this thread's statements end with Stopped, and nothing is committed, once `asked` says so."""
        own = self.own_connection()
        own.stop = asked
        own.connection.set_progress_handler(asked, STOP_STEPS if asked else 0)

    def close(self) -> None:
        """Close this thread's connection; other threads' close when those end."""
        own: ThreadConnection | None = getattr(self._thread, "own", None)
        if own is None:
            return
        if own.pid != os.getpid():
            _never_close(own.connection)
        elif own.depth or own.reading:
            raise StoreError(f"{self.path}: a transaction is open; it has to end before the connection is closed.")
        else:
            own.connection.close()
        self._thread.own = None

    def exists(self) -> bool:
        """Is there anything in the file?"""
        try:
            return os.stat(self.path).st_size > 0
        except OSError:
            return False

    def schema_version(self) -> int:
        """The number of the last migration that was applied."""
        return int(self.rows("PRAGMA user_version")[0][0])


class Read:
    """The context of one snapshot."""

    __slots__ = ("_began", "_database", "_own")

    def __init__(self, database: Database) -> None:
        self._database = database
        self._began = False

    def __enter__(self) -> Self:
        own = self._own = self._database.current()
        if not own.depth and not own.reading:
            try:
                own.connection.execute("BEGIN")
            except sqlite3.Error as error:
                raise self._database.failure(error) from error
            self._began = True
        own.reading += 1
        return self

    def __exit__(self, *_: object) -> None:
        own = self._own
        own.reading -= 1
        if self._began and own.pid == os.getpid() and own.connection.in_transaction:
            own.connection.execute("ROLLBACK")


class Write:
    """The context of one write transaction."""

    __slots__ = ("_database", "_durable", "_lock", "_outermost", "_own", "_wait_seconds")

    def __init__(self, database: Database, *, durable: bool, wait_seconds: float) -> None:
        self._database = database
        self._durable = durable
        self._wait_seconds = wait_seconds
        self._outermost = False
        self._own: ThreadConnection | None = None
        self._lock = Lock(database.path + LOCK_SUFFIX, wait_seconds)

    def __enter__(self) -> sqlite3.Connection:
        own = self._database.own_connection()
        if not own.depth:
            if own.reading:
                raise StoreError(f"{self._database.path}: a write cannot begin inside a read.")
            own = self._begin()
        self._own = own
        own.depth += 1
        return own.connection

    def _begin(self) -> ThreadConnection:
        database = self._database
        try:
            # Writers queue on a file lock: SQLite's own busy handler lets some wait ten times longer than others.
            self._lock.__enter__()
            own = self._own = database.current()
            connection = own.connection
            if own.durable != self._durable:
                own.durable = None  # until it is known
                connection.execute(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
                own.durable = self._durable
            if self._wait_seconds != database.wait_seconds:
                connection.execute(f"PRAGMA busy_timeout = {int(self._wait_seconds * 1000)}")
            connection.execute("BEGIN IMMEDIATE")
            require_known(connection.execute("PRAGMA user_version").fetchone()[0], SCHEMA_VERSION, database.path)
        except _ERRORS as error:
            self._release()
            raise database.failure(error) from error
        except BaseException:
            self._release()
            raise
        self._outermost = True
        own.doomed = False
        return own

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        own, database = self._own, self._database
        if own is None or own.pid != os.getpid():
            return  # a fork took place inside: the transaction and the lock are the parent's
        own.depth -= 1
        own.doomed = own.doomed or kind is not None
        if not self._outermost:
            return
        try:
            if not own.doomed and own.stop and own.stop():
                raise Stopped
            if not own.doomed:
                own.connection.execute("COMMIT")
        except sqlite3.Error as failure:
            raise database.failure(failure) from failure
        finally:
            self._release()
        if isinstance(error, _ERRORS):
            raise database.failure(error) from error
        if own.doomed and kind is None:
            raise StoreError(f"{database.path}: a step failed, so nothing of the change was written.")

    def _release(self) -> None:
        """Roll back what is still open and give the lock back, whatever happened before."""
        own = self._own
        try:
            if own is not None:
                if own.connection.in_transaction:
                    own.connection.execute("ROLLBACK")
                if self._wait_seconds != self._database.wait_seconds:
                    own.connection.execute(f"PRAGMA busy_timeout = {int(self._database.wait_seconds * 1000)}")
        except sqlite3.Error:
            self._database.close()
        finally:
            self._lock.__exit__()


def _require_ours(connection: sqlite3.Connection, path: str) -> None:
    """Refuse another program's file and a newer version's; versions that disagree are damage."""
    [(version,)] = connection.execute("PRAGMA user_version").fetchall()
    if version == SCHEMA_VERSION:
        return
    from recollect.store.statements import schema

    tables = {name for (name,) in connection.execute(schema.TABLES)}
    if not tables and not version:
        return
    if "migrations" not in tables:
        if "entries" in tables and "term_counts" in tables:
            raise damaged(path, "its record of migrations is gone")
        raise StoreError(f"{path} is a database of another program; nothing was changed. Move it away to start.")
    [(recorded,)] = connection.execute(schema.LAST_APPLIED).fetchall()
    if recorded != version:
        raise damaged(path, f"its header says schema {version}, its record {recorded}")
    require_known(version, SCHEMA_VERSION, path)


def _use_log(connection: sqlite3.Connection, wait_seconds: float) -> None:
    """Use a write-ahead log. SQLite itself does not wait while another process switches a new file to it."""
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.002)
        else:
            return


def _create_private(path: str) -> None:
    """A new file is its owner's alone. One that is there is not opened: closing it would drop SQLite's locks on it."""
    if not os.path.exists(path):
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError:
            return  # somebody was faster, or SQLite will say what is wrong


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def touch(path: str) -> None:
    """Make an empty file, if that can be done."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        return


def _close(connection: sqlite3.Connection | None) -> None:
    if connection is not None:
        connection.close()


def _never_close(connection: sqlite3.Connection) -> None:
    """Keep the parent's connection open in this child: closing it would touch the log that the parent is using."""
    _inherited.append(connection)
    try:
        import ctypes

        # A list is emptied when the interpreter ends; a reference that nobody counts is not.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
    except (ImportError, AttributeError):
        return
