"""The public face: a dozen verbs, and the rooms of a memory as properties. A room is imported when it is first used."""

from __future__ import annotations

import time
from typing import overload

from recollect.errors import NotFound
from recollect.flows.opened import open_home
from recollect.flows.turns.questions import require_question
from recollect.flows.writes.actors import Agent, Person, caller, require_person
from recollect.model.drafts import Draft
from recollect.model.turns import Recipient

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from recollect.flows.autonomous.artifacts import Artifacts
    from recollect.flows.compaction.conversation import Conversation
    from recollect.flows.compaction.model_windows import ModelWindows
    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_sessions import OwnSessions
    from recollect.flows.sessions.past_sessions import PastSessions
    from recollect.flows.shelves.shelves import Shelves
    from recollect.flows.suggestions.facts import FactList
    from recollect.flows.suggestions.suggestion_list import SuggestionList
    from recollect.flows.views.entries import EntryList
    from recollect.flows.views.transfer import Transfer
    from recollect.flows.writes.actors import Actor
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.flows.writes.approvals import StandingApprovals
    from recollect.flows.writes.pending import Pending
    from recollect.flows.writes.person_writes import PersonWrites
    from recollect.flows.writes.profile import ProfilePage
    from recollect.flows.writes.tasks import TaskList
    from recollect.flows.writes.undo import Undone
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Citation, Entry, Layer, Origin, Scope, Source
    from recollect.model.receipts import Injection, Recall, Receipt


