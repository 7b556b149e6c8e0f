"""Statements on conflicts."""

from __future__ import annotations

from recollect.store.statements import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Note that two entries contradict each other, once.
ADD = """
INSERT INTO conflicts (newer_id, older_id, created) VALUES (?, ?, ?) ON CONFLICT (newer_id, older_id) DO NOTHING"""
# The pairs of which both entries are active, in the order they were noted.
OPEN = """
SELECT c.newer_id, c.older_id FROM conflicts AS c
JOIN entries AS n ON n.entry_id = c.newer_id JOIN entries AS o ON o.entry_id = c.older_id
WHERE n.status = 'active' AND o.status = 'active' ORDER BY c.created, n.entry_row, o.entry_row"""
# Every pair.
ALL = "SELECT newer_id, older_id, created FROM conflicts ORDER BY newer_id, older_id"
# Make an entry the newer one of a pair.
TURN_ROUND = (
    "UPDATE OR REPLACE conflicts SET newer_id = older_id, older_id = newer_id WHERE newer_id = ? AND older_id = ?"
)
# Forget the conflicts of an entry, given twice.
ERASE = "DELETE FROM conflicts WHERE newer_id = ? OR older_id = ?"


def against(entry_ids: Sequence[str]) -> str:
    """The open pairs with one of these in them, in the order the entries came; the ids are bound twice."""
    places = marks(len(entry_ids))
    return f"""
SELECT c.newer_id, c.older_id FROM conflicts AS c
CROSS JOIN entries AS n ON n.entry_id = c.newer_id CROSS JOIN entries AS o ON o.entry_id = c.older_id
WHERE (c.newer_id IN ({places}) OR c.older_id IN ({places})) AND n.status = 'active' AND o.status = 'active'
ORDER BY n.entry_row, o.entry_row"""
