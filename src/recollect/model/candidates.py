"""What waits for a person."""

from __future__ import annotations

from recollect.model.drafts import Draft
from recollect.model.record import Record


class Candidate(Record):
    """Something found that is not stored: not sure enough, or not allowed without a person."""

    candidate_id: str
    kind: str  # preference | correction | fact | command | profile
    draft: Draft
    what: str
    why: str = ""
    came_from: str = ""  # session id, or who wanted it
    proof: int = 1  # how often it was seen
    confidence: float = 0.0
    created: float = 0.0
    expires: float = 0.0
    status: str = "waiting"  # waiting | accepted | rejected | expired
