"""The text index over turns: what was typed, what was said and what tools printed, each in its own column."""

from __future__ import annotations

from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.model.sessions import Turn
    from recollect.store.database import Database

    Analysed = tuple[str, str, str]

ALL = ""
LONGEST_TOOLS = 6_000  # characters of tool text that are indexed, a turn

_INSERT = "INSERT INTO turn_text (rowid, user_analysed, assistant_analysed, tools_analysed) VALUES (?, ?, ?, ?)"
_DELETE = (
    "INSERT INTO turn_text (turn_text, rowid, user_analysed, assistant_analysed, tools_analysed) "
    "VALUES ('delete', ?, ?, ?, ?)"
)
_COUNT = """
INSERT INTO turn_term_counts (term, documents) VALUES (?, ?)
ON CONFLICT (term) DO UPDATE SET documents = documents + excluded.documents"""


class TurnIndex:
    """Terms to turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def analyse(self, turn: Turn) -> Analysed:
        """What the index holds of a turn."""
        printed = "\n".join(f"{tool.target}\n{tool.output}" for tool in turn.tools)
        return (
            " ".join(terms(turn.user)),
            " ".join(terms(turn.assistant)),
            " ".join(terms(printed[:LONGEST_TOOLS])),
        )

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
