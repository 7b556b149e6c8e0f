"""Numbered SQL files: the way from an empty file to today's schema. Never edited after a release.

`whole.sql` is where they lead: a new database is made from it at once, in a fifth of the time. `python -m
recollect.store.migrations` writes it again after a migration was added; a test holds the two together."""

from __future__ import annotations

import os
import re
import sqlite3

from recollect.errors import StoreError
from recollect.model.record import Record
from recollect.store.database import CREATED_SUFFIX, Database, touch
from recollect.store.statements import home_values, schema
from recollect.text.digests import sha256_hex
from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = os.path.dirname(os.path.abspath(__file__))
WHOLE = "whole.sql"
LOST_NOTE = "lost"
_CREATES = lazy(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", re.MULTILINE)
_DROPS = lazy(r"^DROP TABLE (\w+)", re.MULTILINE)


class Migration(Record):
    """One step of the schema."""

    number: int
    name: str
    sql: str
    checksum: str


def available() -> list[Migration]:
    """All migrations of this version, in order."""
    found = []
    for name in sorted(os.listdir(FOLDER)):
        if name.endswith(".sql") and name != WHOLE:
            with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                sql = file.read()
            found.append(Migration(int(name[:4]), name, sql, sha256_hex(sql.encode())))
    return found


def migrate(database: Database, *, now: float, until: int | None = None) -> None:
    """Bring the file to this version's schema, or an earlier one; each step is committed together with its record.

    Where a database was before and there is an empty file now, a note says so until the user was told."""
    steps = [one for one in available() if not until or one.number <= until]
    if not until:
        _make_whole(database, steps, now=now)
    for migration in steps:
        if database.schema_version() >= migration.number:
            continue
        with database.write():
            # Another process may have come first while this one waited for the lock.
            if database.schema_version() >= migration.number:
                continue
            database.run(schema.CREATE_RECORD)
            for statement in statements(migration.sql):
                database.run(statement)
            _record(database, [migration], now)
            if migration.number == 1 and os.path.exists(database.path + CREATED_SUFFIX):
                database.run(schema.FIRST_NOTE, (LOST_NOTE, str(now)))
    touch(database.path + CREATED_SUFFIX)


def _make_whole(database: Database, steps: list[Migration], *, now: float) -> None:
    """Give an empty file all of the schema in one step."""
    if database.schema_version():
        return
    with database.write():
        if database.schema_version():
            return
        for statement in statements(whole()):
            database.run(statement)
        _record(database, steps, now)
        if os.path.exists(database.path + CREATED_SUFFIX):
            database.run(home_values.SET, (LOST_NOTE, str(now)))


def _record(database: Database, steps: list[Migration], now: float) -> None:
    database.run_many(schema.RECORD, [(one.number, one.name, one.checksum, now) for one in steps])
    database.run(f"PRAGMA user_version = {steps[-1].number}")


def whole() -> str:
    """The schema and the rows that all migrations make of an empty file, as statements."""
    with open(os.path.join(FOLDER, WHOLE), encoding="utf-8") as file:
        return file.read()


def verify(database: Database) -> None:
    """Raise when the schema is not the one that this version's migrations make; a record that is merely wrong is
    put right."""
    applied = dict(database.rows(schema.APPLIED))
    shipped = available()
    if applied == {migration.number: migration.checksum for migration in shipped}:
        return
    if schema_of(database.connection) != shipped_schema():
        names = ", ".join(one.name for one in shipped if applied.get(one.number) != one.checksum)
        raise StoreError(
            f"{database.path} was made by another build of Recollect ({names} differs); nothing was changed. "
            "Export it with the build that made it and load the export here."
        )
    with database.write():
        database.run(schema.CLEAR_RECORD)
        database.run_many(schema.RECORD, [(one.number, one.name, one.checksum, 0.0) for one in shipped])


def shipped_schema() -> list[tuple[str, str, str]]:
    """The schema that the migrations of this version make."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for _ in steps_on(connection):
            pass
        return schema_of(connection)
    finally:
        connection.close()


def columns_of_versions() -> list[dict[str, list[str]]]:
    """The tables of every version with their columns; the first of them is version 1."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        return [columns_of(connection) for _ in steps_on(connection)]
    finally:
        connection.close()


def columns_of(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """The tables of a database with their columns."""
    names = [name for (name,) in connection.execute(schema.TABLES)]
    return {name: [row[1] for row in connection.execute(schema.columns(name))] for name in names}


def steps_on(connection: sqlite3.Connection) -> Iterator[Migration]:
    """Every migration, once it was applied to an empty database."""
    connection.execute(schema.CREATE_RECORD)
    for migration in available():
        for statement in statements(migration.sql):
            connection.execute(statement)
        yield migration


def tables_made(version: int) -> set[str]:
    """The tables that a database of this version has."""
    names: set[str] = set()
    for migration in available():
        if migration.number <= version:
            names.update(_CREATES.findall(migration.sql))
            names.difference_update(_DROPS.findall(migration.sql))
    return names


def schema_of(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """(kind, name, statement) of everything in a database, without comments and layout."""
    rows = connection.execute(schema.EVERYTHING)
    return [(kind, name, _plain(sql)) for kind, name, sql in rows]


def _plain(sql: str) -> str:
    return " ".join(" ".join(line.split("--")[0] for line in sql.splitlines()).split())


def statements(sql: str) -> list[str]:
    """The statements of a script, one by one: executescript would commit behind our back."""
    found, current = [], ""
    for line in sql.splitlines(keepends=True):
        if not current and (line.startswith("--") or not line.strip()):
            continue
        current += line
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return [*found, current] if current.strip() else found
