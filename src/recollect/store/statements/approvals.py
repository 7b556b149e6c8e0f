"""Statements on approvals."""

from __future__ import annotations

from recollect.model.permissions import Approval
from recollect.store.statements import ends_with, listed, marks

_COLUMNS = listed(Approval._fields)

# Keep an approval, once.
ADD = f"""
INSERT INTO approvals ({_COLUMNS}) VALUES ({marks(len(Approval._fields))})
ON CONFLICT (kind, reach, place, tenant) DO NOTHING"""
# Was a kind allowed in a place?
HOLDS = "SELECT 1 FROM approvals WHERE kind = ? AND reach = ? AND place = ?"
# Every approval, newest first.
ALL = f"SELECT {_COLUMNS} FROM approvals ORDER BY created DESC, approval_id DESC"
# Two approvals whose id lies between two texts.
BY_PREFIX = f"SELECT {_COLUMNS} FROM approvals WHERE approval_id >= ? AND approval_id < ? LIMIT 2"
# The same by the end of an id.
BY_END = f"SELECT {_COLUMNS} FROM approvals WHERE {ends_with('approval_id', 'approvals')} LIMIT 2"
# Take an approval back.
REVOKE = "DELETE FROM approvals WHERE approval_id = ?"
# Drop approvals of sessions from before a time.
PRUNE_SESSIONS = "DELETE FROM approvals WHERE reach = 'session' AND created < ?"
