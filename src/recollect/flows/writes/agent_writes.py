"""Agent writes: redact -> validate -> scope -> client -> permission -> strategy; each end has its own outcome."""

from __future__ import annotations

from functools import wraps

from recollect.errors import Ambiguous, NotFound, RecollectError, Refused, UsageError
from recollect.flows.views.choices import several
from recollect.flows.writes.evidence import Evidence
from recollect.flows.writes.permitted_changes import PermittedChanges
from recollect.flows.writes.require_statement import require_more_than_secret, require_statement
from recollect.flows.writes.strategies import Strategies
from recollect.flows.writes.tasks import TaskList
from recollect.flows.writes.tool_arguments import Work, inheriting, redacted, store_problem, write_problem
from recollect.flows.writes.tool_counts import ToolCounts
from recollect.flows.writes.wanted_changes import (
    ChangeTexts,
    RemoveEntry,
    SendToStrategy,
    VoteInStrategy,
    VoteOnEntry,
)
from recollect.memory.drafts import agents_draft, edited
from recollect.memory.versions import require_active
from recollect.model.drafts import Draft, Outcome
from recollect.permissions import LOW, risk_of_text
from recollect.ports import NewMemory
from recollect.strategies.gates import LOCAL, OWN
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Concatenate, ParamSpec

    from recollect.flows.opened import Opened
    from recollect.flows.shelves.change_texts import TextChange
    from recollect.flows.writes.actors import Agent
    from recollect.model.entries import Entry, Origin, Scope
    from recollect.ports import Strategy, ToolWords

    Given = ParamSpec("Given")

FOR_STRATEGIES = ("store_memory", "vote_memory")  # tools that lead to the strategy; all else is written here
DIRECTIONS = {"up": "up", "upvote": "up", "down": "down", "downvote": "down"}
OWN_INSTRUCTIONS = (
    "Store facts that will still hold in later sessions: what the user corrected, prefers or decided, and how this "
    "repository works. One declarative sentence each, with what it rests on. Not task progress, not secrets."
)


class SwitchedOff(RecollectError):
    """Memory is switched off (enabled = false)."""


def never_raises(
    method: Callable[Concatenate[AgentWrites, Given], Outcome],
) -> Callable[Concatenate[AgentWrites, Given], Outcome]:
    """What a method raises of ours becomes the outcome that fits it."""

    @wraps(method)
    def answered(self: AgentWrites, /, *given: Given.args, **named: Given.kwargs) -> Outcome:
        try:
            outcome = method(self, *given, **named)
        except SwitchedOff as error:
            return Outcome("no_client", why=str(error))
        except (NotFound, Ambiguous, UsageError) as error:
            return Outcome("invalid", why=str(error))
        except Refused as error:
            outcome = Outcome("refused", why=str(error))
        except RecollectError as error:
            return Outcome("failed", why=str(error))
        strategy = self._chosen_strategy() if method.__name__ in FOR_STRATEGIES else None
        self._counts.outcome(strategy.name if strategy else OWN, outcome)
        return outcome

    return answered


