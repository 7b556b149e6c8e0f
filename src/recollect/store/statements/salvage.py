"""Statements that read what is left of a damaged file, and put what was saved in order."""

from __future__ import annotations

from recollect.store.statements import listed, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.salvage import Table

# How many entries there were.
KNOWN_ENTRIES = "SELECT documents FROM term_counts WHERE term = ''"
# How many entries there are.
COUNT_ENTRIES = "SELECT count(*) FROM entries"
# Drop what belongs to entries that are lost.
DROP_ORPHANS = tuple(
    f"DELETE FROM {table} WHERE {column} NOT IN (SELECT entry_id FROM entries)"
    for table, column in (
        ("audits", "entry_id"),
        ("votes", "entry_id"),
        ("conflicts", "newer_id"),
        ("conflicts", "older_id"),
    )
)
# A change, made at a time, for audits whose own is lost.
ADD_LOST_CHANGES = """
INSERT INTO changes (change_id, action, actor, created)
SELECT DISTINCT change_id, 'recovered', 'system', CAST(? AS REAL) FROM audits
WHERE change_id NOT IN (SELECT change_id FROM changes)"""


def rows(table: Table) -> str:
    """Every row of a table after its key, without any index."""
    return f"SELECT {table.key or 0}, {listed(table.columns)} FROM {table.name} NOT INDEXED"


def unsound_rows(table: Table) -> str:
    """How many rows lack a value where the table asks for one."""
    unsound = " OR ".join([f"{name} IS NULL" for name in table.required] or ["0"])
    return f"SELECT count(*) FROM {table.name} NOT INDEXED WHERE {unsound}"


def rows_between(table: Table) -> str:
    """The same between two keys."""
    return f"{rows(table)} WHERE {table.key} BETWEEN ? AND ?"


def last_key(table: Table) -> str:
    """The highest key."""
    return f"SELECT coalesce(max({table.key}), 0) FROM {table.name}"


def keys(table: Table) -> str:
    """Every key, as the table itself has it."""
    return f"SELECT {table.key} FROM {table.name} NOT INDEXED ORDER BY {table.key}"


def indexes(name: str) -> str:
    """The indexes of a table."""
    return f"PRAGMA index_list({name})"


def keys_in_index(name: str, index: str) -> str:
    """Every key, as an index of the table has it."""
    return f"SELECT rowid FROM {name} INDEXED BY {index}"


def add(table: Table) -> str:
    """A row that was saved, unless it is there."""
    return f"INSERT OR IGNORE INTO {table.name} ({listed(table.columns)}) VALUES ({marks(len(table.columns))})"
