"""Suggestions: what waits for a person, and what became of the others."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.suggestions import OPEN, STATUSES, Suggestion
from recollect.store.rows import dump_citations, dump_list, find_named, load_citations, load_list, storable
from recollect.store.statements import suggestions as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database

_IDS, _CITATIONS, _EDITED = (Suggestion._fields.index(name) for name in ("fact_ids", "citations", "edited"))


class Suggestions:
    """All suggestions. Methods that change something need an open write()."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, suggestion: Suggestion) -> None:
        """Let it wait."""
        self._database.run(sql.ADD, _row(suggestion))

    def save(self, suggestion: Suggestion) -> None:
        """Keep it as it is now."""
        self._database.run(sql.SAVE, (*_row(suggestion), suggestion.suggestion_id))

    def get(self, name: str) -> Suggestion:
        """The suggestion with this id, or a unique beginning or end of one."""
        rows = find_named(self._database.rows, sql.BY_PREFIX, sql.BY_END, name)
        if not rows:
            raise NotFound(
                f"There is no suggestion {name!r}; `recollect suggest list --all` shows those that are open."
            )
        if len(rows) > 1 and rows[0][0] != name:
            raise Ambiguous(f"More than one suggestion matches {name!r}; give more characters.")
        return _suggestion(rows[0])

    def listed(self, status: str, *, repository: str | None) -> list[Suggestion]:
        """The suggestions of a status, surest first: of one repository and the user's own, or of all."""
        if repository is None:
            return [_suggestion(row) for row in self._database.rows(sql.LISTED_EVERYWHERE, (status,))]
        return [_suggestion(row) for row in self._database.rows(sql.LISTED, (status, repository))]

    def every(self) -> list[Suggestion]:
        """All of them, whatever became of them, by id."""
        found = [one for status in STATUSES for one in self.listed(status, repository=None)]
        return sorted(found, key=lambda one: one.suggestion_id)

    def open(self, *, repository: str | None) -> list[Suggestion]:
        """All that waits for a person."""
        return [one for status in OPEN for one in self.listed(status, repository=repository)]

    def count(self, *, repository: str | None = None) -> int:
        """How many wait for a person."""
        counted = sql.COUNT_EVERYWHERE if repository is None else sql.COUNT
        return int(self._database.rows(counted, () if repository is None else (repository,))[0][0])

    def known(self, repository: str, fingerprint: str) -> Suggestion | None:
        """The suggestion with this fingerprint, whatever became of it."""
        rows = self._database.rows(sql.KNOWN, (repository, fingerprint))
        return _suggestion(rows[0]) if rows else None

    def withdraw(self, suggestion_id: str) -> None:
        """Drop one that nobody has decided and that lost what it rested on."""
        self._database.run(sql.WITHDRAW, (suggestion_id,))

    def withdraw_outdated(self) -> int:
        """Drop all that nobody has decided and whose facts no longer hold; returns how many."""
        return self._database.run(sql.WITHDRAW_OUTDATED).rowcount

    def decided(self) -> list[tuple[tuple[str, ...], str, bool]]:
        """Of every decided suggestion: the facts it was made from, the verdict, and whether it was edited."""
        rows = self._database.rows(sql.DECIDED)
        return [(tuple(load_list(names)), status, bool(edited)) for names, status, edited in rows]

    def tell(self, suggestion_ids: Sequence[str], *, now: float) -> None:
        """A person was told of these."""
        self._database.run_many(sql.TELL, [(now, one) for one in suggestion_ids])

    def last_told(self) -> float:
        """When a person was last told of one; 0 when never."""
        return float(self._database.rows(sql.LAST_TOLD)[0][0])

    def told_after(self, moment: float) -> list[Suggestion]:
        """What waits, and what a person was told of after a moment."""
        return [_suggestion(row) for row in self._database.rows(sql.TOLD_AFTER, (moment,))]

    def erase(self, entry_id: str, content: str) -> None:
        """Remove what was made from an erased entry."""
        self._database.run(sql.ERASE, (f'%"{entry_id.replace("_", chr(92) + "_")}"%', content))


def _row(suggestion: Suggestion) -> tuple[object, ...]:
    values: list[Any] = list(suggestion)
    values[_IDS] = dump_list(suggestion.fact_ids)
    values[_CITATIONS] = dump_citations(suggestion.citations)
    values[_EDITED] = int(suggestion.edited)
    return storable(values)


def _suggestion(row: Sequence[Any]) -> Suggestion:
    values = list(row)
    values[_IDS] = tuple(load_list(values[_IDS]))
    values[_CITATIONS] = load_citations(values[_CITATIONS])
    values[_EDITED] = bool(values[_EDITED])
    return Suggestion._make(values)
