"""Statements on the entries that a program keeps under an address."""

from __future__ import annotations

from recollect.store.rows import SELECTED

# As in the index entries_by_address: SQLite uses that only where a query says the same.
_SHELVED = "tags LIKE '%\"shelved%' AND repository = ?"
_LIVE = f"{_SHELVED} AND status = 'active' AND (valid_to = 0 OR valid_to > ?)"
_STORED = f"SELECT entry_row, {SELECTED} FROM entries WHERE"
_PAGE = "ORDER BY entry_row LIMIT ? OFFSET ?"

# What stands under exactly an address of a repository at a time.
AT = f"{_STORED} {_LIVE} AND subject = ? ORDER BY entry_row"
# A page of what stands under any address.
ALL = f"{_STORED} {_LIVE} {_PAGE}"
# A page of what stands under addresses between two texts.
UNDER = f"{_STORED} {_LIVE} AND subject >= ? AND subject < ? {_PAGE}"
# Every address in use.
ADDRESSES = f"SELECT DISTINCT subject FROM entries WHERE {_LIVE} ORDER BY subject"
# Active entries whose time is over.
EXPIRED = f"{_STORED} {_SHELVED} AND status = 'active' AND valid_to > 0 AND valid_to <= ? ORDER BY entry_row"
# Put off when an entry expires.
KEEP_UNTIL = "UPDATE entries SET valid_to = ? WHERE entry_id = ?"
