"""The public face: a dozen verbs; the rooms of a memory are in `rooms`."""

from __future__ import annotations

import time
from typing import overload

from recollect.errors import NotFound
from recollect.flows.opened import open_home
from recollect.flows.turns.questions import require_question
from recollect.flows.views.choices import several
from recollect.flows.writes.actors import Agent, Person, caller, require_person
from recollect.model.drafts import Draft
from recollect.model.turns import Recipient
from recollect.rooms import Rooms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from recollect.flows.writes.actors import Actor
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.flows.writes.person_writes import PersonWrites
    from recollect.flows.writes.undo import Undone
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Citation, Entry, Layer, Origin, Scope, Source
    from recollect.model.receipts import Answer, Injection, Receipt


class Recollect(Rooms):
    """One memory: remember, recall, inject, correct, and see why.

    >>> from recollect import Recollect
    >>> with Recollect.open() as memory:  # your home, and the repository you are in
    ...     stored = memory.remember("This repository uses pnpm, not npm.")
    ...     print(stored.status, memory.entries.get(stored.entry_id).content)
    ...     answer = memory.recall("which package manager is used here?")
    ...     print([one.entry.content for one in answer.entries])
    ...     print(memory.why(receipt_id=answer.receipt).query)
    ...     print(memory.inject("how do I install the dependencies?").text)
    ...     print(memory.start_session())

    `inject` returns text for a prompt, `start_session` text for a system prompt.
    `recall` returns an answer with its `entries`, best first; it is false when
    there are none, and `len` counts them.

    Writing: remember, remember_many, correct, edit, forget, restore, vote, undo.
    Reading: recall, inject, start_session, why, receipts.
    Properties with methods of their own: entries, browsing, profile, tasks,
    sessions, own_sessions, chats, pending, facts, suggestions, permissions,
    activity, tokens, board, rem, background, shelves, transfer, copies, models,
    artifacts, context, settings. For example: help(memory.entries).

    An id may be given in full, or by its beginning or end. Where a list of
    strings may stand, one string counts as a list of one.

    What goes wrong raises a RecollectError, whose message says what to do. An
    argument of the wrong type is a bug in the program that calls: it may raise
    TypeError or AttributeError, as anywhere in Python.
    """

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
        """Close the database."""
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
        """Store one entry. By default it holds in this repository; outside one, and in layer L0, everywhere.

        `project` and `task` are named by id or title; a task brings its project along."""
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
            task=task,
        )
        draft = draft._replace(source=source, origin=origin, confidence=confidence, session=session)
        return self.writes(Person(source)).store(draft)

    def remember_many(
        self, texts: Sequence[str | Draft], *, scope: Scope | None = None, source: Source = "user"
    ) -> list[Outcome]:
        """Store many entries fast, where `remember` would. Exact repeats are dropped; near repeats are not looked
        for."""
        from recollect.flows.writes.write import add_many

        scope = scope or self.opened.scope_for("L1")
        place = self.repository.repository if scope == "repository" else ""
        same = Draft("", scope=scope, repository=place, source=source)[1:]
        drafts = [Draft._make((text, *same)) if isinstance(text, str) else text for text in several(texts)]
        return add_many(drafts, self.opened.writer(source))

    def correct(self, text: str, *, entry_id: str = "", session: str = "", source: Source = "user") -> Outcome:
        """Store a correction. It replaces the entry you name, or else the one it contradicts."""
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
        """Change what an entry says or how it is labelled; the old version stays in the history."""
        draft = self.entries.edited(entry_id, text=text, tags=tags, subject=subject, aliases=aliases, reason=reason)
        origin: Origin = "typed" if source == "user" else "assistant"
        return self.writes(Person(source)).replace(entry_id, draft._replace(source=source, origin=origin))

    def forget(self, entry_id: str, *, hard: bool = False, actor: str = "user") -> Entry:
        """Retire an entry; `hard` erases every trace of it instead."""
        from recollect.flows.autonomous.erasing import erase_from_artifacts
        from recollect.flows.suggestions.sharing import unshare
        from recollect.flows.writes.erase import erase
        from recollect.memory.versions import with_earlier

        store = self.opened.store
        self.opened.take_in()
        if hard:
            # First these two: what is erased cannot be found there any more.
            unshare(entry_id, self.opened)
            versions = with_earlier(store.entries.get(entry_id), store)
            erase_from_artifacts([one.entry.content for one in versions], self.opened)
            return erase(entry_id, store=store, backups=self.home.backups, now=self.opened.now)
        with store.write():
            entry = store.entries.get(entry_id).entry
            self.writes(Person(actor)).remove(entry.entry_id)
        return entry

    def restore(self, entry_id: str) -> Entry:
        """Bring back a retired, replaced or inactive entry; only a person calls this."""
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
        """Undo the last change, a change by its number, or the last change of an entry, task or project."""
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
        """The writes that `actor` may make; by default, whoever runs this process. An agent's risky changes are asked
        about or wait for a person. Close what you get for an agent when you are done."""
        actor = self.caller if actor is None else actor
        if isinstance(actor, Agent):
            from recollect.flows.writes.agent_writes import AgentWrites

            return AgentWrites(actor, self.opened)
        from recollect.flows.writes.person_writes import PersonWrites

        return PersonWrites(actor, self.opened)

    def for_person(
        self, what: str, *, actor: Actor | None = None, reads_stdin: bool = False, away: bool = False
    ) -> Self:
        """Return this memory if a person is there to decide, else raise Refused: in an agent, without anybody at the
        terminal (unless `away`), or with something piped in (unless `reads_stdin`). The refusal begins with `what`,
        as in "Loading an export needs a person"."""
        require_person(self.caller if actor is None else actor, what, reads_stdin=reads_stdin, away=away)
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
        since: float | str = 0.0,
        tags: Sequence[str] = (),
        project: str = "",
        everywhere: bool = False,
        without: Sequence[str] = (),
        session: str = "",
        host: str = "",
    ) -> Answer:
        """What a turn with this text would get: `entries`, best first, and the id of their `receipt`.

        Go over `.entries`: the answer itself still unpacks into recall and receipt, which is deprecated.

        `since` is a time, in seconds or as "7d", "yesterday" or "2026-01-31". `repository` asks as if inside that one,
        which you can name by its folder too, `everywhere` in all of them. `without` lists entries to leave out."""
        from recollect.flows.turns.answer_question import answer_question

        layers = several(layers)
        require_question(query, k, tokens, layers)
        if repository:
            from recollect.flows.views.name_repository import name_repository

            repository = name_repository(repository, self.opened)
        if since:
            from recollect.text.times import moment

            since = moment(since, now=self.opened.now)
        filters = self.opened.filters(repository)._replace(
            layers=layers,
            since=since or 0.0,
            tags=several(tags),
            project=self.opened.project_id(project),
            everywhere=everywhere,
            without=frozenset(several(without)),
        )
        limits = self.opened.limits(k, tokens)
        return answer_question(query, self.opened, Recipient(host, session), filters=filters, limits=limits)

    def inject(self, prompt: str, *, session: str = "", host: str = "", stays: bool = True) -> Injection:
        """Text for the user turn, and the id of its receipt; empty when nothing is worth its tokens.

        A session is given an entry only once, because the text stays in its conversation; with `stays=False` it is
        given it with every prompt that needs it. The same prompt again within a minute counts as a retry of the same
        turn, and gets the same entries again."""
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
        """The receipt of a turn; by default the last one, with `here` the last one of this repository."""
        from recollect.flows.turns.waiting_receipts import last_receipt, receipt_with

        self.opened.take_in()
        store, spool = self.opened.store, self.home.spool
        if receipt_id:
            return receipt_with(receipt_id, store=store, spool_folder=spool)
        repository = self.repository.repository if here else None
        found = last_receipt(store, spool_folder=spool, session=session, turn=turn, repository=repository)
        if found is None:
            if turn and not session:
                raise NotFound(f"No receipt here is of a turn {turn}. Name its session, too: `--session ID`.")
            turn_named = f"turn {turn} of " if turn else ""
            where = f" in {turn_named}session {session}" if session else " in this repository" if here else ""
            raise NotFound(f'Nothing has been recalled{where} yet. Try `recollect recall "..."`.')
        return found

    def receipts(self, session: str) -> list[Receipt]:
        """What each turn of a session was given, oldest first."""
        return self.opened.receipts(session)
