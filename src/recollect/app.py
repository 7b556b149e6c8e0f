"""The public face: everything a door or a program may ask of a memory. A room is imported when it is first used."""

from __future__ import annotations

from typing import overload

from recollect.errors import Refused
from recollect.flows.writes.actors import Agent, Person, caller, require_person
from recollect.model.drafts import Draft, Remove, Update
from recollect.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self, TypeVar

    from recollect.flows.sessions.past_sessions import Past
    from recollect.flows.shelves.memory_files import MemoryFiles
    from recollect.flows.shelves.shelf import Shelf
    from recollect.flows.views.exporting import Loaded
    from recollect.flows.writes.actors import Actor
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.flows.writes.approvals import StandingApprovals
    from recollect.flows.writes.pending import Pending
    from recollect.flows.writes.person_writes import PersonWrites
    from recollect.flows.writes.tasks import Work
    from recollect.flows.writes.undo import Undone
    from recollect.model.drafts import Add, Outcome
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
        draft = draft._replace(task=task, source=source, origin=origin, confidence=confidence, session=session)
        return self.writes(Person(source)).store(draft)

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
        origin: Origin = "typed" if source == "user" else "assistant"
        draft = self.draft(text)._replace(source=source, session=session, origin=origin)
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
        draft = self.edited(entry_id, text=text, tags=tags, subject=subject, aliases=aliases, reason=reason)
        origin: Origin = "typed" if source == "user" else "assistant"
        return self.writes(Person(source)).replace(entry_id, draft._replace(source=source, origin=origin))

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
        from recollect.memory.drafts import edited

        return edited(
            self.get(entry_id),
            text=text,
            tags=None if tags is None else _several(tags),
            subject=subject,
            aliases=None if aliases is None else _several(aliases),
            reason=reason,
        )

    def forget(self, entry_id: str, *, hard: bool = False, actor: str = "user") -> Entry:
        """Retire an entry; `hard` erases every trace of it instead."""
        from recollect.flows.writes.erase import erase

        self._take_in()
        if hard:
            return erase(entry_id, store=self.store, backups=self.home.backups, now=self._clock())
        with self.store.write():
            entry = self.get(entry_id)
            self.writes(Person(actor)).remove(entry.entry_id)
        return entry

    def restore(self, entry_id: str) -> Entry:
        """Bring a retired, superseded or sleeping entry back; only a person calls this."""
        from recollect.flows.writes.restore import restore

        with self.store.write():
            return restore(self.store.entries.get(entry_id), self._writer("user"))

    def vote(self, entry_id: str, direction: str, reason: str, *, actor: str = "user") -> Entry:
        """Say that an entry was useful or wrong, and why."""
        with self.store.write():
            self.writes(Person(actor)).vote(entry_id, direction, reason)
            return self.get(entry_id)

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
        return MemoryFiles(shelf, self.writes(Agent(client, session, ask=ask)), shown)

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

    @property
    def caller(self) -> Actor:
        """Who runs this process: a person, or the agent that its variables or its parents name."""
        return caller(self.environ)

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
        if not isinstance(actor, Agent):
            from recollect.flows.writes.person_writes import PersonWrites

            return PersonWrites(actor, self._writer, self.repository.repository, self._new_id)
        from recollect.flows.writes.agent_writes import AgentWrites
        from recollect.flows.writes.permitted_changes import Means

        means = Means(
            store=self.store,
            repository=self.repository.repository,
            writer=self._writer,
            root=self.repository.root,
            folder=self.folder,
            spool=self.home.spool,
            new_id=self._new_id,
            clock=self._clock,
            rules=self._rules(actor.allow_tools, actor.deny_tools),
            strategy=self._strategy,
            why_off="" if self.settings.enabled else "Memory is switched off (enabled = false).",
        )
        return AgentWrites(actor, means)

    def for_person(self, what: str) -> Self:
        """This memory, for what only a person decides: Refused where an agent runs, or nobody sits at the terminal.
        `what` begins the sentence that says so."""
        require_person(self.caller, what)
        return self

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
