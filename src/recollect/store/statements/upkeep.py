"""Statements that inspect and build the text indexes, and probe a file at open."""

from __future__ import annotations

from recollect.store.rows import SELECTED
from recollect.store.statements import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.store.upkeep import TextIndex

# Every id, in the order the entries came.
IDS = "SELECT entry_id FROM entries ORDER BY entry_row"
# Every row of an entry.
ROWS = "SELECT entry_row FROM entries ORDER BY entry_row"
# Entries between two rows, with what the index holds for them.
BETWEEN = f"SELECT entry_row, analysed, {SELECTED} FROM entries WHERE entry_row BETWEEN ? AND ?"
# What the index is to hold for an entry.
SET_ANALYSED = "UPDATE entries SET analysed = ? WHERE entry_row = ?"
# Every partition.
PARTITIONS = "SELECT partition_id, layer, repository, live FROM partitions"
# Where every entry belongs, and what the index holds for it.
PLACES = "SELECT entry_id, layer, repository, status, analysed FROM entries"
# Make the index of entries one piece.
MERGE_ENTRIES = "INSERT INTO entry_text (entry_text) VALUES ('optimize')"


def peek(tables: Iterable[tuple[str, bool]]) -> str:
    """A little of every table; `True` says that one is a text index."""
    asked = [
        f"(SELECT rowid FROM {name} WHERE {name} MATCH 'a' LIMIT 1)" if virtual else f"(SELECT 1 FROM {name} LIMIT 1)"
        for name, virtual in sorted(tables, key=lambda table: table[1])
    ]
    return f"SELECT {', '.join(asked)}"


def newest(index: TextIndex) -> str:
    """The newest row that an index covers, and its text."""
    columns = " || ' ' || ".join(index.columns)
    return f"SELECT {index.row}, {columns} FROM {index.base} ORDER BY {index.row} DESC LIMIT 1"


def found(index: TextIndex) -> str:
    """Is a term of a row in the index?"""
    return f"SELECT 1 FROM {index.name} WHERE {index.name} MATCH ? AND rowid = ?"


def counted(index: TextIndex) -> str:
    """Are its rows counted?"""
    return f"SELECT 1 FROM {index.counts} WHERE term = ''"


def counts(index: TextIndex) -> str:
    """In how many rows each term occurs."""
    return f"SELECT term, documents FROM {index.counts}"


def base_rows(index: TextIndex) -> str:
    """Every row that an index covers, with its texts."""
    return f"SELECT {index.row}, {listed(index.columns)} FROM {index.base} ORDER BY {index.row}"


def create_vocabulary(index: TextIndex) -> str:
    """A view of what stands in an index."""
    return f"CREATE VIRTUAL TABLE {_vocabulary(index)} USING fts5vocab('main', '{index.name}', 'instance')"


def vocabulary(index: TextIndex) -> str:
    """Every occurrence of every term in an index."""
    return f"SELECT term, doc, col, offset FROM {_vocabulary(index)}"


def drop_vocabulary(index: TextIndex) -> str:
    """The view is no longer needed."""
    return f"DROP TABLE {_vocabulary(index)}"


def clear(index: TextIndex) -> tuple[str, str]:
    """Empty an index and its counts."""
    return f"INSERT INTO {index.name} ({index.name}) VALUES ('delete-all')", f"DELETE FROM {index.counts}"


def fill(index: TextIndex) -> str:
    """Build an index from the rows it covers."""
    columns = listed(index.columns)
    return f"""
INSERT INTO {index.name} (rowid, {columns}) SELECT {index.row}, {columns} FROM {index.base} ORDER BY {index.row}"""


def add_counts(index: TextIndex) -> str:
    """In how many rows a term occurs."""
    return f"INSERT INTO {index.counts} (term, documents) VALUES (?, ?)"


def _vocabulary(index: TextIndex) -> str:
    return f"temp.{index.name}_terms"
