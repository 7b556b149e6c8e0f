"""Statements on candidates."""

from __future__ import annotations

from recollect.store.statements import ends_with

_COLUMNS = "candidate_id, kind, draft, what, why, came_from, proof, confidence, created, expires, status"

# The candidate that says this already.
SAME = "SELECT candidate_id FROM candidates WHERE kind = ? AND statement_key = ? AND repository = ?"
# More proof for a candidate that had less.
ADD_PROOF = "UPDATE candidates SET proof = ? WHERE candidate_id = ? AND proof < ?"
# A new candidate.
ADD = f"INSERT INTO candidates ({_COLUMNS}, statement_key, repository) VALUES ({', '.join('?' * 13)})"
# What a candidate says now, and how sure it is.
REPLACE = "UPDATE candidates SET draft = ?, what = ?, why = ?, proof = ?, confidence = ? WHERE candidate_id = ?"
# Drop all but the surest of those that wait.
PRUNE = """
DELETE FROM candidates WHERE status = 'waiting' AND candidate_id NOT IN (
  SELECT candidate_id FROM candidates WHERE status = 'waiting'
  ORDER BY confidence DESC, proof DESC, created DESC LIMIT ?)"""
# Is a candidate there?
HAS = "SELECT 1 FROM candidates WHERE candidate_id = ?"
# What waits, surest first.
WAITING = f"""
SELECT {_COLUMNS} FROM candidates WHERE status = 'waiting' ORDER BY confidence DESC, proof DESC, created"""
# How many wait.
COUNT = "SELECT count(*) FROM candidates WHERE status = 'waiting'"
# The first two candidates whose id lies between two texts.
BY_PREFIX = f"""
SELECT {_COLUMNS} FROM candidates WHERE candidate_id >= ? AND candidate_id < ? ORDER BY candidate_id LIMIT 2"""
# The same by the end of an id.
BY_END = f"SELECT {_COLUMNS} FROM candidates WHERE {ends_with('candidate_id', 'candidates')} LIMIT 2"
# What became of a candidate.
SETTLE = "UPDATE candidates SET status = ? WHERE candidate_id = ?"
# Let go of what has waited too long.
EXPIRE = "UPDATE candidates SET status = 'expired' WHERE status = 'waiting' AND expires < ?"
