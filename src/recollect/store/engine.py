"""What the SQLite that this Python brings can do."""

from __future__ import annotations

import sqlite3

from recollect.store.statements.schema import CREATE_TEXT_INDEX

OLDEST = (3, 37, 0)


def version() -> str:
    """Its version."""
    return sqlite3.sqlite_version


def is_old() -> bool:
    """Is it older than what the statements here need?"""
    return sqlite3.sqlite_version_info < OLDEST


def has_text_search() -> bool:
    """Was it built with FTS5?"""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(CREATE_TEXT_INDEX)
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True
