"""Statements on receipts and session_blocks."""

from __future__ import annotations

from recollect.model.receipts import Receipt
from recollect.store.statements import all_of, ends_with, listed, marks

_COLUMNS = listed(Receipt._fields)
_RECEIPT = f"SELECT {_COLUMNS} FROM receipts"

# Store a receipt, once.
ADD = f"INSERT INTO receipts ({_COLUMNS}) VALUES ({marks(len(Receipt._fields))}) ON CONFLICT (receipt_id) DO NOTHING"
# The first two receipts whose id lies between two texts.
BY_PREFIX = f"{_RECEIPT} WHERE receipt_id >= ? AND receipt_id < ? ORDER BY receipt_id LIMIT 2"
# The same by the end of an id.
BY_END = f"{_RECEIPT} WHERE {ends_with('receipt_id', 'receipts')} LIMIT 2"
# The receipts of a session, oldest first.
OF_SESSION = f"{_RECEIPT} WHERE session = ? ORDER BY created"
# The last receipts of a session that gave it something, or are no turns, newest first.
GIVING = (
    f"{_RECEIPT} WHERE session = ? AND (entries <> '[]' OR turn = 0) ORDER BY created DESC, receipt_id DESC LIMIT ?"
)
# The newest receipts in whose entries, given or left out, a pattern occurs; it is bound twice.
NAMING = f"{_RECEIPT} WHERE entries LIKE ? OR left_out LIKE ? ORDER BY created DESC LIMIT ?"
# What receipts say of their entries, where a pattern occurs.
ENTRIES_NAMING = "SELECT receipt_id, entries FROM receipts WHERE entries LIKE ?"
# What a receipt says of its entries, put anew.
SET_ENTRIES = "UPDATE receipts SET entries = ? WHERE receipt_id = ?"
# What was typed in the turns of a session since a time, newest first.
PROMPTS_OF_SESSION = """
SELECT query FROM receipts WHERE session = ? AND turn > 0 AND created >= ?
ORDER BY created DESC, receipt_id DESC LIMIT ?"""
# What was typed in the turns in a repository since a time, newest first.
PROMPTS_OF_REPOSITORY = """
SELECT query FROM receipts WHERE repository = ? AND turn > 0 AND created >= ?
ORDER BY created DESC, receipt_id DESC LIMIT ?"""
# How many receipts there are.
COUNT_ALL = "SELECT count(*) FROM receipts"
# How many receipts a session has.
COUNT = "SELECT count(*) FROM receipts WHERE session = ?"
# The last numbered turn of a session.
LAST_TURN = """
SELECT turn, query, created FROM receipts WHERE session = ? AND turn > 0 ORDER BY turn DESC, created DESC LIMIT 1"""
# Drop receipts from before a time.
PRUNE_OLD = "DELETE FROM receipts WHERE created < ?"
# Drop all but the newest receipts.
PRUNE_MANY = """
DELETE FROM receipts WHERE receipt_id NOT IN (
  SELECT receipt_id FROM receipts ORDER BY created DESC, receipt_id DESC LIMIT ?)"""

# What a session was given at its start.
BLOCK = "SELECT block FROM session_blocks WHERE session = ?"
# Keep what a session was given first.
ADD_BLOCK = """
INSERT INTO session_blocks (session, block, created) VALUES (?, ?, ?) ON CONFLICT (session, tenant) DO NOTHING"""
# Forget what a session was given.
DROP_BLOCK = "DELETE FROM session_blocks WHERE session = ?"
# Drop what sessions were given before a time.
PRUNE_BLOCKS = "DELETE FROM session_blocks WHERE created < ?"


def last(*, session: bool, turn: bool, repository: bool) -> str:
    """The newest receipt of a repository, of sessions between two texts, of a turn: of those that are bound, in this
    order."""
    conditions = ["repository = ?"] if repository else []
    conditions += ["session >= ? AND session < ?"] if session else []
    conditions += ["turn = ?"] if turn else []
    return f"{_RECEIPT} WHERE {all_of(conditions)} ORDER BY created DESC, receipt_id DESC LIMIT 1"
