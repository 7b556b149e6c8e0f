"""Statements on checkpoints."""

from __future__ import annotations

from recollect.store.statements import listed, marks

# The columns of a checkpoint, in the order of its values.
COLUMNS = (
    "session_id", "number", "host", "repository", "title", "summary", "created", "tokens_before", "tokens_after",
    "in_effect",
)  # fmt: skip
_CHECKPOINTS = f"SELECT {listed(COLUMNS)} FROM checkpoints"

# Forget the checkpoints of a session.
CLEAR = "DELETE FROM checkpoints WHERE session_id = ?"
# Add one.
ADD = f"INSERT INTO checkpoints ({listed(COLUMNS)}) VALUES ({marks(len(COLUMNS))})"
# The summaries that stand in the turns of a host's session.
ADD_FROM_TURNS = """
INSERT INTO checkpoints (session_id, number, host, repository, summary, created)
SELECT t.session_id, row_number() OVER (ORDER BY t.number, t.turn_row, j.key), s.host,
  t.repository, j.value, CASE WHEN t.ended > 0 THEN t.ended ELSE t.at END
FROM turns AS t JOIN sessions AS s USING (session_id), json_each(t.compactions) AS j
WHERE t.session_id = ? AND json_valid(t.compactions) AND s.host <> ?"""
# Those of a session, in order.
OF_SESSION = f"{_CHECKPOINTS} WHERE session_id = ? ORDER BY number"
# How many there are, how many tokens they freed, and how many are of hosts' own sessions.
COUNTS = """
SELECT count(*), coalesce(sum(tokens_before - tokens_after), 0), count(CASE WHEN host <> ? THEN 1 END)
  FROM checkpoints"""


def newest(*, repository: bool) -> str:
    """The newest that are in effect, of a repository where one is bound."""
    where = " AND repository = ?" if repository else ""
    return f"{_CHECKPOINTS} WHERE in_effect{where} ORDER BY created DESC, number DESC LIMIT ?"