class AgentWrites:
    """The memory as an agent may write it. Whatever happens to a write is an Outcome with its reason."""

    def __init__(self, agent: Agent, memory: Opened) -> None:
        self._agent = agent._replace(client=redacted(agent.client))  # it chose its name itself
        self._memory = memory
        self._store = memory.store
        self._repository = memory.repository.repository
        self._switched_off = "" if memory.settings.enabled else str(SwitchedOff())
        self._evidence = Evidence(agent.session, memory)
        self._counts = ToolCounts(memory.store)
        self._changes = PermittedChanges(self._agent, memory, self._chosen_strategy, self._evidence, self._counts)
        self._strategy: Strategy | None = None
        self._chosen = False

    # -- what the tools are

    @property
    def can_vote(self) -> bool:
        """Is there a vote_memory to offer?"""
        strategy = self._chosen_strategy()
        return not self._switched_off and (strategy.can_vote if strategy else True)

    @property
    def store_instructions(self) -> str:
        """What the description of store_memory says about when and how to call it."""
        strategy = self._chosen_strategy()
        return strategy.prompt().store_instructions if strategy else OWN_INSTRUCTIONS

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scopes that store_memory can be told."""
        strategy = self._chosen_strategy()
        return strategy.scopes if strategy else ("repository", "user")

    @property
    def knows_work(self) -> bool:
        """Can store_memory put a fact under a project or a task? Only our own store knows them."""
        return self._chosen_strategy() is None

    @property
    def tool_words(self) -> Mapping[str, ToolWords]:
        """How the strategy itself describes store_memory and vote_memory."""
        strategy = self._chosen_strategy()
        return strategy.prompt().tools if strategy else {}

    @property
    def prompt_context(self) -> str:
        """What the strategy tells the model at the start of a session; our own store does that through hooks."""
        strategy = self._chosen_strategy()
        return strategy.prompt().text if strategy else ""

    def close(self) -> None:
        """Let the strategy finish its work."""
        if self._strategy:
            self._strategy.close()
            if self._strategy.name == LOCAL:
                self._leave_tidying()

    def _leave_tidying(self) -> None:
        from recollect.flows.upkeep.tidy_file import leave_tidying

        try:
            leave_tidying(self._memory)
        except RecollectError:
            return  # the file is written; the next session leaves it again

    # -- the tools

    @never_raises
    def store_memory(
        self,
        subject: str,
        fact: str,
        citations: str | Sequence[str],
        reason: str,
        scope: str | None = None,
        *,
        project: str = "",
        task: str = "",
        tags: Sequence[str] = (),
    ) -> Outcome:
        """Store one fact with what it rests on; in our own store also under a project or a task, and with tags."""
        given = several(citations or ())
        subject, fact, reason = redacted(subject), redacted(fact), redacted(reason)
        cited = [one for one in map(redacted, given) if one]
        problem = store_problem(subject, fact, cited, reason)
        if problem:
            return Outcome("invalid", why=problem)
        strategy = self._chosen_strategy()
        where = self._scope(scope, strategy)
        if isinstance(where, Outcome):
            return where
        if off := self._why_off(strategy):
            return Outcome("no_client", why=off)
        work = self._work(project, task)
        evidence = self._evidence.given(cited)
        origin = self._evidence.origin(fact, evidence)
        if strategy:
            if work.given:
                return Outcome("invalid", why=f"The {strategy.name} memory does not support projects and tasks.")
            source = self._agent.client or "agent"
            memory = NewMemory(subject, fact, tuple(cited), reason, where, source=source, origin=origin)
            risk = risk_of_text(fact, origin=origin, layer="L1", scope=where)
            return _with_note(self._changes.permitted(SendToStrategy(strategy.name, memory), risk), evidence.note)
        draft = Draft(
            fact,
            scope=where,
            repository=self._repository if where == "repository" else "",
            subject=subject,
            reason=reason,
            citations=evidence.citations,
            source="agent",
            origin=origin,
            project=work.project,
            task=work.task,
            session=self._agent.session,
            tags=tuple(one for one in map(redacted, several(tags)) if one),
        )
        return _with_note(self._changes.write_draft(draft), evidence.note)

    @never_raises
    def vote_memory(self, fact: str, direction: str, reason: str) -> Outcome:
        """Say that a memory, named by its exact text, was useful or wrong."""
        fact, reason = redacted(fact), redacted(reason)
        way = DIRECTIONS.get(direction.strip().lower() if isinstance(direction, str) else "")
        if not fact or not reason or not way:
            return Outcome(
                "invalid", why="A vote needs the exact text of the fact, a direction (upvote or downvote) and a reason."
            )
        strategy = self._chosen_strategy()
        if off := self._why_off(strategy):
            return Outcome("no_client", why=off)
        if strategy:
            if not strategy.can_vote:
                return Outcome("refused", why=f"The {strategy.name} memory does not support votes.")
            memory = NewMemory("", fact, (), reason, "repository", source=self._agent.client or "agent")
            return self._changes.permitted(VoteInStrategy(strategy.name, memory, way, reason), LOW)
        entry = self._exactly(fact)
        if entry is None:
            return Outcome("invalid", why="No memory here says exactly that; give its text as memory_recall shows it.")
        return self._vote(entry, way, reason)

    @never_raises
    def memory_write(
        self,
        action: str,
        layer: str,
        content: str = "",
        target_id: str = "",
        tags: Sequence[str] = (),
        *,
        project: str = "",
        task: str = "",
    ) -> Outcome:
        """Add, update or remove an entry of the profile (L0) or of knowledge (L1), or put one under a project or a
        task: an update may do only that."""
        content = redacted(content)
        labels = tuple(one for one in map(redacted, several(tags or ())) if one)
        problem = write_problem(action, layer, content, redacted(target_id), attaches=bool(project or task))
        if problem:
            return Outcome("invalid", why=problem)
        self._require_on()
        work = self._work(project, task)
        scope: Scope = "repository" if layer == "L1" and self._repository else "user"
        draft = Draft(
            content,
            layer,  # type: ignore[arg-type]
            scope,
            self._repository if scope == "repository" else "",
            tags=labels,
            project=work.project,
            task=work.task,
        )
        if action == "add":
            return self.store(draft)
        entry = self._target(target_id)
        return self._remove(entry) if action == "remove" else self._replace(entry, inheriting(draft, entry))

    @never_raises
    def write_text(self, change: TextChange, texts: Sequence[str], replaces: Sequence[Entry]) -> Outcome:
        """Change texts under addresses: `texts` is what would be new, `replaces` what would go."""
        self._require_on()
        scope = "repository" if change.place.repository else "user"
        origins = [self._evidence.origin(text) for text in texts]
        risks = [
            risk_of_text(text, origin=one, layer="L1", scope=scope, contradicts=replaces)
            for text, one in zip(texts, origins, strict=True)
        ]
        risks += [self._evidence.removal_risk(entry) for entry in replaces]
        risk = next((one for one in risks if one.waits), LOW)
        # A model's notes are its own words at best, also where they repeat the user's.
        printed: Origin = next((one for one in origins if one in ("tool", "document")), "assistant")
        return self._changes.permitted(ChangeTexts(change._replace(place=change.place._replace(origin=printed))), risk)

    # -- the same as a person's writes

    @never_raises
    def store(self, draft: Draft) -> Outcome:
        """Store a draft; whose words it is, is found out, whatever the draft says."""
        self._require_on()
        require_statement(draft.content)
        require_more_than_secret(draft.content)
        origin = self._evidence.origin(redacted(draft.content), self._evidence.known(draft.citations))
        return self._changes.write_draft(agents_draft(draft, origin=origin, session=self._agent.session))

    @never_raises
    def correct(self, draft: Draft, *, entry_id: str = "") -> Outcome:
        """Store what is right, in the place of an entry where one is named."""
        if not entry_id:
            return self.store(draft)
        return self.replace(entry_id, edited(self._store.entries.get(entry_id).entry, text=draft.content))

    @never_raises
    def replace(self, entry_id: str, draft: Draft) -> Outcome:
        """Put a draft in the place of an entry."""
        return self._replace(self._target(entry_id), draft)

    @never_raises
    def remove(self, entry_id: str) -> Outcome:
        """Retire an entry."""
        return self._remove(self._target(entry_id))

    @never_raises
    def vote(self, entry_id: str, direction: str, reason: str) -> Outcome:
        """Vote on an entry."""
        return self._vote(self._target(entry_id), direction, redacted(reason))

    @property
    def tasks(self) -> TaskList:
        """Tasks and projects; an agent keeps the tasks of the repository it works in."""
        return TaskList(self._memory, agent=self._agent.client or "An agent")

    # -- the flows behind them

    def _replace(self, entry: Entry, draft: Draft) -> Outcome:
        self._require_on()
        require_statement(draft.content)
        require_more_than_secret(draft.content)
        origin = self._evidence.origin(redacted(draft.content), self._evidence.known(draft.citations))
        mine = agents_draft(draft, origin=origin, session=self._agent.session, instead_of=entry)
        return self._changes.write_draft(mine, instead_of=entry)

    def _remove(self, entry: Entry) -> Outcome:
        self._require_on()
        return self._changes.permitted(RemoveEntry(entry), self._evidence.removal_risk(entry))

    def _vote(self, entry: Entry, way: str, reason: str) -> Outcome:
        return self._changes.permitted(
            VoteOnEntry(entry, way, reason), LOW if way == "up" else self._evidence.removal_risk(entry)
        )

    def _require_on(self) -> None:
        if self._switched_off:
            raise SwitchedOff

    def _chosen_strategy(self) -> Strategy | None:
        if self._switched_off or self._agent.stays_here:
            return None
        if not self._chosen:
            self._strategy, self._chosen = Strategies(self._memory).chosen(), True
        return self._strategy

    def _work(self, project: str, task: str) -> Work:
        """The project and the task that are named, by id or title; a task brings its project along."""
        project, task = redacted(project), redacted(task)
        found = self._store.tasks.task(task) if task else None
        if found and found.repository not in ("", self._repository):
            raise Refused("That task belongs to another repository.")
        return Work(*self._memory.work_ids(project, found.task_id if found else ""))

    def _why_off(self, strategy: Strategy | None) -> str:
        """Why there is no memory for the tools to write to; empty when there is."""
        if strategy and strategy.why_off:
            return f"There is no memory to write to: {strategy.why_off}."
        return self._switched_off

    def _scope(self, scope: str | None, strategy: Strategy | None) -> Scope | Outcome:
        if scope not in (None, "", "user", "repository"):
            return Outcome("invalid_scope", why=f"The scope must be user or repository, not {str(scope)[:40]!r}.")
        if scope == "repository" and not self._repository:
            return Outcome("invalid_scope", why="There is no repository here; use the scope user.")
        where: Scope = "user" if scope == "user" or not self._repository else "repository"
        if strategy and not strategy.why_off and where not in strategy.scopes:
            return Outcome("invalid_scope", why=f"The {strategy.name} memory is not used for the scope {where}.")
        return where

    def _target(self, target_id: str) -> Entry:
        entry = self._store.entries.get(target_id).entry
        if entry.layer == "L2":
            raise Refused("Only the system writes to the archive (L2).")
        if entry.repository not in ("", self._repository):
            raise Refused("That entry belongs to another repository.")
        require_active(entry, self._store, "only the user can bring it back")
        return entry

    def _exactly(self, fact: str) -> Entry | None:
        found = [
            stored.entry
            for stored in self._store.entries.saying(statement_key(fact))
            if stored.entry.status == "active"
            and stored.entry.layer != "L2"
            and stored.entry.repository in ("", self._repository)
        ]
        return max(found, key=lambda entry: entry.scope == "repository", default=None)


def _with_note(outcome: Outcome, note: str) -> Outcome:
    return outcome._replace(why=f"{outcome.why} {note}".strip()) if note else outcome
