"""session_store_sql: one SELECT about the past sessions of a repository, read-only, with bounded rows and time.

SQLite itself refuses everything else: the file is opened read-only, an authorizer lets SELECT read three views and call
plain functions, and a handler ends what takes too long."""

from __future__ import annotations

import os
import re
import sqlite3
import time
import urllib.parse
from functools import partial
from typing import TYPE_CHECKING

from recollect.errors import Refused, UsageError
from recollect.model.record import Record
from recollect.store.statements import session_sql as sql
from recollect.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.store.database import Database

MOST_ROWS = 50
LONGEST_CELL = 500
LONGEST_STATEMENT = 2_000
LIMIT_SECONDS = 2.0
LARGEST_VALUE = 1_000_000  # bytes that a value may take inside a statement
STEPS = 10_000
FUNCTIONS = frozenset(
    "abs avg coalesce count date datetime group_concat ifnull iif instr length like lower ltrim max min nullif replace "
    "round rtrim strftime substr substring sum time total trim upper julianday glob".split()
)
_ALLOWED = "Only one SELECT from sessions, turns and checkpoints is allowed."
_BEGINS = re.compile(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)


class Answer(Record):
    """The rows of a question, and whether there were more."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    more: bool


def ask_sessions(database: Database, statement: str, repositories: Sequence[str]) -> Answer:
    """The answer to one SELECT. UsageError for what is not one, Refused for what is not allowed or takes too long."""
    statement = statement.strip().rstrip(";")
    if not _BEGINS.match(statement) or len(statement) > LONGEST_STATEMENT or "\0" in statement:
        raise UsageError(_ALLOWED)
    address = f"file:{urllib.parse.quote(database.path)}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        connection.execute(sql.HERE)
        connection.executemany(sql.ADD_HERE, [(one,) for one in repositories])
        secret = "v" + os.urandom(16).hex()
        for view in sql.views(secret):
            connection.execute(view)
        connection.execute(sql.QUERY_ONLY)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        ends = time.monotonic() + LIMIT_SECONDS
        connection.set_progress_handler(lambda: time.monotonic() > ends, STEPS)
        connection.set_authorizer(partial(_authorize, secret))
        return _answer(connection, statement)
    finally:
        connection.close()


def _answer(connection: sqlite3.Connection, statement: str) -> Answer:
    try:
        cursor = connection.execute(statement)
        rows = cursor.fetchmany(MOST_ROWS + 1)
    except sqlite3.Error as error:
        said = str(error)
        if "interrupted" in said:
            raise Refused(f"That took longer than {LIMIT_SECONDS:g} seconds; ask for less.") from error
        if "prohibited" in said or "not authorized" in said:
            raise Refused(_ALLOWED) from error
        raise UsageError(f"That SELECT cannot be answered: {said[:200]}.") from error
    columns = tuple(str(one[0]) for one in cursor.description or ())
    return Answer(columns, tuple(tuple(map(_cell, row)) for row in rows[:MOST_ROWS]), len(rows) > MOST_ROWS)


def _authorize(
    secret: str, action: int, first: str | None, second: str | None, schema: str | None, view: str | None
) -> int:
    """What one step of a statement may do."""
    if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if (second or "").lower() in FUNCTIONS else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ:
        # Tables are read from inside our secret views alone; a subquery or a CTE has no schema.
        inside = (view or "").startswith(secret)
        own = schema == "temp" and (first in sql.NAMES or (first or "").startswith(secret))
        return sqlite3.SQLITE_OK if inside or own or not schema else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_DENY


def _cell(value: object) -> object:
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, str):
        value = clean(value)
        return value if len(value) <= LONGEST_CELL else value[:LONGEST_CELL] + "…"
    return value
