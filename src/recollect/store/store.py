"""The store: one database and its table families."""

from __future__ import annotations

from recollect.store import home_values
from recollect.store.database import SCHEMA_VERSION, Database
from recollect.store.entries import Entries
from recollect.store.index import Index
from recollect.store.receipts import Receipts
from recollect.store.repositories import Repositories
from recollect.store.search import IndexSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.recall import Analysed, Budget, Places
    from recollect.ports import EntrySearch, TurnSearch
    from recollect.store.approvals import Approvals
    from recollect.store.board import Board
    from recollect.store.browsing import Browsing
    from recollect.store.candidates import Candidates
    from recollect.store.changes import Changes
    from recollect.store.checkpoints import Checkpoints
    from recollect.store.citation_checks import CitationChecks
    from recollect.store.conflicts import Conflicts
    from recollect.store.database import Read, Write
    from recollect.store.entry_vectors import EntryVectors
    from recollect.store.extractions import Extractions
    from recollect.store.held import HeldSearch, Holding
    from recollect.store.jobs import Jobs
    from recollect.store.session_sql import Answer
    from recollect.store.sessions import Sessions
    from recollect.store.shelves import Shelves
    from recollect.store.staged import Announcements, StagedWrites
    from recollect.store.suggestions import Suggestions
    from recollect.store.tasks import Tasks
    from recollect.store.tokens import Tokens
    from recollect.store.votes import Votes
    from recollect.store.work_changes import WorkChanges


COUNTED = "count."  # before the name of what is counted


