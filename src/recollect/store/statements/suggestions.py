"""Statements on suggestions."""

from __future__ import annotations

from recollect.model.suggestions import Suggestion
from recollect.store.statements import ends_with, marks
from recollect.store.statements import listed as _listed

_COLUMNS = _listed(Suggestion._fields)
_SUGGESTION = f"SELECT {_COLUMNS} FROM suggestions"

# A new suggestion.
ADD = f"INSERT INTO suggestions ({_COLUMNS}) VALUES ({marks(len(Suggestion._fields))})"
# A suggestion as it is now.
SAVE = f"UPDATE suggestions SET ({_COLUMNS}) = ({marks(len(Suggestion._fields))}) WHERE suggestion_id = ?"
# The first two suggestions whose id lies between two texts.
BY_PREFIX = f"{_SUGGESTION} WHERE suggestion_id >= ? AND suggestion_id < ? ORDER BY suggestion_id LIMIT 2"
# The same by the end of an id.
BY_END = f"{_SUGGESTION} WHERE {ends_with('suggestion_id', 'suggestions')} LIMIT 2"
# The suggestions of a status in a repository and the user's own, surest first.
LISTED = f"""
{_SUGGESTION} WHERE status = ? AND repository IN (?, '') ORDER BY confidence DESC, created, suggestion_id"""
# The suggestions of a status everywhere, surest first.
LISTED_EVERYWHERE = f"{_SUGGESTION} WHERE status = ? ORDER BY confidence DESC, created, suggestion_id"
# How many are open in a repository and the user's own.
COUNT = "SELECT count(*) FROM suggestions WHERE status IN ('pending', 'needs_review') AND repository IN (?, '')"
# How many are open everywhere.
COUNT_EVERYWHERE = "SELECT count(*) FROM suggestions WHERE status IN ('pending', 'needs_review')"
# The suggestion that is known by a fingerprint.
KNOWN = f"{_SUGGESTION} WHERE repository = ? AND fingerprint = ?"
# A suggestion that lost what it rested on before anybody decided it.
WITHDRAW = "DELETE FROM suggestions WHERE suggestion_id = ? AND status IN ('pending', 'needs_review')"
# Which facts suggestions were made from, and what became of these.
DECIDED = "SELECT fact_ids, status, edited FROM suggestions WHERE status IN ('applied', 'dismissed')"
# When a person was last told of one.
LAST_TOLD = "SELECT coalesce(max(told), 0) FROM suggestions"
# Those that wait, and that a person was told of after a moment.
TOLD_AFTER = f"{_SUGGESTION} WHERE told > ? AND status IN ('pending', 'needs_review') ORDER BY told, suggestion_id"
# A person was told of it.
TELL = "UPDATE suggestions SET told = ? WHERE suggestion_id = ?"
# Everything that rests on an erased entry or says what it said.
ERASE = "DELETE FROM suggestions WHERE fact_ids LIKE ? ESCAPE '\\' OR fact = ?"
