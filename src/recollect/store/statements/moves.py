"""Statements that carry over what is kept under a repository's old name."""

from __future__ import annotations

_NAMED = ("tasks", "projects", "sessions", "announcements", "receipts", "extractions")

# Tables in which the new name merely takes the place of the old one.
RENAME = tuple(f"UPDATE {table} SET repository = ? WHERE repository = ?" for table in _NAMED)
# A few turns that still have the old name, as the index holds them.
TURNS = """
SELECT turn_row, user_analysed, assistant_analysed, tools_analysed FROM turns WHERE repository = ? LIMIT ?"""
# A turn under its new name.
MOVE_TURN = "UPDATE turns SET repository = ?, user_analysed = ? WHERE turn_row = ?"
# What waits under the new name already.
KNOWN_CANDIDATES = "SELECT kind, statement_key FROM candidates WHERE repository = ?"
# What waits under the old name.
CANDIDATES = "SELECT candidate_id, kind, statement_key, draft FROM candidates WHERE repository = ?"
# A candidate under its new name.
MOVE_CANDIDATE = "UPDATE candidates SET repository = ?, draft = ? WHERE candidate_id = ?"
# Staged writes under the old name.
STAGED = "SELECT staged_id, payload FROM staged WHERE repository = ?"
# A staged write under its new name.
MOVE_STAGED = "UPDATE staged SET repository = ?, payload = ? WHERE staged_id = ?"
# Suggestions under the old name, unless the same one is known under the new name.
MOVE_SUGGESTIONS = "UPDATE OR IGNORE suggestions SET repository = ? WHERE repository = ?"
