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


class Pending:
    """What waits for a person."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._candidates = writer.store.candidates

    def waiting(self) -> list[Candidate]:
        """What waits, surest first."""
        return self._candidates.waiting()

    def approve(self, candidate_id: str) -> Outcome:
        """A person accepts it: it is stored, and the person vouches for it."""
        candidate = self._require(candidate_id)
        outcome = write([Add(candidate.draft._replace(source="user"))], self._writer, action="approve")[0]
        self._settle(candidate, "accepted")
        return outcome

    def reject(self, candidate_id: str) -> Candidate:
        """A person rejects it: it is not offered again."""
        candidate = self._require(candidate_id)
        self._settle(candidate, "rejected")
        return candidate

    def _require(self, candidate_id: str) -> Candidate:
        candidate = self._candidates.get(candidate_id)
        if candidate.status != "waiting":
            raise Refused(f"{candidate.candidate_id} was {candidate.status} already.")
        return candidate

    def _settle(self, candidate: Candidate, status: str) -> None:
        with self._writer.store.write():
            self._candidates.settle(candidate.candidate_id, status)
