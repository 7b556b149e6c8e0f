"""Statements on votes."""

from __future__ import annotations

# Keep a vote.
ADD = "INSERT INTO votes (entry_id, direction, reason, actor, created) VALUES (?, ?, ?, ?, ?)"
# The votes on an entry whose change was not taken back, oldest first.
OF_ENTRY = """
SELECT direction, reason, actor, created FROM votes AS v WHERE entry_id = ? AND NOT EXISTS (
  SELECT 1 FROM audits AS a JOIN changes AS c USING (change_id)
  WHERE a.entry_id = v.entry_id AND c.created = v.created AND c.action = 'vote ' || v.direction AND c.undone_by <> 0
) ORDER BY created"""
# How many votes there are.
COUNT = "SELECT count(*) FROM votes"
# Forget the votes on an entry.
ERASE = "DELETE FROM votes WHERE entry_id = ?"