class Store:
    """Everything that is kept in SQL."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = Index(database)
        self.entries = Entries(database, self.index)
        self.receipts = Receipts(database, self.entries)
        self.repositories = Repositories(database)
        self._changes: Changes | None = None
        self._holding: Holding | None = None
        self._asked = False
        self._tasks: Tasks | None = None
        self._sessions: Sessions | None = None

    @property
    def changes(self) -> Changes:
        """What calls did, and how to take it back; a prompt changes nothing."""
        if self._changes is None:
            from recollect.store.changes import Changes

            self._changes = Changes(self.database)
        return self._changes

    @property
    def conflicts(self) -> Conflicts:
        """Which entries contradict each other."""
        from recollect.store.conflicts import Conflicts

        return Conflicts(self.database)

    @property
    def citation_checks(self) -> CitationChecks:
        """What the last checks of citations said; a prompt that meets nothing cited needs none."""
        from recollect.store.citation_checks import CitationChecks

        return CitationChecks(self.database)

    @property
    def votes(self) -> Votes:
        """Votes on entries."""
        from recollect.store.votes import Votes

        return Votes(self.database)

    @property
    def tasks(self) -> Tasks:
        """Tasks and projects."""
        if self._tasks is None:
            from recollect.store.tasks import Tasks

            self._tasks = Tasks(self.database)
        return self._tasks

    @property
    def work_changes(self) -> WorkChanges:
        """What calls did to tasks and projects."""
        from recollect.store.work_changes import WorkChanges

        return WorkChanges(self.database)

    @property
    def sessions(self) -> Sessions:
        """Sessions and their turns; loaded when first asked for, which a hook seldom does."""
        if self._sessions is None:
            from recollect.store.sessions import Sessions
            from recollect.store.turn_index import TurnIndex

            self._sessions = Sessions(self.database, TurnIndex(self.database))
        return self._sessions

    @property
    def entry_vectors(self) -> EntryVectors:
        """What entries say as vectors; nobody but who has the extra asks for them."""
        from recollect.store.entry_vectors import EntryVectors

        return EntryVectors(self.database)

    @property
    def shelves(self) -> Shelves:
        """What programs keep under addresses."""
        from recollect.store.shelves import Shelves

        return Shelves(self.database)

    @property
    def checkpoints(self) -> Checkpoints:
        """Checkpoints of every session."""
        from recollect.store.checkpoints import Checkpoints

        return Checkpoints(self.database)

    @property
    def extractions(self) -> Extractions:
        """What sessions left for consolidation, and the use of artifacts."""
        from recollect.store.extractions import Extractions

        return Extractions(self.database)

    @property
    def candidates(self) -> Candidates:
        """What waits for a person."""
        from recollect.store.candidates import Candidates

        return Candidates(self.database)

    @property
    def suggestions(self) -> Suggestions:
        """Changes of customization files that wait for a person, and what became of them."""
        from recollect.store.suggestions import Suggestions

        return Suggestions(self.database)

    @property
    def jobs(self) -> Jobs:
        """What the worker has to do."""
        from recollect.store.jobs import Jobs

        return Jobs(self.database)

    @property
    def board(self) -> Board:
        """The context boards of all repositories and branches."""
        from recollect.store.board import Board

        return Board(self.database)

    @property
    def approvals(self) -> Approvals:
        """What a person allowed for longer than once."""
        from recollect.store.approvals import Approvals

        return Approvals(self.database)

    @property
    def tokens(self) -> Tokens:
        """Who may use the service, and the answers that were kept for them."""
        from recollect.store.tokens import Tokens

        return Tokens(self.database)

    @property
    def staged(self) -> StagedWrites:
        """What agents wanted to change and a person has to decide."""
        from recollect.store.staged import StagedWrites

        return StagedWrites(self.database)

    @property
    def browsing(self) -> Browsing:
        """Pages for somebody who browses."""
        from recollect.store.browsing import Browsing

        return Browsing(self.database)

    @property
    def announcements(self) -> Announcements:
        """What a person is told once."""
        from recollect.store.staged import Announcements

        return Announcements(self.database)

    def search_entries(self, places: Places) -> EntrySearch:
        """What answers one question about the entries of these places, inside a read()."""
        return self.searches([places])[0]

    def searches(self, several: Sequence[Places]) -> list[EntrySearch]:
        """What answers one question about the entries of each of these places by itself, inside a read()."""
        # In memory where that pays, but never the first question, which is all that a hook has.
        hold, self._asked = self._asked, True
        return [(self._held_search(one) if hold else None) or IndexSearch(self.index, one) for one in several]

    def similar_entries(self, terms: Sequence[str], places: Places, budget: Budget) -> list[Analysed]:
        """Entries of these places that share some of the terms, those that share most of the rare ones first."""
        return IndexSearch(self.index, places).similar(terms, budget)

    def search_turns(self, repositories: Sequence[str] | None) -> TurnSearch:
        """What answers questions about the turns of these repositories, or of all; few hooks ask one."""
        from recollect.store.turn_search import IndexTurnSearch

        return IndexTurnSearch(self.database, repositories)

    def _held_search(self, places: Places) -> HeldSearch | None:
        if self._holding is None:
            from recollect.store.held import Holding

            self._holding = Holding(self.database, self.index)
        return self._holding.search(places)

    def ask_sessions(self, statement: str, repositories: Sequence[str]) -> Answer:
        """One SELECT of an agent about the past sessions of these repositories; nothing else is possible with it."""
        from recollect.store.session_sql import ask_sessions

        return ask_sessions(self.database, statement, repositories)

    def read(self) -> Read:
        """One snapshot over all tables."""
        return self.database.read()

    def write(self, *, durable: bool = True, wait_seconds: float | None = None) -> Write:
        """A write transaction over all tables."""
        return self.database.write(durable=durable, wait_seconds=wait_seconds)

    def is_open(self) -> bool:
        """Is a read() or a write() open in this thread?"""
        session = self.database.own_connection()
        return bool(session.depth or session.reading)

    def home_value(self, name: str) -> str:
        """A small fact about this home, or an empty text."""
        return home_values.home_value(self.database, name)

    def set_home_value(self, name: str, value: str) -> None:
        """Keep a small fact about this home."""
        home_values.set_home_value(self.database, name, value)

    def count(self, name: str, times: int = 1) -> None:
        """Count that something happened; needs a write()."""
        home_values.add_to_home_value(self.database, COUNTED + name, times)

    def counted(self, name: str) -> int:
        """How often something happened that was counted."""
        return int(self.home_value(COUNTED + name) or 0)

    def counted_under(self, prefix: str) -> dict[str, int]:
        """All that was counted under names that begin so, by the rest of the name."""
        found = home_values.home_values_under(self.database, COUNTED + prefix)
        return {name: int(value) for name, value in found.items()}

    def close(self) -> None:
        """Close this thread's connection."""
        self.database.close()


def open_store(path: str, *, now: float, wait_seconds: float | None = None) -> Store:
    """Open the database, creating or migrating it when needed."""
    database = Database(path) if wait_seconds is None else Database(path, wait_seconds=wait_seconds)
    if database.schema_version() != SCHEMA_VERSION:
        from recollect.store.migrations import migrate

        migrate(database, now=now)
    return Store(database)
