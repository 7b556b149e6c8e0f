"""SQLite files of other programs: read-only, also while the program runs, and without a word about broken content.

No cursor stays open between two queries, so that a reader that pauses never holds up the program's own writes.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.hosts.reading import parse_object
from recollect.model.sessions import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from recollect.model.sessions import Event

    Row: TypeAlias = "dict[str, object]"

MAGIC = b"SQLite format 3\x00"
_WAIT_SECONDS = 1.0
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


class Database:
    """One file, opened for reading. Queries give the rows they could read and note what stopped them in `damage`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.damage = ""
        self._connection = _connected(path)

    def rows(self, sql: str, *values: object) -> list[Row]:
        """The rows of a query as dictionaries; fewer, or none, where the file or the schema does not allow it."""
        found: list[Row] = []
        try:
            cursor = self._connection.execute(sql, values)
            names = [column[0] for column in cursor.description or ()]
            found.extend(dict(zip(names, row, strict=True)) for row in cursor)
        except (sqlite3.Error, ValueError) as error:
            # A damaged file may hold names of columns that are no text.
            self.damage = str(error)
        return found

    def columns(self, table: str) -> frozenset[str]:
        """The columns a table has; none when there is no such table."""
        return frozenset(str(row["name"]) for row in self.rows("SELECT name FROM pragma_table_info(?)", table))

    def close(self) -> None:
        self._connection.close()


def read_database(path: str, reader: Callable[[Database], Iterator[Event]]) -> Iterator[Event]:
    """The events a reader finds in a database, and what could not be read of it."""
    try:
        database = Database(path)
    except (sqlite3.Error, OSError, ValueError) as error:
        yield Skipped(path, f"the database cannot be opened: {error}")
        return
    try:
        yield from reader(database)
        if database.damage:
            yield Skipped(path, f"part of the database cannot be read: {database.damage}")
    finally:
        database.close()


def rows_in(path: str, sql: str, *values: object) -> list[Row]:
    """The rows of one query; none when the file cannot be opened or asked so."""
    try:
        database = Database(path)
    except (sqlite3.Error, OSError, ValueError):
        return []
    try:
        return database.rows(sql, *values)
    finally:
        database.close()


def has_columns(path: str, head: bytes, table: str, *names: str) -> bool:
    """Whether this is a SQLite file whose table has these columns."""
    if not head.startswith(MAGIC):
        return False
    found = {str(row["name"]) for row in rows_in(path, "SELECT name FROM pragma_table_info(?)", table)}
    return found.issuperset(names)


def object_in(value: object) -> dict[str, object]:
    """The JSON object in a column, empty when there is none."""
    return (parse_object(value) or {}) if isinstance(value, str | bytes) else {}


def _connected(path: str) -> sqlite3.Connection:
    if not os.path.isfile(path):
        raise sqlite3.OperationalError("there is no such file")
    address = Path(os.path.abspath(path)).as_uri()
    if _is_at_rest(path):
        return _checked(f"{address}?immutable=1")
    try:
        return _checked(f"{address}?mode=ro")
    except sqlite3.OperationalError as error:
        if str(getattr(error, "sqlite_errorname", "")).startswith(_BUSY):
            raise
        # A write-ahead log in a folder that cannot be written to: only the main file can be read then.
        return _checked(f"{address}?immutable=1")


def _is_at_rest(path: str) -> bool:
    """Whether the file would be written through a log that nobody has open: any other way to read it would make one."""
    with open(path, "rb") as stream:
        header = stream.read(20)
    return header[18:20] == b"\x02\x02" and not os.path.exists(f"{path}-wal")


def _checked(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        connection.execute("PRAGMA query_only = 1")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
