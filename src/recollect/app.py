"""The public face: everything a door or a program may ask of a memory. A room is imported when it is first used."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.drafts import Add, Draft, Remove, Update
from recollect.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    from recollect.flows.sessions.past_sessions import Past
    from recollect.flows.shelves.memory_files import MemoryFiles
    from recollect.flows.shelves.shelf import Shelf
    from recollect.flows.views.exporting import Loaded
    from recollect.flows.writes.agent_writes import AgentMemory
    from recollect.flows.writes.approvals import StandingApprovals
    from recollect.flows.writes.pending import Pending
    from recollect.flows.writes.tasks import Work
    from recollect.flows.writes.undo import Undone
    from recollect.flows.writes.write import Writer
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Citation, Entry, Layer, Origin, Scope, Source
    from recollect.ports import Ask

    Label = TypeVar("Label", str, "str | Citation")


class Recollect(Reading):
    """One memory: remember, recall, inject, correct, and see why."""

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
        draft = self.draft(
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
        return self.keep(
            draft._replace(task=task, source=source, origin=origin, confidence=confidence, session=session)
        )

    def keep(self, draft: Draft) -> Outcome:
        """Store a draft."""
        from recollect.flows.writes.write import write

        return write([Add(draft)], self._writer(draft.source), action="remember")[0]

    def draft(
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
    ) -> Draft:
        """An entry that is not stored yet, of this place."""
        return Draft(
            text,
            layer=layer,
            scope=scope or self._scope_for(layer),
            repository=self.repository.repository,
            subject=subject,
            aliases=_several(aliases),
            reason=reason,
            citations=self.citations(_several(cite)),
            tags=_several(tags),
            project=self._project_id(project),
        )

    def remember_many(
        self, texts: Sequence[str | Draft], *, scope: Scope = "user", source: Source = "user"
    ) -> list[Outcome]:
        """Store many entries fast; exact repeats are dropped, near ones are not looked for."""
        from recollect.flows.writes.write import add_many

        place = self.repository.repository if scope == "repository" else ""
        same = Draft("", scope=scope, repository=place, source=source)[1:]
        drafts = [Draft._make((text, *same)) if isinstance(text, str) else text for text in texts]
        return add_many(drafts, self._writer(source))

    def write(self, operations: Sequence[Add | Update | Remove], *, actor: str = "agent") -> list[Outcome]:
        """Additions, updates and removals on L0 and L1 as one change, judged on their final size."""
        from recollect.flows.writes.write import write

        for operation in operations:
            if not isinstance(operation, Remove) and operation.draft.layer == "L2":
                raise Refused("The archive (L2) is written by the system alone.")
            if isinstance(operation, (Update, Remove)) and self.get(operation.entry_id).layer == "L2":
                raise Refused("The archive (L2) is written by the system alone.")
        return write(operations, self._writer(actor))

    def correct(self, text: str, *, entry_id: str = "", session: str = "", source: Source = "user") -> Outcome:
        """Store a correction and supersede the entry it corrects: the one named, or the one it contradicts."""
        from recollect.flows.writes.correct import correct

        draft = Draft(
            text,
            scope=self._scope_for("L1"),
            repository=self.repository.repository,
            source=source,
            session=session,
            origin="typed" if source == "user" else "assistant",
        )
        return correct(draft, self._writer(source), entry_id=entry_id, session=session)

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
        draft = self.edited(entry_id, text=text, tags=tags, subject=subject, aliases=aliases, reason=reason)
        origin: Origin = "typed" if source == "user" else "assistant"
        return self.keep_edited(entry_id, draft._replace(source=source, origin=origin))

    def keep_edited(self, entry_id: str, draft: Draft) -> Outcome:
        """Put a draft in the place of an entry."""
        from recollect.flows.writes.write import write

        return write([Update(self.get(entry_id).entry_id, draft)], self._writer(draft.source), action="edit")[0]

    def edited(
        self,
        entry_id: str,
        *,
        text: str | None = None,
        tags: Sequence[str] | None = None,
        subject: str | None = None,
        aliases: Sequence[str] | None = None,
        reason: str | None = None,
    ) -> Draft:
        """An entry with some of it changed, not stored yet."""
        from recollect.memory.drafts import own_tags, renamed
        from recollect.text.language.statements import subject_of

        entry = self.get(entry_id)
        if text is not None and subject is None:
            subject = renamed(entry, Draft(text, subject=subject_of(text)))
        return Draft(
            entry.content if text is None else text,
            layer=entry.layer,
            scope="user" if entry.layer == "L0" else entry.scope,
            repository="" if entry.layer == "L0" else entry.repository,
            subject=entry.subject if subject is None else subject,
            aliases=entry.aliases if aliases is None else _several(aliases),
            reason=entry.reason if reason is None else reason,
            citations=entry.citations,
            tags=entry.tags if tags is None else (*own_tags(entry.tags), *_several(tags)),
            project=entry.project,
            task=entry.task,
        )

    def forget(self, entry_id: str, *, hard: bool = False, actor: str = "user") -> Entry:
        """Retire an entry; `hard` erases every trace of it instead."""
        from recollect.flows.writes.erase import erase
        from recollect.flows.writes.write import write

        self._take_in()
        if hard:
            return erase(entry_id, store=self.store, backups=self.home.backups, now=self._clock())
        with self.store.write():
            entry = self.get(entry_id)
            write([Remove(entry.entry_id)], self._writer(actor), action="forget")
        return entry

    def restore(self, entry_id: str) -> Entry:
        """Bring a retired, superseded or sleeping entry back; only a person calls this."""
        from recollect.flows.writes.restore import restore

        with self.store.write():
            return restore(self.store.entries.get(entry_id), self._writer("user"))

    def vote(self, entry_id: str, direction: str, reason: str, *, actor: str = "user") -> Entry:
        """Say that an entry was useful or wrong, and why."""
        from recollect.memory.votes import vote

        self._take_in()
        with self.store.write():
            return vote(
                self.store.entries.get(entry_id),
                direction,
                reason,
                store=self.store,
                actor=actor,
                vote_out_downs=self.settings.memory.vote_out_downs,
                now=self._clock(),
            )

    def undo(self, name: str | int = "") -> list[Entry]:
        """As take_back; the entries that the change had touched, as they are now."""
        return self.take_back(name).entries

    def take_back(self, name: str | int = "") -> Undone:
        """Take back the last change, a change by its number, or the last one of an entry, a task or a project."""
        from recollect.flows.writes.undo import take_back

        return take_back(str(name), self._writer("user"))

    # -- profile

    def set_profile(self, markdown: str, *, source: Source = "user") -> list[Outcome]:
        """Replace the whole profile by this Markdown."""
        from recollect.flows.writes.profile import set_profile
        from recollect.memory.profile import parse

        return set_profile(parse(markdown), self._writer(source), source=source)

    def set_profile_section(self, section: str, text: str, *, source: Source = "user") -> list[Outcome]:
        """Replace one section of the profile; an empty text removes it."""
        from recollect.flows.writes.profile import set_section

        return set_section(section, text, self._writer(source), source=source)

    # -- tasks, everything out and back, tidying

    def shelf(self, repository: str, *, origin: Origin, actor: str, session: str = "") -> Shelf:
        """Texts that a program keeps under addresses: of a repository, of the user, or of a place of its own."""
        from recollect.flows.shelves.change_texts import ShelfOwner
        from recollect.flows.shelves.shelf import Shelf

        return Shelf(lambda: self._writer(actor), ShelfOwner(repository, origin, session), self._limits(None, None))

    def memory_files(
        self, *, client: str = "", session: str = "", scope: Scope | None = None, ask: Ask | None = None
    ) -> MemoryFiles:
        """The files that a model keeps under /memories: of the repository, where there is one, else of the user."""
        from recollect.flows.shelves.memory_files import MemoryFiles, overview

        def shown() -> dict[str, str]:
            if not self.settings.enabled:
                return {}
            known = self.entries(layer="L1", status="active", limit=200)
            return overview(self.profile().shown, known, limit_characters=self.settings.injection.max_characters)

        place = self.repository.repository if (scope or self._scope_for("L1")) == "repository" else ""
        shelf = self.shelf(place, origin="assistant", actor=f"agent:{client}" if client else "agent", session=session)
        return MemoryFiles(shelf, self.agent(client=client, session=session, ask=ask), shown)

    @property
    def work(self) -> Work:
        """Tasks and projects."""
        from recollect.flows.writes.tasks import Work

        return Work(self._writer, self.repository.repository, self._new_id)

    def past(self, *, exclude: Sequence[str] = ()) -> Past:
        """Sessions of every host: importing, digesting, looking back."""
        from recollect.flows.sessions.past_sessions import Past

        kept_out = (*self.settings.exclude, *exclude)
        return Past(
            self._writer("system"),
            environ={**self.environ, "RECOLLECT_HOME": self.home.root},
            lookup=self._lookup(),
            exclude=kept_out,
            new_id=self._new_id,
            extracts=self.settings.enabled,
        )

    @property
    def pending(self) -> Pending:
        """What waits for a person."""
        from recollect.flows.writes.pending import Pending

        return Pending(self._writer("user"), self._strategy_named)

    @property
    def permissions(self) -> StandingApprovals:
        """What a person let agents do for longer than once."""
        from recollect.flows.writes.approvals import StandingApprovals

        place = self.repository.repository
        return StandingApprovals(self.store, repository=place, now=self._clock(), new_id=self._new_id)

    def agent(
        self,
        *,
        client: str = "",
        session: str = "",
        host: str = "",
        ask: Ask | None = None,
        allow_tools: Sequence[str] = (),
        deny_tools: Sequence[str] = (),
    ) -> AgentMemory:
        """The memory as an agent may write it: what is risky is asked, or waits for a person. Close it when done."""
        from recollect.flows.turns.keep_receipt import take_in_spool
        from recollect.flows.writes.agent_writes import AgentMemory, Means, redacted
        from recollect.flows.writes.permit import WritingAgent

        client = redacted(client)  # it chose its name itself

        def writer() -> Writer:
            # What was typed a moment ago tells whether the user said so.
            take_in_spool(self.store, spool_folder=self.home.spool)
            return self._writer(f"agent:{client}" if client else "agent")

        means = Means(
            writer=writer,
            cite=lambda given: self._agent_citations(given, session),
            read=self._read_cited,
            new_id=self._new_id,
            rules=self._rules(allow_tools, deny_tools),
            strategy=self._strategy,
            why_off="" if self.settings.enabled else "Memory is switched off (enabled = false).",
        )
        return AgentMemory(WritingAgent(self.repository.repository, client, session, host), means, ask=ask)

    def export(self) -> dict[str, Any]:
        """Everything, as one JSON document."""
        from recollect.flows.views.exporting import export

        self._take_in()
        return export(self.store, settings=self.own_settings())

    def load(self, document: dict[str, Any]) -> Loaded:
        """Bring an export back; what is here already stays as it is."""
        from recollect.files.config import set_value
        from recollect.flows.views.exporting import load

        loaded = load(document, self._writer("user"), own_settings=self.own_settings())
        for name, value in loaded.settings.items():
            set_value(self.home.config, name, value)
        return loaded

    def tidy(self) -> None:
        """Once a day: take in the spool, let unused entries sleep, prune receipts, make a safety copy."""
        from recollect.flows.upkeep.tidy import tidy

        tidy(self.store, self.settings, home=self.home, now=self._clock())


def _several(given: Sequence[Label]) -> tuple[Label, ...]:
    """What was given, also when it is one text where several may stand."""
    return (given,) if isinstance(given, str) else tuple(given)
