"""Statements on the context board."""

from __future__ import annotations

from recollect.model.board import BoardItem
from recollect.store.statements import listed, marks

_ITEM = f"SELECT {listed(BoardItem._fields)} FROM dynamic_context_items"
_HERE = "repository = ? AND branch = ?"

# The items of a board: the user's first, then those that were read most.
ITEMS = f"{_ITEM} WHERE {_HERE} ORDER BY src DESC, read_count DESC, updated DESC, name"
# Every item of every board.
ALL = f"{_ITEM} ORDER BY repository, branch, src, name"
# One item.
ITEM = f"{_ITEM} WHERE {_HERE} AND src = ? AND name = ?"
# How many items a board has.
COUNT = f"SELECT count(*) FROM dynamic_context_items WHERE {_HERE}"
# An item, or what is new about one that is there: how often it was read and shown stays.
SAVE = f"""
INSERT INTO dynamic_context_items ({listed(BoardItem._fields)}) VALUES ({marks(len(BoardItem._fields))})
ON CONFLICT (repository, branch, src, name, tenant) DO UPDATE SET
  description = excluded.description, content = excluded.content, origin = excluded.origin,
  made_by = excluded.made_by, session = excluded.session, updated = excluded.updated"""
# An item was fetched.
NOTE_READ = f"""
UPDATE dynamic_context_items SET read_count = read_count + 1, last_read = ? WHERE {_HERE} AND src = ? AND name = ?"""
# A new session was shown the board.
NOTE_SEEN = f"UPDATE dynamic_context_items SET count = count + 1 WHERE {_HERE}"
# Take an item off.
REMOVE = f"DELETE FROM dynamic_context_items WHERE {_HERE} AND src = ? AND name = ?"
# Take off every board what agents learned in a session.
REMOVE_LEARNED = "DELETE FROM dynamic_context_items WHERE src = 'agent' AND session = ?"
# What remains of it; a person's word is not replaced by an agent's.
KEEP_PRUNED = """
INSERT INTO pruned_context_items (repository, branch, name, pruned_by, content, at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (repository, branch, name, tenant) DO UPDATE SET
  content = excluded.content, at = excluded.at,
  pruned_by = CASE WHEN pruned_context_items.pruned_by = 'user' THEN 'user' ELSE excluded.pruned_by END"""
# What was taken off a board.
PRUNED = f"SELECT name, pruned_by, content, at FROM pruned_context_items WHERE {_HERE}"
# What the user last added, overwrote or took off, on any branch.
LAST_BY_USER = """
SELECT updated AS at, name FROM dynamic_context_items WHERE repository = ? AND made_by = 'user'
UNION ALL SELECT at, name FROM pruned_context_items WHERE repository = ? AND pruned_by = 'user'
 ORDER BY at DESC LIMIT 1"""
# It is on the board again.
DROP_PRUNED = f"DELETE FROM pruned_context_items WHERE {_HERE} AND name = ?"
# Which branch a board was copied from, and when.
COPIED = f"SELECT copied_from, at FROM copied_boards WHERE {_HERE}"
# A board was begun as a copy, or not: this is asked once.
NOTE_COPIED = """
INSERT INTO copied_boards (repository, branch, copied_from, items, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (repository, branch, tenant) DO NOTHING"""
# What was taken off a board stays off its copy.
COPY_PRUNED = """
INSERT INTO pruned_context_items (repository, branch, name, pruned_by, content, at)
SELECT repository, ?, name, pruned_by, content, at FROM pruned_context_items WHERE repository = ? AND branch = ?
ON CONFLICT (repository, branch, name, tenant) DO NOTHING"""
# The branches that have a board.
BRANCHES = "SELECT DISTINCT branch FROM dynamic_context_items WHERE repository = ?"
# An item under the new name of its repository.
MOVE = f"UPDATE dynamic_context_items SET repository = ? WHERE {_HERE} AND src = ? AND name = ?"
# What was taken off, under the new name; what is known there already stays.
MOVE_PRUNED = """
UPDATE pruned_context_items SET repository = ? WHERE repository = ? AND NOT EXISTS (
  SELECT 1 FROM pruned_context_items AS known WHERE known.repository = ?
     AND known.branch = pruned_context_items.branch AND known.name = pruned_context_items.name
     AND known.tenant = pruned_context_items.tenant)"""
# Which boards are copies, under the new name; what is known there already stays.
MOVE_COPIED = """
UPDATE copied_boards SET repository = ? WHERE repository = ? AND NOT EXISTS (
  SELECT 1 FROM copied_boards AS known WHERE known.repository = ? AND known.branch = copied_boards.branch
     AND known.tenant = copied_boards.tenant)"""
