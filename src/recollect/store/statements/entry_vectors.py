"""Statements on the vectors of entries."""

from __future__ import annotations

_CURRENT = "v.entry_id = e.entry_id AND v.statement_key = e.statement_key"

# Active facts that have no vector yet, or one of what they no longer say, oldest first.
MISSING = f"""
SELECT e.entry_id, e.statement_key, e.content FROM entries AS e LEFT JOIN entry_vectors AS v ON {_CURRENT}
WHERE e.layer = 'L1' AND e.status = 'active' AND v.entry_id IS NULL ORDER BY e.entry_row LIMIT ?"""

# An entry gets its vector, with a version behind all others.
SAVE = """
INSERT INTO entry_vectors (entry_id, statement_key, vector, version)
SELECT ?, ?, ?, coalesce(max(version), 0) + 1 FROM entry_vectors WHERE 1 = 1
ON CONFLICT (entry_id, tenant)
DO UPDATE SET statement_key = excluded.statement_key, vector = excluded.vector, version = excluded.version"""

# Every active fact that has a vector, oldest first.
ALL = f"""
SELECT e.entry_id, e.repository, v.vector FROM entries AS e JOIN entry_vectors AS v ON {_CURRENT}
WHERE e.layer = 'L1' AND e.status = 'active' ORDER BY e.entry_row"""

# An entry that was erased leaves none behind.
ERASE = "DELETE FROM entry_vectors WHERE entry_id = ?"

# How many vectors there are, and the newest version.
STATE = "SELECT count(*), coalesce(max(version), 0) FROM entry_vectors"
