"""Candidates: at most so many wait at a time, the same one is not offered twice, and none waits for ever."""

from __future__ import annotations

import json

from recollect.errors import Ambiguous, NotFound
from recollect.model.candidates import Candidate
from recollect.model.drafts import Draft
from recollect.store.rows import LAST_CHARACTER, load_citations, storable, unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

_COLUMNS = "candidate_id, kind, draft, what, why, came_from, proof, confidence, created, expires, status"


class Candidates:
    """What waits for a person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def offer(self, candidate: Candidate, statement_key: str, *, most_waiting: int) -> bool:
        """Let it wait, unless it was offered before; of too many the least sure one gives way. True when it waits."""
        place = (candidate.kind, statement_key, candidate.draft.repository)
        known = self._database.rows(
            "SELECT candidate_id FROM candidates WHERE kind = ? AND statement_key = ? AND repository = ?", place
        )
        if known:
            self._database.run(
                "UPDATE candidates SET proof = ? WHERE candidate_id = ? AND proof < ?",
                (candidate.proof, known[0][0], candidate.proof),
            )
            return False
        self._database.run(
            f"INSERT INTO candidates ({_COLUMNS}, statement_key, repository) VALUES ({', '.join('?' * 13)})",
            (*_row(candidate), statement_key, candidate.draft.repository),
        )
        self._database.run(
            "DELETE FROM candidates WHERE status = 'waiting' AND candidate_id NOT IN (SELECT candidate_id FROM "
            "candidates WHERE status = 'waiting' ORDER BY confidence DESC, proof DESC, created DESC LIMIT ?)",
            (most_waiting,),
        )
        return bool(self._database.rows("SELECT 1 FROM candidates WHERE candidate_id = ?", (candidate.candidate_id,)))

    def waiting(self) -> list[Candidate]:
        """What waits, surest first."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM candidates WHERE status = 'waiting' ORDER BY confidence DESC, proof DESC, created"
        )
        return [_candidate(row) for row in rows]

    def count(self) -> int:
        """How many wait."""
        return int(self._database.rows("SELECT count(*) FROM candidates WHERE status = 'waiting'")[0][0])

    def get(self, candidate_id: str) -> Candidate:
        """The candidate with this id, or unique prefix of one."""
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM candidates WHERE candidate_id >= ? AND candidate_id < ? "
            "ORDER BY candidate_id LIMIT 2",
            (candidate_id, candidate_id + LAST_CHARACTER),
        )
        if not rows or not candidate_id:
            raise NotFound(f"Nothing waits under the id {candidate_id!r}; `recollect pending` shows what does.")
        if len(rows) > 1:
            raise Ambiguous(f"More than one thing starts with {candidate_id!r}; give more characters.")
        return _candidate(rows[0])

    def settle(self, candidate_id: str, status: str) -> None:
        """A person accepted or rejected it."""
        self._database.run("UPDATE candidates SET status = ? WHERE candidate_id = ?", (status, candidate_id))

    def expire(self, *, now: float) -> int:
        """Let go of what has waited too long; returns how many."""
        return self._database.run(
            "UPDATE candidates SET status = 'expired' WHERE status = 'waiting' AND expires < ?", (now,)
        ).rowcount


def _row(candidate: Candidate) -> tuple[Any, ...]:
    draft = candidate.draft._asdict()
    draft["citations"] = [citation.filled() for citation in candidate.draft.citations]
    values: list[Any] = list(candidate)
    values[2] = json.dumps(draft, ensure_ascii=False)
    return storable(values)


def _candidate(row: Sequence[Any]) -> Candidate:
    try:
        fields = json.loads(row[2])
    except ValueError as error:
        raise unreadable(f"candidate {row[0]}") from error
    fields["citations"] = load_citations(json.dumps(fields["citations"]) if fields["citations"] else "")
    fields["aliases"], fields["tags"] = tuple(fields["aliases"]), tuple(fields["tags"])
    return Candidate._make((*row[:2], Draft(**fields), *row[3:]))
