"""The rooms of a memory as properties. A room is imported when it is first used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.access.activity import Activity
    from recollect.flows.access.tokens import AccessTokens
    from recollect.flows.autonomous.artifacts import Artifacts
    from recollect.flows.board.board import ContextBoard
    from recollect.flows.board.rem import Rem
    from recollect.flows.chat.chats import Chats
    from recollect.flows.compaction.conversation import Conversation
    from recollect.flows.compaction.model_windows import ModelWindows
    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_sessions import OwnSessions
    from recollect.flows.sessions.past_sessions import PastSessions
    from recollect.flows.shelves.shelves import Shelves
    from recollect.flows.sidekicks.background import BackgroundAgents
    from recollect.flows.suggestions.facts import FactList
    from recollect.flows.suggestions.suggestion_list import SuggestionList
    from recollect.flows.upkeep.copies import Copies
    from recollect.flows.views.browsing import Browsing
    from recollect.flows.views.entries import EntryList
    from recollect.flows.views.transfer import Transfer
    from recollect.flows.writes.approvals import StandingApprovals
    from recollect.flows.writes.pending import Pending
    from recollect.flows.writes.profile import ProfilePage
    from recollect.flows.writes.tasks import TaskList
    from recollect.settings import Settings


class Rooms:
    """What an opened memory holds, room by room."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.home = opened.home
        self.repository = opened.repository
        self.folder = opened.folder
        self.notices = opened.notices

    @property
    def settings(self) -> Settings:
        """The settings that hold here."""
        return self.opened.settings

    @property
    def entries(self) -> EntryList:
        """Stored entries: list, look at, draft."""
        from recollect.flows.views.entries import EntryList

        return EntryList(self.opened)

    @property
    def browsing(self) -> Browsing:
        """What is stored, page by page, and what happened over time."""
        from recollect.flows.views.browsing import Browsing

        return Browsing(self.opened)

    @property
    def profile(self) -> ProfilePage:
        """L0: who the user is."""
        from recollect.flows.writes.profile import ProfilePage

        return ProfilePage(self.opened)

    @property
    def tasks(self) -> TaskList:
        """Tasks and projects."""
        from recollect.flows.writes.tasks import TaskList

        return TaskList(self.opened)

    @property
    def sessions(self) -> PastSessions:
        """Past sessions of every host: import_logs, listed, show."""
        from recollect.flows.sessions.past_sessions import PastSessions

        return PastSessions(self.opened)

    @property
    def own_sessions(self) -> OwnSessions:
        """The sessions that this home keeps itself, each with its log and its checkpoints."""
        from recollect.flows.sessions.checkpoints import keeping
        from recollect.flows.sessions.digest import offer_from_session
        from recollect.flows.sessions.own_sessions import OwnSessions

        opened = self.opened
        return OwnSessions(
            self.home.sessions,
            clock=opened.clock,
            new_id=opened.new_id,
            offer=lambda sentences, session_id: offer_from_session(sentences, session_id, opened),
            settings=self.settings,
            windows=self._windows,
            keep=keeping(opened),
        )

    @property
    def chats(self) -> Chats:
        """Agents of our own: a conversation with a model that has tools and this memory."""
        from recollect.flows.chat.chats import Chats

        return Chats(self.opened, self.own_sessions)

    @property
    def pending(self) -> Pending:
        """What is waiting for a person: list, approve, reject."""
        from recollect.flows.writes.pending import Pending
        from recollect.flows.writes.strategies import Strategies

        return Pending(self.opened.writer("user"), Strategies(self.opened).named)

    @property
    def facts(self) -> FactList:
        """The facts that suggestions are made from."""
        from recollect.flows.suggestions.facts import FactList

        return FactList(self.opened)

    @property
    def suggestions(self) -> SuggestionList:
        """Suggested edits of customization files, waiting for a person."""
        from recollect.flows.suggestions.suggestion_list import SuggestionList

        return SuggestionList(self.opened)

    @property
    def permissions(self) -> StandingApprovals:
        """Standing approvals: what agents may do without asking."""
        from recollect.flows.writes.approvals import StandingApprovals

        return StandingApprovals(self.opened)

    @property
    def activity(self) -> Activity:
        """Who did what, and whether anything happened meanwhile."""
        from recollect.flows.access.activity import Activity

        return Activity(self.opened)

    @property
    def tokens(self) -> AccessTokens:
        """Which programs may use the service."""
        from recollect.flows.access.tokens import AccessTokens

        return AccessTokens(self.opened)

    @property
    def board(self) -> ContextBoard:
        """The context board of this repository and branch."""
        from recollect.flows.board.board import ContextBoard

        return ContextBoard(self.opened)

    @property
    def rem(self) -> Rem:
        """The worker that keeps the context board."""
        from recollect.flows.board.rem import Rem

        return Rem(self.opened)

    @property
    def background(self) -> BackgroundAgents:
        """Agents that work in the background, and the inbox of a session."""
        from recollect.flows.sidekicks.background import BackgroundAgents

        return BackgroundAgents(self.opened)

    @property
    def shelves(self) -> Shelves:
        """Texts that programs keep under addresses, the files of a model's memory tool among them."""
        from recollect.flows.shelves.shelves import Shelves

        return Shelves(self.opened)

    @property
    def transfer(self) -> Transfer:
        """Export everything, and load an export."""
        from recollect.flows.views.transfer import Transfer

        return Transfer(self.opened)

    @property
    def copies(self) -> Copies:
        """Safety copies of the database."""
        from recollect.flows.upkeep.copies import Copies

        return Copies(self.opened)

    @property
    def models(self) -> AskedModels:
        """Models by role: `memory.models.ask(prompt, schema, role)`. Each time this is a pass of its own."""
        return self.opened.models

    @property
    def artifacts(self) -> Artifacts:
        """What past sessions of this project left: MEMORY.md, its summary, skills."""
        from recollect.flows.autonomous.artifacts import Artifacts

        return Artifacts(self.opened)

    @property
    def context(self) -> Conversation:
        """Compact and truncate messages."""
        from recollect.flows.compaction.conversation import Conversation
        from recollect.flows.compaction.counts import counting

        return Conversation(
            self.settings,
            folder=self.folder,
            clock=self.opened.clock,
            windows=self._windows,
            models=self.opened.models,
            count=counting(self.opened),
        )

    @property
    def _windows(self) -> ModelWindows:
        """How large a request to a model may be, with what this home has learned about it."""
        from recollect.flows.compaction.model_windows import windows_of

        return windows_of(self.opened)
