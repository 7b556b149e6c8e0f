"""Statements on suggestions."""

from __future__ import annotations

from recollect.model.suggestions import Suggestion
from recollect.store.statements import ends_with, marks
from recollect.store.statements import listed as _listed

_COLUMNS = _listed(Suggestion._fields)
_SUGGESTION = f"SELECT {_COLUMNS} FROM suggestions"
_IS_OPEN = "status IN ('pending', 'needs_review')"
# One of the facts that a suggestion was made from is no longer active, or gone.
_LOST_A_FACT = """EXISTS (
    SELECT 1 FROM json_each(CASE WHEN json_valid(fact_ids) THEN fact_ids END) AS f
      LEFT JOIN entries AS e ON e.entry_id = f.value
     WHERE e.status IS NOT 'active')"""
# It was decided, or all of its facts still hold.
_HOLDS = f"NOT ({_IS_OPEN} AND {_LOST_A_FACT})"

# A new suggestion.
ADD = f"INSERT INTO suggestions ({_COLUMNS}) VALUES ({marks(len(Suggestion._fields))})"
# A suggestion as it is now.
SAVE = f"UPDATE suggestions SET ({_COLUMNS}) = ({marks(len(Suggestion._fields))}) WHERE suggestion_id = ?"
# The first two suggestions whose id lies between two texts.
BY_PREFIX = f"{_SUGGESTION} WHERE suggestion_id >= ? AND suggestion_id < ? ORDER BY suggestion_id LIMIT 2"
# The same by the end of an id.
BY_END = f"{_SUGGESTION} WHERE {ends_with('suggestion_id', 'suggestions')} LIMIT 2"
# The suggestions of a status in a repository and the user's own, surest first; none that rests on what was corrected,
# forgotten or erased since.
LISTED = f"""
{_SUGGESTION} WHERE status = ? AND repository IN (?, '') AND {_HOLDS}
 ORDER BY confidence DESC, created, suggestion_id"""
# The suggestions of a status everywhere, surest first.
LISTED_EVERYWHERE = f"{_SUGGESTION} WHERE status = ? AND {_HOLDS} ORDER BY confidence DESC, created, suggestion_id"
# How many are open in a repository and the user's own.
COUNT = f"SELECT count(*) FROM suggestions WHERE {_IS_OPEN} AND repository IN (?, '') AND {_HOLDS}"
# How many are open everywhere.
COUNT_EVERYWHERE = f"SELECT count(*) FROM suggestions WHERE {_IS_OPEN} AND {_HOLDS}"
# The suggestion that is known by a fingerprint.
KNOWN = f"{_SUGGESTION} WHERE repository = ? AND fingerprint = ?"
# A suggestion that lost what it rested on before anybody decided it.
WITHDRAW = f"DELETE FROM suggestions WHERE suggestion_id = ? AND {_IS_OPEN}"
# All that nobody decided and that rest on what was corrected, forgotten or erased since.
WITHDRAW_OUTDATED = f"DELETE FROM suggestions WHERE {_IS_OPEN} AND {_LOST_A_FACT}"
# Which facts suggestions were made from, and what became of these.
DECIDED = "SELECT fact_ids, status, edited FROM suggestions WHERE status IN ('applied', 'dismissed')"
# When a person was last told of one.
LAST_TOLD = "SELECT coalesce(max(told), 0) FROM suggestions"
# Those that wait, and that a person was told of after a moment.
TOLD_AFTER = f"{_SUGGESTION} WHERE told > ? AND {_IS_OPEN} AND {_HOLDS} ORDER BY told, suggestion_id"
# A person was told of it.
TELL = "UPDATE suggestions SET told = ? WHERE suggestion_id = ?"
# Everything that rests on an erased entry or says what it said.
ERASE = "DELETE FROM suggestions WHERE fact_ids LIKE ? ESCAPE '\\' OR fact = ?"
