"""What is asked of the text index over turns, of its counts and of the vectors."""

from __future__ import annotations

from recollect.store.statements import marks

# A turn's analysed texts go into the index.
ADD = "INSERT INTO turn_text (rowid, user_analysed, assistant_analysed, tools_analysed) VALUES (?, ?, ?, ?)"

# And out of it: a contentless index forgets a row only when it is told exactly what stood there.
REMOVE = """
INSERT INTO turn_text (turn_text, rowid, user_analysed, assistant_analysed, tools_analysed)
VALUES ('delete', ?, ?, ?, ?)"""

# A term occurs in so many more turns, or fewer.
COUNT = """
INSERT INTO turn_term_counts (term, documents) VALUES (?, ?)
ON CONFLICT (term, tenant) DO UPDATE SET documents = turn_term_counts.documents + excluded.documents"""

# A term that is in no turn any more is not counted.
FORGET_TERM = "DELETE FROM turn_term_counts WHERE term = ? AND documents <= 0"

# How many sessions there are.
SESSION_COUNT = "SELECT count(*) FROM sessions"

# The highest row there is.
NEWEST_ROW = "SELECT coalesce(max(turn_row), 0) FROM turns"

# The rows that match, from one row on, best first; a word that was typed counts like three.
MATCHING = """
SELECT rowid FROM turn_text WHERE turn_text MATCH ? AND rowid >= ? ORDER BY bm25(turn_text, 3.0, 1.0, 1.0) LIMIT ?"""

# Turns that have no vector yet, with what was typed, oldest first.
WITHOUT_VECTOR = """
SELECT t.session_id, t.record_id, t.user_text
FROM turns AS t LEFT JOIN turn_vectors AS v USING (turn_row)
WHERE v.turn_row IS NULL ORDER BY t.turn_row LIMIT ?"""

# A turn gets its vector.
SAVE_VECTOR = """
INSERT INTO turn_vectors (turn_row, vector)
SELECT t.turn_row, ? FROM turns AS t WHERE t.session_id = ? AND t.record_id = ?
ON CONFLICT (turn_row) DO UPDATE SET vector = excluded.vector"""

# A turn that has changed has none any more.
FORGET_VECTOR = "DELETE FROM turn_vectors WHERE turn_row = ?"

# How many vectors there are, and the highest row: both change when some are added.
VECTOR_STATE = "SELECT count(*), coalesce(max(turn_row), 0) FROM turn_vectors"

# Every vector, oldest turn first; a turn without words has an empty one.
VECTORS = """
SELECT t.session_id, t.record_id, v.vector
FROM turn_vectors AS v CROSS JOIN turns AS t USING (turn_row)
WHERE v.vector <> x'' ORDER BY v.turn_row"""

_ANALYSED = """
t.session_id, t.record_id, t.number, t.at, t.repository, t.user_analysed, t.assistant_analysed, t.tools_analysed,
t.turn_row"""


def frequencies(count: int) -> str:
    """In how many turns each of so many terms occurs."""
    return f"SELECT term, documents FROM turn_term_counts WHERE term IN ({marks(count)})"


def keys(count: int) -> str:
    """Session and record of so many turns, by row."""
    return f"SELECT turn_row, session_id, record_id FROM turns WHERE turn_row IN ({marks(count)})"


def analysed(count: int) -> str:
    """So many turns as the index has them, by row, oldest first."""
    return f"SELECT {_ANALYSED} FROM turns AS t WHERE t.turn_row IN ({marks(count)}) ORDER BY t.turn_row"


def analysed_by_key(count: int) -> str:
    """So many turns as the index has them, by session and record, oldest first."""
    return (
        f"WITH wanted (session_id, record_id) AS (VALUES {_pairs(count)}) SELECT {_ANALYSED} FROM wanted "
        "CROSS JOIN turns AS t USING (session_id, record_id) "
        "ORDER BY t.turn_row"
    )


def analysed_by_number(count: int) -> str:
    """The turns at so many places, session and number, as the index has them, in the order of the places."""
    return (
        f"WITH wanted (session_id, number) AS (VALUES {_pairs(count)}) SELECT {_ANALYSED} FROM wanted "
        "CROSS JOIN turns AS t USING (session_id, number)"
    )


def shown(count: int) -> str:
    """What was typed and what was said in so many turns, by session and record."""
    return (
        f"WITH wanted (session_id, record_id) AS (VALUES {_pairs(count)}) "
        "SELECT t.session_id, t.record_id, t.user_text, t.assistant_text FROM wanted "
        "CROSS JOIN turns AS t USING (session_id, record_id)"
    )


def session_lengths(count: int) -> str:
    """How many turns each of so many sessions has, oldest session first."""
    return (
        "SELECT s.session_id, count(*) FROM sessions AS s JOIN turns AS t USING (session_id) "
        f"WHERE s.session_id IN ({marks(count)}) GROUP BY s.session_row ORDER BY s.session_row"
    )


def _pairs(count: int) -> str:
    return ",".join(["(?,?)"] * count)
