"""Search over turns by their text index, within a budget."""

from __future__ import annotations

from recollect.model.recall import Frequencies
from recollect.model.record import Record
from recollect.model.turn_search import AnalysedTurn, MatchedTurns
from recollect.store.index import ALL
from recollect.store.search import any_of
from recollect.store.statements import CHUNK
from recollect.store.statements import turn_index as sql
from recollect.store.turn_index import code_hundredths, repository_mark
from recollect.text.marks import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from recollect.model.turn_search import TurnBudget, TurnKey
    from recollect.store.database import Database

_MARKS = f" {MARK}"


class TurnPostingsPlan(Record):
    """What is asked of the index: the terms that the budget pays for; and which share of the turns, the oldest, is left
    out."""

    match: str = ""
    left_out: float = 0.0


class IndexTurnSearch:
    """The turns of some repositories, or of all, by the index in the database."""

    def __init__(self, database: Database, repositories: Sequence[str] | None) -> None:
        self._database = database
        self._repositories = repositories

    def frequencies(self, wanted: Sequence[str]) -> Frequencies:
        """In how many turns each of these terms and marks occurs, of all turns that there are."""
        found = self._documents([ALL, *wanted])
        return Frequencies(found.pop(ALL, 0), found)

    def best(self, wanted: Sequence[str], frequencies: Frequencies, budget: TurnBudget) -> MatchedTurns:
        """The turns that match best: of talk all are read, of work fewer where much was printed. Another repository's
        may be among them."""
        places = None
        if self._repositories is not None:
            marks = list(map(repository_mark, self._repositories))
            places = dict.fromkeys(marks, 0) | self._documents(marks)
        plan = plan_turn_postings(wanted, frequencies, places, budget.postings)
        rows = self._matching(plan, budget.matches)
        turns = self._read(sql.analysed, rows[: budget.fewest])
        printed = sum(len(one.printed) for one in turns)
        more = int(len(turns) * (budget.printed / max(printed, 1) - 1))
        if more > 0:
            turns += self._read(sql.analysed, rows[budget.fewest : budget.fewest + more])
        keys = {row: (session_id, record_id) for row, session_id, record_id in self._rows(sql.keys, rows)}
        return MatchedTurns([keys[row] for row in rows if row in keys], turns)

    def turns(self, keys: Sequence[TurnKey]) -> list[AnalysedTurn]:
        """These turns, oldest first."""
        return self._read(sql.analysed_by_key, keys)

    def turns_at(self, places: Sequence[tuple[str, int]]) -> list[AnalysedTurn]:
        """The turns at these places, session and number, in their order."""
        return self._read(sql.analysed_by_number, places)

    def shown_texts(self, keys: Sequence[TurnKey]) -> dict[TurnKey, tuple[str, str]]:
        """What was typed and what was said in these turns."""
        rows = self._rows(sql.shown, keys)
        return {(session_id, record_id): (typed, said) for session_id, record_id, typed, said in rows}

    def session_count(self) -> int:
        """How many sessions there are."""
        return int(self._database.rows(sql.SESSION_COUNT)[0][0])

    def session_lengths(self, session_ids: Sequence[str]) -> dict[str, int]:
        """How many turns each of these sessions has, the oldest session first."""
        return dict(self._rows(sql.session_lengths, session_ids))

    def _documents(self, wanted: Sequence[str]) -> dict[str, int]:
        return dict(self._rows(sql.frequencies, wanted))

    def _matching(self, plan: TurnPostingsPlan, limit: int) -> list[int]:
        if not plan.match:
            return []
        first_row = int(self._database.rows(sql.NEWEST_ROW)[0][0] * plan.left_out) if plan.left_out else 0
        return [row for (row,) in self._database.rows(sql.MATCHING, (plan.match, first_row, limit))]

    def _read(self, statement: Callable[[int], str], wanted: Sequence[Any]) -> list[AnalysedTurn]:
        return [_analysed_turn(*row) for row in self._rows(statement, wanted)]

    def _rows(self, statement: Callable[[int], str], wanted: Sequence[Any]) -> Iterator[Any]:
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            values = [part for one in chunk for part in one] if isinstance(chunk[0], tuple) else chunk
            yield from self._database.rows(statement(len(chunk)), values)


def plan_turn_postings(
    wanted: Sequence[str], frequencies: Frequencies, places: Mapping[str, int] | None, budget_postings: int
) -> TurnPostingsPlan:
    """Rarest first until the budget is spent; in these places alone when that is the smaller part."""
    inside, documents = frequencies
    within = ""
    if places is not None and sum(places.values()) < inside / 2:
        inside, within = sum(places.values()), any_of(places)
    taken: list[str] = []
    spent = 0
    for term in sorted((term for term in wanted if term in documents), key=documents.__getitem__):
        cost = min(documents[term], inside)
        if taken and spent + cost > budget_postings:
            break
        taken.append(term)
        spent += cost
    if not taken or not inside:
        return TurnPostingsPlan()
    match = any_of(taken)
    # Even the rarest term may be in every turn: then the newest turns stand for all.
    left_out = 1 - budget_postings / spent if spent > 2 * budget_postings else 0.0
    return TurnPostingsPlan(f"({match}) AND ({within})" if within else match, left_out)


def _analysed_turn(
    session_id: str,
    record_id: str,
    number: int,
    at: float,
    repository: str,
    typed: str,
    said: str,
    printed: str,
    row: int,
) -> AnalysedTurn:
    """A row as a turn: its marks stand behind the words that were typed, the one of its repository last."""
    words, mark, rest = f" {typed}".partition(_MARKS)
    marks = (mark + rest).split()[:-1]
    # Of the text itself: an agent's folder says nothing about what was talked about in it.
    code = code_hundredths(words.strip(), said)
    characters = len(typed) + len(said) + len(printed)
    return AnalysedTurn(
        session_id, record_id, number, at, repository, words, said, printed, tuple(marks), code, characters, row
    )
