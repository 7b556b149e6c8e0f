"""Statements on entries and partitions."""

from __future__ import annotations

from recollect.store.rows import COLUMNS, SELECTED
from recollect.store.statements import all_of, ends_with, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

_STORED = f"SELECT entry_row, {SELECTED} FROM entries"
# The order of lists, which is that of the index entries_by_time.
NEWEST_FIRST = "created DESC, entry_row DESC"

# A new entry, with its row, its normalised statement and what the index holds for it.
ADD = f"""
INSERT INTO entries (entry_row, {SELECTED}, statement_key, analysed) VALUES ({", ".join("?" * (len(COLUMNS) + 3))})"""
# What the index holds for an entry. By row and id: the row of an erased entry is given to the next one.
ANALYSED = "SELECT analysed FROM entries WHERE entry_row = ? AND entry_id = ?"
# Remove an entry.
ERASE = "DELETE FROM entries WHERE entry_id = ?"
# What an erased entry had replaced is replaced by nothing.
ERASE_SUCCESSOR = "UPDATE entries SET superseded_by = '' WHERE superseded_by = ?"
# Count that an entry was given to a turn at a time, which is bound twice.
COUNT_USE = """
UPDATE entries SET recall_count = recall_count + 1,
  last_used = CASE WHEN last_used < ? THEN ? ELSE last_used END WHERE entry_id = ?"""
# The first two entries whose id lies between two texts.
BY_PREFIX = f"{_STORED} WHERE entry_id >= ? AND entry_id < ? ORDER BY entry_id LIMIT 2"
# The same by the end of an id.
BY_END = f"{_STORED} WHERE {ends_with('entry_id', 'entries')} LIMIT 2"
# Is there an entry with exactly this id?
HAS = "SELECT 1 FROM entries WHERE entry_id = ?"
# Entries with this normalised statement.
SAYING = f"{_STORED} WHERE statement_key = ? ORDER BY entry_row"
# A page of the active entries of a repository that cite something, newest first, before a row.
CITED = f"""
{_STORED} WHERE repository = ? AND status = 'active' AND citations <> '' AND entry_row < ?
ORDER BY entry_row DESC LIMIT ?"""
# What an entry replaced.
REPLACED = f"{_STORED} WHERE superseded_by = ? AND status <> 'active' ORDER BY entry_row"
# Active L1 entries that the system wrote and nothing touched since a time, which is bound three times.
UNUSED = f"""
{_STORED} WHERE layer = 'L1' AND status = 'active' AND source = 'system' AND origin <> 'typed' AND citations = ''
AND created < ? AND updated < ? AND last_used < ? ORDER BY entry_row"""
# Of the newest active L1 entries that hold everywhere those that a person said, valid at a time, most used first.
STANDING = f"""
{_STORED} WHERE entry_row IN (
  SELECT entry_row FROM entries WHERE layer = 'L1' AND status = 'active' AND repository = ''
  ORDER BY entry_row DESC LIMIT ?)
AND (origin = 'typed' OR source = 'user') AND origin NOT IN ('tool', 'document') AND (valid_to = 0 OR valid_to > ?)
ORDER BY recall_count DESC, entry_row DESC LIMIT ?"""
# All entries, whatever became of them.
COUNT_ALL = "SELECT count(*) FROM entries"
# How many active entries of the profile and of knowledge there are in a place.
COUNT_IN = "SELECT count(*) FROM entries WHERE repository = ? AND status = 'active' AND layer <> 'L2'"
# Active entries by layer.
COUNTS = "SELECT layer, count(*) FROM entries WHERE status = 'active' GROUP BY layer"
# A partition, when it is the first entry there.
ADD_PARTITION = """
INSERT INTO partitions (layer, repository, live) VALUES (?, ?, ?)
ON CONFLICT (layer, repository, live, tenant) DO NOTHING"""
# The number of a partition.
PARTITION = "SELECT partition_id FROM partitions WHERE layer = ? AND repository = ? AND live = ?"


def update(columns: Iterable[str]) -> str:
    """New values for these columns of an entry, its statement and what the index holds, by row."""
    assignments = ", ".join(f"{name} = ?" for name in columns)
    return f"UPDATE entries SET {assignments}, statement_key = ?, analysed = ? WHERE entry_row = ?"


def by_ids(places: str) -> str:
    """Entries by id, for so many question marks."""
    return f"{_STORED} WHERE entry_id IN ({places})"


def known_statements(statement_keys: Sequence[str]) -> str:
    """Which of these statements are said, and where."""
    return f"SELECT statement_key, layer, repository FROM entries WHERE statement_key IN ({marks(len(statement_keys))})"


def listed(where: Mapping[str, Any], *, limit: int, newest_first: bool, before: str = "") -> tuple[str, list[Any]]:
    """Entries whose columns have these values, of a list any, after the one with this id in the list; with what is to
    be bound. The newest are first by the date that people are shown; else they are in the order they came in."""
    conditions: list[str] = []
    values: list[Any] = []
    if before:
        conditions.append("(created, entry_row) < (SELECT created, entry_row FROM entries WHERE entry_id = ?)")
        values.append(before)
    for name, value in where.items():
        if isinstance(value, (list, tuple)):
            conditions.append(f"{name} IN ({marks(len(value))})" if value else "1 = 0")
            values += value
        else:
            conditions.append(f"{name} = ?")
            values.append(value)
    order = NEWEST_FIRST if newest_first else "entry_row"
    return f"{_STORED} WHERE {all_of(conditions)} ORDER BY {order} LIMIT ?", [*values, limit]


def newest_typed(repositories: Sequence[str]) -> str:
    """Active L1 entries behind a row that the user typed in these repositories, valid at a time, newest first."""
    return f"""
{_STORED} WHERE entry_row > ? AND layer = 'L1' AND status = 'active' AND origin = 'typed'
AND repository IN ({marks(len(repositories))}) AND (valid_to = 0 OR valid_to > ?) ORDER BY entry_row DESC LIMIT ?"""


def active(entry_ids: Sequence[str]) -> str:
    """Those of these entries that are active."""
    return f"{_STORED} WHERE status = 'active' AND entry_id IN ({marks(len(entry_ids))}) ORDER BY entry_row"
