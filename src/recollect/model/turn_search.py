"""What a search over turns is asked, and what it hands out."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    TurnKey = tuple[str, str]  # the id of the session, and the host's own id of what was typed


class TurnBudget(Record):
    """How much a search over turns may read."""

    postings: int  # of the terms that are looked up
    matches: int  # turns that have them
    fewest: int  # of these are read, however long they are
    printed: int  # characters of what tools printed that are read to have more of them


class AnalysedTurn(Record):
    """A turn as the index sees it."""

    session_id: str
    record_id: str
    number: int
    at: float
    repository: str
    typed: str
    said: str
    printed: str
    marks: tuple[str, ...]  # the day in several spellings, and who speaks
    code: int  # signs of code in a hundred words
    characters: int  # of all that the index holds
    order: int  # in which turns were stored; the newest has the highest

    @property
    def key(self) -> TurnKey:
        """What tells it from all others."""
        return self.session_id, self.record_id


class MatchedTurns(Record):
    """Which turns match, best first, and the best of them as far as the budget allows to read them."""

    keys: list[TurnKey]
    turns: list[AnalysedTurn]
