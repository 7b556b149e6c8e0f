"""Pending: what waits for a person is accepted, rejected, or expires."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.write import write
from recollect.model.drafts import Add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.write import Writer
    from recollect.model.candidates import Candidate
    from recollect.model.drafts import Outcome


def approve(candidate: Candidate, writer: Writer) -> Outcome:
    """A person accepts it: it is stored, and the person vouches for it."""
    _require_waiting(candidate)
    outcome = write([Add(candidate.draft._replace(source="user"))], writer, action="approve")[0]
    with writer.store.write():
        writer.store.candidates.settle(candidate.candidate_id, "accepted")
    return outcome


def reject(candidate: Candidate, writer: Writer) -> Candidate:
    """A person rejects it: it is not offered again."""
    _require_waiting(candidate)
    with writer.store.write():
        writer.store.candidates.settle(candidate.candidate_id, "rejected")
    return candidate._replace(status="rejected")


def _require_waiting(candidate: Candidate) -> None:
    if candidate.status != "waiting":
        raise Refused(f"{candidate.candidate_id} was {candidate.status} already.")
