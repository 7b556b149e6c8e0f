"""Numbered SQL files: the way from an empty file to today's schema. Never edited after a release."""

from __future__ import annotations

import os
import sqlite3

from recollect.errors import StoreDamaged, StoreTooNew
from recollect.model.record import Record
from recollect.store.database import SCHEMA_VERSION, Database

_FOLDER = os.path.dirname(os.path.abspath(__file__))

_CREATE_RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
  number   INTEGER PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied  REAL NOT NULL
)"""


class Migration(Record):
    """One step of the schema."""

    number: int
    name: str
    sql: str
    checksum: str


def available() -> list[Migration]:
    """All migrations of this version, in order."""
    import hashlib

    found = []
    for name in sorted(os.listdir(_FOLDER)):
        if name.endswith(".sql"):
            with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
                sql = file.read()
            found.append(Migration(int(name[:4]), name, sql, hashlib.sha256(sql.encode()).hexdigest()))
    return found


def migrate(database: Database, *, now: float) -> None:
    """Bring the file to this version's schema; each step is committed together with its record."""
    version = database.schema_version()
    if version > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{database.path} has schema {version}, this Recollect knows {SCHEMA_VERSION}: upgrade Recollect. "
            "Nothing was changed."
        )
    if version == SCHEMA_VERSION:
        return
    for migration in available():
        with database.write():
            # Another process may have come first while this one waited for the lock.
            if database.schema_version() >= migration.number:
                continue
            database.run(_CREATE_RECORD)
            for statement in statements(migration.sql):
                database.run(statement)
            database.run(
                "INSERT INTO migrations (number, name, checksum, applied) VALUES (?, ?, ?, ?)",
                (migration.number, migration.name, migration.checksum, now),
            )
            database.run(f"PRAGMA user_version = {migration.number}")


def verify(database: Database) -> None:
    """Raise when a migration that was applied is not the one this version ships."""
    shipped = {migration.number: migration for migration in available()}
    for number, name, checksum in database.rows("SELECT number, name, checksum FROM migrations ORDER BY number"):
        migration = shipped.get(int(str(number)))
        if migration is None or migration.checksum != checksum:
            raise StoreDamaged(f"{database.path}: migration {name} is not the one this version ships; reinstall.")


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
    return found