class Recollect:
    """One memory: remember, recall, inject, correct, and see why."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.home = opened.home
        self.settings = opened.settings
        self.repository = opened.repository
        self.folder = opened.folder
        self.notices = opened.notices

    @classmethod
    def open(
        cls,
        home: str | None = None,
        *,
        folder: str | None = None,
        flags: Mapping[str, object] | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
        wait_seconds: float | None = None,
    ) -> Self:
        """Open the user's home, or another one; `folder` is where the work is (default: the current directory), and
        `wait_seconds` how long a write may wait for other processes."""
        return cls(open_home(home, folder=folder, flags=flags, environ=environ, clock=clock, wait_seconds=wait_seconds))

    def close(self) -> None:
        """Let go of the database."""
        self.opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing

    def remember(
        self,
        text: str,
        *,
        layer: Layer = "L1",
        scope: Scope | None = None,
        tags: Sequence[str] = (),
        cite: Sequence[str | Citation] = (),
        reason: str = "",
        subject: str = "",
        aliases: Sequence[str] = (),
        project: str = "",
        task: str = "",
        source: Source = "user",
        origin: Origin = "typed",
        confidence: float = 0.0,
        session: str = "",
    ) -> Outcome:
        """Store one entry. Scope: the repository where there is one and the layer is not L0, else the user."""
        draft = self.entries.draft(
            text,
            layer=layer,
            scope=scope,
            tags=tags,
            cite=cite,
            reason=reason,
            subject=subject,
            aliases=aliases,
            project=project,
        )
        draft = draft._replace(task=task, source=source, origin=origin, confidence=confidence, session=session)
        return self.writes(Person(source)).store(draft)

    def remember_many(
        self, texts: Sequence[str | Draft], *, scope: Scope = "user", source: Source = "user"
    ) -> list[Outcome]:
        """Store many entries fast; exact repeats are dropped, near ones are not looked for."""
        from recollect.flows.writes.write import add_many

        place = self.repository.repository if scope == "repository" else ""
        same = Draft("", scope=scope, repository=place, source=source)[1:]
        drafts = [Draft._make((text, *same)) if isinstance(text, str) else text for text in texts]
        return add_many(drafts, self.opened.writer(source))

    def correct(self, text: str, *, entry_id: str = "", session: str = "", source: Source = "user") -> Outcome:
        """Store a correction and supersede the entry it corrects: the one named, or the one it contradicts."""
        origin: Origin = "typed" if source == "user" else "assistant"
        draft = self.entries.draft(text)._replace(source=source, session=session, origin=origin)
        return self.writes(Person(source)).correct(draft, entry_id=entry_id)

    def edit(
        self,
        entry_id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        subject: str | None = None,
        aliases: Sequence[str] | None = None,
        reason: str | None = None,
        source: Source = "user",
    ) -> Outcome:
        """Change what an entry says or how it is labelled; the old version stays in the trail."""
        draft = self.entries.edited(entry_id, text=text, tags=tags, subject=subject, aliases=aliases, reason=reason)
        origin: Origin = "typed" if source == "user" else "assistant"
        return self.writes(Person(source)).replace(entry_id, draft._replace(source=source, origin=origin))

    def forget(self, entry_id: str, *, hard: bool = False, actor: str = "user") -> Entry:
        """Retire an entry; `hard` erases every trace of it instead."""
        from recollect.flows.suggestions.sharing import unshare
        from recollect.flows.writes.erase import erase

        store = self.opened.store
        self.opened.take_in()
        if hard:
            unshare(entry_id, self.opened)  # first: what is erased cannot be found there any more
            return erase(entry_id, store=store, backups=self.home.backups, now=self.opened.now)
        with store.write():
            entry = store.entries.get(entry_id).entry
            self.writes(Person(actor)).remove(entry.entry_id)
        return entry

    def restore(self, entry_id: str) -> Entry:
        """Bring a retired, superseded or sleeping entry back; only a person calls this."""
        from recollect.flows.writes.restore import restore

        with self.opened.store.write():
            return restore(self.opened.store.entries.get(entry_id), self.opened.writer("user"))

    def vote(self, entry_id: str, direction: str, reason: str, *, actor: str = "user") -> Entry:
        """Say that an entry was useful or wrong, and why."""
        store = self.opened.store
        with store.write():
            self.writes(Person(actor)).vote(entry_id, direction, reason)
            return store.entries.get(entry_id).entry

    def undo(self, name: str | int = "") -> Undone:
        """Take back the last change, a change by its number, or the last one of an entry, a task or a project."""
        from recollect.flows.writes.undo import take_back

        return take_back(str(name), self.opened.writer("user"))

    @property
    def caller(self) -> Actor:
        """Who runs this process: a person, or the agent that its variables or its parents name."""
        return caller(self.opened.environ)

    @overload
    def writes(self, actor: Agent) -> AgentWrites: ...

    @overload
    def writes(self, actor: Person) -> PersonWrites: ...

    @overload
    def writes(self, actor: Actor | None = None) -> PersonWrites | AgentWrites: ...

    def writes(self, actor: Actor | None = None) -> PersonWrites | AgentWrites:
        """The memory as somebody may write it, by default whoever runs this process. What an agent wants and is risky
        is asked, or waits for a person; close an agent's when done."""
        actor = self.caller if actor is None else actor
        if isinstance(actor, Agent):
            from recollect.flows.writes.agent_writes import AgentWrites

            return AgentWrites(actor, self.opened)
        from recollect.flows.writes.person_writes import PersonWrites

        return PersonWrites(actor, self.opened)

    def for_person(self, what: str, *, reads_stdin: bool = False, away: bool = False) -> Self:
        """This memory, for what only a person decides: Refused where an agent runs, nobody sits at the terminal (unless
        they may be `away`), or something is piped into it that is not what it reads. `what` begins the sentence."""
        require_person(self.caller, what, reads_stdin=reads_stdin, away=away)
        return self

    # -- recall and injection

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        tokens: int | None = None,
        layers: Sequence[str] = (),
        repository: str | None = None,
        since: float = 0.0,
        tags: Sequence[str] = (),
        project: str = "",
        everywhere: bool = False,
        without: Sequence[str] = (),
        session: str = "",
        host: str = "",
    ) -> tuple[Recall, str]:
        """What a turn with this text would get, and the id of its receipt; `without` what it was given already."""
        from recollect.flows.turns.answer_question import answer_question

        require_question(query, k, tokens, layers)
        filters = self.opened.filters(repository)._replace(
            layers=tuple(layers),
            since=since,
            tags=tuple(tags),
            project=self.opened.project_id(project),
            everywhere=everywhere,
            without=frozenset(without),
        )
        limits = self.opened.limits(k, tokens)
        return answer_question(query, self.opened, Recipient(host, session), filters=filters, limits=limits)

    def inject(self, prompt: str, *, session: str = "", host: str = "", stays: bool = True) -> Injection:
        """Text for the user turn, and the id of its receipt; empty when nothing is worth its tokens.

        What a session was given it is not given again, unless its text does not stay in the conversation."""
        from recollect.flows.turns.turn import turn

        require_question(prompt, None, None, ())
        # Without a session nobody can say whose words these are; with one, a prompt told twice is one turn.
        to = Recipient(host, session, keeps_text=stays)
        return turn(prompt, self.opened, to, typed=bool(session), may_repeat=True)

    def start_session(self, session: str = "", *, host: str = "") -> str:
        """What a session is given at its start, for the system prompt; the same bytes for as long as it lasts."""
        from recollect.flows.turns.session_start import session_start

        return session_start(self.opened, Recipient(host, session))

    def why(self, *, session: str = "", turn: int | None = None, receipt_id: str = "", here: bool = False) -> Receipt:
        """The receipt of a turn; the last one unless told otherwise, or with `here` the last one of this repository."""
        from recollect.flows.turns.waiting_receipts import last_receipt, receipt_with

        self.opened.take_in()
        store, spool = self.opened.store, self.home.spool
        if receipt_id:
            return receipt_with(receipt_id, store=store, spool_folder=spool)
        repository = self.repository.repository if here else None
        found = last_receipt(store, spool_folder=spool, session=session, turn=turn, repository=repository)
        if found is None:
            raise NotFound("There is no such receipt; nothing has been recalled there yet.")
        return found

    def receipts(self, session: str) -> list[Receipt]:
        """What each turn of a session was given, oldest first."""
        return self.opened.receipts(session)

    # -- rooms

    @property
    def entries(self) -> EntryList:
        """What is stored: listed, looked at, and drafts of what could be."""
        from recollect.flows.views.entries import EntryList

        return EntryList(self.opened)

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
        """Sessions of every host: importing, digesting, looking back."""
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
    def pending(self) -> Pending:
        """What waits for a person."""
        from recollect.flows.writes.pending import Pending
        from recollect.flows.writes.strategies import Strategies

        return Pending(self.opened.writer("user"), Strategies(self.opened).named)

    @property
    def facts(self) -> FactList:
        """What suggestions are made from, as an editor works with it."""
        from recollect.flows.suggestions.facts import FactList

        return FactList(self.opened)

    @property
    def suggestions(self) -> SuggestionList:
        """Changes of customization files that wait for a person."""
        from recollect.flows.suggestions.suggestion_list import SuggestionList

        return SuggestionList(self.opened)

    @property
    def permissions(self) -> StandingApprovals:
        """What a person let agents do for longer than once."""
        from recollect.flows.writes.approvals import StandingApprovals

        return StandingApprovals(self.opened)

    @property
    def shelves(self) -> Shelves:
        """Texts that programs keep under addresses, the files of a model's memory tool among them."""
        from recollect.flows.shelves.shelves import Shelves

        return Shelves(self.opened)

    @property
    def transfer(self) -> Transfer:
        """Everything out, everything back."""
        from recollect.flows.views.transfer import Transfer

        return Transfer(self.opened)

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
        """Compaction and truncation of somebody's messages."""
        from recollect.flows.compaction.conversation import Conversation

        clock, models = self.opened.clock, self.opened.models
        return Conversation(self.settings, folder=self.folder, clock=clock, windows=self._windows, models=models)

    @property
    def _windows(self) -> ModelWindows:
        """How large a request to a model may be, with what this home has learned about it."""
        from recollect.flows.compaction.model_windows import windows_of

        return windows_of(self.opened)
