"""Small facts about this home: when it was last tidied, and the like."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


def home_value(database: Database, name: str) -> str:
    """A small fact, or an empty text."""
    rows = database.rows("SELECT value FROM home_values WHERE name = ?", (name,))
    return str(rows[0][0]) if rows else ""


def set_home_value(database: Database, name: str, value: str) -> None:
    """Keep a small fact; needs a write()."""
    database.run(
        "INSERT INTO home_values (name, value) VALUES (?, ?) "
        "ON CONFLICT (name, tenant) DO UPDATE SET value = excluded.value",
        (name, value),
    )
