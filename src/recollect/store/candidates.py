"""Candidates: at most so many wait at a time, the same one is not offered twice, and none waits for ever."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.candidates import Candidate
from recollect.model.drafts import Draft
from recollect.store.rows import find_named, load_citations, storable, unreadable
from recollect.store.statements import candidates as sql
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database


class Candidates:
    """What waits for a person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def offer(self, candidate: Candidate, statement_key: str, *, most_waiting: int) -> bool:
        """Let it wait, unless it was offered before; of too many the least sure one gives way. True when it waits."""
        place = (candidate.kind, statement_key, candidate.draft.repository)
        known = self._database.rows(sql.SAME, place)
        if known:
            self._database.run(sql.ADD_PROOF, (candidate.proof, known[0][0], candidate.proof))
            return False
        self._database.run(sql.ADD, (*_row(candidate), statement_key, candidate.draft.repository))
        self._database.run(sql.PRUNE, (most_waiting,))
        return bool(self._database.rows(sql.HAS, (candidate.candidate_id,)))

    def replace(self, candidate: Candidate) -> None:
        """Let a candidate wait as it is now: surer, or in other words."""
        fields = _row(candidate)
        self._database.run(sql.REPLACE, (*fields[2:5], *fields[6:8], candidate.candidate_id))

    def waiting(self) -> list[Candidate]:
        """What waits, surest first."""
        return [_candidate(row) for row in self._database.rows(sql.WAITING)]

    def count(self) -> int:
        """How many wait."""
        return int(self._database.rows(sql.COUNT)[0][0])

    def get(self, candidate_id: str) -> Candidate:
        """The candidate with this id, or a unique beginning or end of one."""
        rows = find_named(self._database.rows, sql.BY_PREFIX, sql.BY_END, candidate_id)
        if not rows:
            raise NotFound(
                f"Nothing is waiting under the id {candidate_id!r}; `recollect pending` shows what is waiting."
            )
        if len(rows) > 1:
            raise Ambiguous(f"More than one thing matches {candidate_id!r}; give more characters.")
        return _candidate(rows[0])

    def settle(self, candidate_id: str, status: str) -> None:
        """A person accepted or rejected it."""
        self._database.run(sql.SETTLE, (status, candidate_id))

    def expire(self, *, now: float) -> int:
        """Let go of what has waited too long; returns how many."""
        return self._database.run(sql.EXPIRE, (now,)).rowcount


def _row(candidate: Candidate) -> tuple[Any, ...]:
    draft = candidate.draft._asdict()
    draft["citations"] = [citation.filled() for citation in candidate.draft.citations]
    values: list[Any] = list(candidate)
    values[2] = dumps(draft, ensure_ascii=False)
    return storable(values)


def _candidate(row: Sequence[Any]) -> Candidate:
    try:
        fields = loads(row[2])
    except ValueError as error:
        raise unreadable(f"candidate {row[0]}") from error
    fields["citations"] = load_citations(dumps(fields["citations"]) if fields["citations"] else "")
    fields["aliases"], fields["tags"] = tuple(fields["aliases"]), tuple(fields["tags"])
    return Candidate._make((*row[:2], Draft(**fields), *row[3:]))
