"""Small facts about this home: when its index was merged, and the like."""

from __future__ import annotations

from recollect.store.rows import LAST_CHARACTER
from recollect.store.statements import home_values as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


def home_value(database: Database, name: str) -> str:
    """A small fact, or an empty text."""
    rows = database.rows(sql.GET, (name,))
    return str(rows[0][0]) if rows else ""


def home_values_under(database: Database, prefix: str) -> dict[str, str]:
    """The small facts whose names begin so, by the rest of the name."""
    rows = database.rows(sql.UNDER, (prefix, prefix + LAST_CHARACTER))
    return {name[len(prefix) :]: str(value) for name, value in rows}


def set_home_value(database: Database, name: str, value: str) -> None:
    """Keep a small fact; needs a write()."""
    database.run(sql.SET, (name, value))


def add_to_home_value(database: Database, name: str, number: int) -> None:
    """Add to a small fact that is a number; needs a write()."""
    database.run(sql.ADD_TO, (name, str(number), number))


def take_home_value(database: Database, name: str) -> bool:
    """Forget a small fact; was it there? Needs a write()."""
    return database.run(sql.DELETE, (name,)).rowcount > 0
