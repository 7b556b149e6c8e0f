"""The text index over turns: what was typed, what was said and what tools printed, each in its own column.

Beside its words the typed column holds marks, which no word can be: the day of the turn in several spellings, who
speaks when a line begins with a name, and the repository.
"""

from __future__ import annotations

import re
from zlib import crc32

from recollect.model.record import Record
from recollect.store.index import ALL, quoted
from recollect.text.language.dates import MARK, date_marks
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from recollect.model.sessions import ToolUse, Turn
    from recollect.store.database import Database

    Analysed = tuple[str, str, str]

LONGEST_TOOLS = 6_000  # characters of tool text that are indexed, a turn
LONGEST_TARGETS = 2_000  # of them, for commands and paths: they stand first
LONGEST_TARGET = 200
SHORTEST_OUTPUT = 200
CODE_MARK = MARK + "*"  # made of what the index's tokenizer takes for part of a word
CODE_SIGNS = "_./:#="
MOST_CODE = 20  # hundredths that are told apart
_SPEAKER = re.compile(r"([A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{0,30}){0,2}): ")
_CHUNK = 400

_INSERT = "INSERT INTO turn_text (rowid, user_analysed, assistant_analysed, tools_analysed) VALUES (?, ?, ?, ?)"
_DELETE = (
    "INSERT INTO turn_text (turn_text, rowid, user_analysed, assistant_analysed, tools_analysed) "
    "VALUES ('delete', ?, ?, ?, ?)"
)
_COUNT = """
INSERT INTO turn_term_counts (term, documents) VALUES (?, ?)
ON CONFLICT (term, tenant) DO UPDATE SET documents = turn_term_counts.documents + excluded.documents"""
_MATCH = (
    "SELECT rowid FROM turn_text WHERE turn_text MATCH ? AND rowid >= ? ORDER BY bm25(turn_text, 3.0, 1.0, 1.0) LIMIT ?"
)
_TEXT = "turn_row, session_id, number, at, repository, user_analysed, assistant_analysed, tools_analysed"


class TurnText(Record):
    """A turn as the index sees it."""

    turn_row: int
    session_id: str
    number: int
    at: float
    repository: str
    typed: str
    said: str
    printed: str


class TurnPlan(Record):
    """What will be asked of the index: the terms that fit the budget, and from which row on."""

    match: str
    first_row: int


