"""Statements on staged and announcements."""

from __future__ import annotations

from recollect.model.permissions import Staged
from recollect.store.statements import ends_with, listed, marks

_COLUMNS = listed(Staged._fields)
_STAGED = f"SELECT {_COLUMNS} FROM staged"
_COUNT = "SELECT count(*) FROM staged WHERE status = 'waiting' AND expires >= ?"

# The same write, when it waits already.
SAME = """
SELECT staged_id FROM staged
WHERE status = 'waiting' AND action = ? AND target_id = ? AND what = ? AND repository = ?"""
# What a client ever wanted with a target.
WANTED = "SELECT 1 FROM staged WHERE action = ? AND target_id = ? AND client = ? LIMIT 1"
# Was this ever to be stored here or everywhere, whatever became of it?
OFFERED = "SELECT 1 FROM staged WHERE action = 'store' AND what = ? AND repository IN ('', ?) LIMIT 1"
# The same, unless it was stored then.
NOT_STORED = """
SELECT 1 FROM staged
WHERE action = 'store' AND what = ? AND repository IN ('', ?) AND status != 'accepted' LIMIT 1"""
# Let a write wait.
ADD = f"INSERT INTO staged ({_COLUMNS}) VALUES ({marks(len(Staged._fields))})"
# What waits and has not expired, oldest first.
WAITING = f"{_STAGED} WHERE status = 'waiting' AND expires >= ? ORDER BY created, staged_id"
# How much waits and has not expired.
COUNT = _COUNT
# The same in a repository and the user's scope.
COUNT_IN = f"{_COUNT} AND repository IN ('', ?)"
# The first two staged writes whose id lies between two texts.
BY_PREFIX = f"{_STAGED} WHERE staged_id >= ? AND staged_id < ? ORDER BY staged_id LIMIT 2"
# The same by the end of an id.
BY_END = f"{_STAGED} WHERE {ends_with('staged_id', 'staged')} LIMIT 2"
# What a person decided.
SETTLE = "UPDATE staged SET status = ? WHERE staged_id = ?"
# The same was done in another way: in a repository, or everywhere.
SETTLE_SAME = """
UPDATE staged SET status = 'accepted'
WHERE status = 'waiting' AND action = ? AND what = ? AND target_id = ? AND (? = '' OR repository IN ('', ?))"""
# What was wanted of one target has been overtaken.
SETTLE_TARGET = "UPDATE staged SET status = 'replaced' WHERE status = 'waiting' AND action = ? AND target_id = ?"
# Remove what names an entry, or says what it said.
ERASE = r"DELETE FROM staged WHERE target_id = ? OR what = ? OR payload LIKE ? OR payload LIKE ? ESCAPE '\'"
# What has waited too long, oldest first.
EXPIRED = f"{_STAGED} WHERE status = 'waiting' AND expires < ? ORDER BY created, staged_id"

# Tell this once.
ADD_ANNOUNCEMENT = "INSERT INTO announcements (repository, text, created) VALUES (?, ?, ?)"
# What was not told yet in a repository or anywhere.
OPEN_ANNOUNCEMENTS = """
SELECT announcement_id, repository, text, created FROM announcements
WHERE announced = 0 AND repository IN ('', ?) ORDER BY announcement_id"""
# When something was told.
MARK_ANNOUNCEMENT = "UPDATE announcements SET announced = ? WHERE announcement_id = ?"
# Remove what quotes a text.
ERASE_ANNOUNCEMENTS = r"DELETE FROM announcements WHERE text LIKE ? ESCAPE '\'"
# Drop what is from before a time.
PRUNE_ANNOUNCEMENTS = "DELETE FROM announcements WHERE created < ?"
