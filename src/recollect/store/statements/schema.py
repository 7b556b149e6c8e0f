"""Statements on what a file itself is: its tables and the record of its migrations."""

from __future__ import annotations

# The names of all tables.
TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
# The tables, and whether each is a text index.
KINDS = "SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table'"
# The tables with the statements that made them, in the order of their pages.
MADE = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rootpage"
# Everything that was made, and how.
EVERYTHING = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name"
# The record of migrations.
CREATE_RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
  number   INTEGER PRIMARY KEY,
  name     TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied  REAL NOT NULL
)"""
# Note that a migration was applied.
RECORD = "INSERT INTO migrations (number, name, checksum, applied) VALUES (?, ?, ?, ?)"
# The checksums of what was applied.
APPLIED = "SELECT number, checksum FROM migrations"
# The number of the last migration that was applied.
LAST_APPLIED = "SELECT max(number) FROM migrations"
# Forget what was applied, to note it anew.
CLEAR_RECORD = "DELETE FROM migrations"
# What makes each part of the schema, in the order in which it was made.
IN_ORDER = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
# The text indexes; SQLite makes their other tables by itself.
VIRTUAL_TABLES = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'"
# The tables that hold rows of their own.
OWN_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
# A small fact, in the first version of the table that holds them.
FIRST_NOTE = "INSERT INTO notes (name, value) VALUES (?, ?)"
# What the SQLite of this Python must be able to make.
CREATE_TEXT_INDEX = "CREATE VIRTUAL TABLE probe USING fts5 (text)"


def columns(table: str) -> str:
    """The columns of a table."""
    return f"PRAGMA table_info({table})"


def rows_as_statements(table: str, columns: list[str]) -> str:
    """Each row of a table as the statement that inserts it."""
    quoted = " || ', ' || ".join(f"quote({name})" for name in columns)
    return f"SELECT 'INSERT INTO {table} VALUES (' || {quoted} || ');' FROM {table} ORDER BY 1"
