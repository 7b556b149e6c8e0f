"""The text index over turns: what was typed, what was said and what tools printed, each in its own column.

Beside its words the typed column holds marks, which no word can be: the day of the turn in several spellings, who
speaks when a line begins with a name, and the repository.
"""

from __future__ import annotations

import re
from zlib import crc32

from recollect.store.index import ALL
from recollect.store.statements import turn_index as sql
from recollect.text.language.dates import date_marks
from recollect.text.marks import MARK, speaker_mark
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.sessions import ToolUse, Turn
    from recollect.store.database import Database

    Analysed = tuple[str, str, str]

LONGEST_TOOLS = 6_000  # characters of tool text that are indexed, a turn
LONGEST_TARGETS = 2_000  # of them, for commands and paths: they stand first
LONGEST_TARGET = 200
SHORTEST_OUTPUT = 200
CODE_SIGNS = "_./:#="
MOST_CODE = 20  # hundredths that are told apart
_SPEAKER = re.compile(r"([A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{0,30}){0,2}): ")


class TurnIndex:
    """Terms to turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def analyse(self, turn: Turn, repository: str = "") -> Analysed:
        """What the index holds of a turn; the mark of its repository stands last in what was typed."""
        words, speaker = _spoken(turn.user)
        typed, said = " ".join(words), " ".join(terms(turn.assistant))
        marks = [*speaker, *date_marks(turn.at), repository_mark(repository)]
        return " ".join([typed, *marks]).strip(), said, " ".join(terms(printed_text(turn.tools)))

    def add(self, rows: Sequence[tuple[int, str, str, str]]) -> None:
        """Index these (turn_row, user, assistant, tools)."""
        self._database.run_many(sql.ADD, rows)
        self._count((row[1:] for row in rows), by=1)

    def remove(self, rows: Sequence[tuple[int, str, str, str]]) -> None:
        """Take these out; the texts must be what was indexed."""
        self._database.run_many(sql.REMOVE, rows)
        self._count((row[1:] for row in rows), by=-1)

    def _count(self, texts: Iterable[tuple[str, ...]], *, by: int) -> None:
        counts: dict[str, int] = {}
        for columns in texts:
            counts[ALL] = counts.get(ALL, 0) + by
            for term in {term for column in columns for term in column.split()}:
                counts[term] = counts.get(term, 0) + by
        self._database.run_many(sql.COUNT, counts.items())
        if by < 0:
            self._database.run_many(sql.FORGET_TERM, [(term,) for term in counts])


def repository_mark(repository: str) -> str:
    """The mark that every turn of a repository has. Two repositories may share one: the rows themselves decide."""
    return f"{MARK}{MARK}{crc32(repository.encode()):08x}"


def code_hundredths(*columns: str) -> int:
    """Signs of code in a hundred words of a text."""
    words = sum(column.count(" ") + 1 for column in columns if column)
    signs = sum(column.count(sign) for column in columns for sign in CODE_SIGNS)
    return min(100 * signs // max(words, 1), MOST_CODE)


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