class TurnIndex:
    """Terms to turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def analyse(self, turn: Turn, repository: str = "") -> Analysed:
        """What the index holds of a turn."""
        words, speaker = _spoken(turn.user)
        typed, said = " ".join(words), " ".join(terms(turn.assistant))
        # Whoever works in a folder is an agent: what is said there is about code, whether or not it shows.
        code = MOST_CODE if turn.cwd else code_hundredths(typed, said)
        kind = [f"{CODE_MARK}{code}"] if code else []
        marks = [*kind, *speaker, *date_marks(turn.at), repository_mark(repository)]
        return " ".join([typed, *marks]).strip(), said, " ".join(terms(printed_text(turn.tools)))

    def add(self, rows: Sequence[tuple[int, str, str, str]]) -> None:
        """Index these (turn_row, user, assistant, tools)."""
        self._database.run_many(_INSERT, rows)
        self._count((row[1:] for row in rows), by=1)

    def remove(self, rows: Sequence[tuple[int, str, str, str]]) -> None:
        """Take these out; the texts must be what was indexed."""
        self._database.run_many(_DELETE, rows)
        self._count((row[1:] for row in rows), by=-1)

    def _count(self, texts: Iterable[tuple[str, ...]], *, by: int) -> None:
        counts: dict[str, int] = {}
        for columns in texts:
            counts[ALL] = counts.get(ALL, 0) + by
            for term in {term for column in columns for term in column.split()}:
                counts[term] = counts.get(term, 0) + by
        self._database.run_many(_COUNT, counts.items())
        if by < 0:
            gone = [(term,) for term in counts]
            self._database.run_many("DELETE FROM turn_term_counts WHERE term = ? AND documents <= 0", gone)

    def frequencies(self, wanted: Sequence[str]) -> dict[str, int]:
        """In how many turns each term or mark occurs, those of no turn left out; `ALL` counts the turns."""
        found: dict[str, int] = {}
        for chunk in _chunks(wanted):
            marks = ",".join("?" * len(chunk))
            found.update(
                self._database.rows(f"SELECT term, documents FROM turn_term_counts WHERE term IN ({marks})", chunk)
            )
        return found

    def session_count(self) -> int:
        """How many sessions there are."""
        return int(self._database.rows("SELECT count(*) FROM sessions")[0][0])

    def newest_row(self) -> int:
        """The highest row there is."""
        return int(self._database.rows("SELECT coalesce(max(turn_row), 0) FROM turns")[0][0])

    def matching(self, plan: TurnPlan, *, limit: int) -> list[int]:
        """The rows that match a plan, best first by bm25."""
        if not plan.match:
            return []
        return [row for (row,) in self._database.rows(_MATCH, (plan.match, plan.first_row, limit))]

    def texts(self, rows: Sequence[int]) -> list[TurnText]:
        """These turns as the index sees them."""
        found: list[TurnText] = []
        for chunk in _chunks(rows):
            sql = f"SELECT {_TEXT} FROM turns WHERE turn_row IN ({','.join('?' * len(chunk))})"
            found += map(TurnText._make, self._database.rows(sql, chunk))
        return found

    def texts_at(self, places: Sequence[tuple[str, int]]) -> list[TurnText]:
        """The turns at these places: session and number."""
        found: list[TurnText] = []
        for chunk in _chunks(places):
            marks = ",".join(["(?,?)"] * len(chunk))
            sql = (
                f"WITH places (session_id, number) AS (VALUES {marks}) "
                f"SELECT {_TEXT} FROM places CROSS JOIN turns USING (session_id, number)"
            )
            found += map(TurnText._make, self._database.rows(sql, [value for place in chunk for value in place]))
        return found

    def session_lengths(self, session_ids: Sequence[str]) -> dict[str, int]:
        """How many turns each of these sessions has."""
        found: dict[str, int] = {}
        for chunk in _chunks(session_ids):
            marks = ",".join("?" * len(chunk))
            found.update(
                self._database.rows(
                    f"SELECT session_id, count(*) FROM turns WHERE session_id IN ({marks}) GROUP BY session_id",
                    chunk,
                )
            )
        return found


def repository_mark(repository: str) -> str:
    """The mark that every turn of a repository has. Two repositories may share one: the rows themselves decide."""
    return f"{MARK}{MARK}{crc32(repository.encode()):08x}"


def speaker_mark(term: str) -> str:
    """The mark of a turn that somebody with this name speaks."""
    return MARK + term


def code_hundredths(*columns: str) -> int:
    """Signs of code in a hundred words of a text."""
    words = sum(column.count(" ") + 1 for column in columns if column)
    signs = sum(column.count(sign) for column in columns for sign in CODE_SIGNS)
    return min(100 * signs // max(words, 1), MOST_CODE)


def plan_turns(
    wanted: Sequence[str],
    repositories: Sequence[str] | None,
    *,
    frequencies: dict[str, int],
    budget_postings: int,
    newest_row: int,
) -> TurnPlan:
    """Rarest first until the budget is spent; in one repository alone when that is the smaller part."""
    inside = frequencies.get(ALL, 0)
    within = ""
    if repositories is not None:
        marks = [repository_mark(one) for one in repositories]
        here = sum(frequencies.get(mark, 0) for mark in marks)
        if here < inside / 2:
            inside, within = here, " OR ".join(map(quoted, marks))
    known = sorted((term for term in wanted if term in frequencies), key=lambda term: frequencies[term])
    taken: list[str] = []
    spent = 0
    for term in known:
        cost = min(frequencies[term], inside)
        if taken and spent + cost > budget_postings:
            break
        taken.append(term)
        spent += cost
    if not taken or not inside:
        return TurnPlan("", 0)
    match = " OR ".join(map(quoted, taken))
    # Even the rarest term may be in every turn: then the newest turns stand for all.
    first_row = int(newest_row * (1 - budget_postings / spent)) if spent > 2 * budget_postings else 0
    return TurnPlan(f"({match}) AND ({within})" if within else match, first_row)


def _spoken(typed: str) -> tuple[list[str], list[str]]:
    """The words of a line, and the marks of who speaks it when it begins with a name."""
    speaker = _SPEAKER.match(typed)
    if not speaker:
        return terms(typed), []
    return terms(typed[speaker.end() :]), [speaker_mark(term) for term in terms(speaker[1])]


def printed_text(tools: Sequence[ToolUse]) -> str:
    """What is indexed of a turn's tools: what they were asked first, then the beginning of what each printed."""
    if not tools:
        return ""
    targets = "\n".join(dict.fromkeys(tool.target[:LONGEST_TARGET] for tool in tools))[:LONGEST_TARGETS]
    share = max((LONGEST_TOOLS - len(targets)) // len(tools), SHORTEST_OUTPUT)
    return "\n".join((targets, *(tool.output[:share] for tool in tools)))[:LONGEST_TOOLS]


def _chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK))
