"""Agent writes: redact -> validate -> scope -> client -> permission -> strategy; each end has its own result."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound, RecollectError, Refused, UsageError
from recollect.flows.turns.announcements import announce_applied
from recollect.flows.writes.agent_plans import OWN, Plan, apply, plan_store, plan_update, written_of
from recollect.flows.writes.find_typed import was_printed, was_taken_back, was_typed
from recollect.flows.writes.permit import Gate, WritingAgent
from recollect.memory.drafts import LONGEST, agents_draft
from recollect.memory.origins import Cited, origin_of, prose_of
from recollect.model.drafts import Draft
from recollect.model.permissions import Written
from recollect.model.record import Record
from recollect.permissions import LOW, RELABELS, is_users_own, risk_of_removal, risk_of_text
from recollect.ports import NewMemory
from recollect.text.language.statements import statement_key
from recollect.text.secrets.redacting import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.shelves.change_texts import TextChange
    from recollect.flows.writes.write import Writer
    from recollect.model.entries import Entry, Origin, Scope
    from recollect.model.permissions import Rules
    from recollect.permissions import Risk
    from recollect.ports import Ask, Strategy
    from recollect.store.store import Store

DIRECTIONS = {"up": "up", "upvote": "up", "down": "down", "downvote": "down"}
ACTIONS = ("add", "update", "remove")
OWN_INSTRUCTIONS = (
    "Store facts that will still hold in later sessions: what the user corrected, prefers or decided, and how this "
    "repository works. One declarative sentence each, with what it rests on. Not task progress, not secrets."
)


class Means(Record):
    """What agent writes need from the composition root."""

    writer: Callable[[], Writer]
    cite: Callable[[Sequence[str]], Cited]  # reads citations as an agent gives them
    read: Callable[[str], str | None]  # the text of a cited file of the repository
    new_id: Callable[[str], str]
    rules: Rules
    strategy: Callable[[], Strategy | None]  # None: our own store
    why_off: str = ""  # why there is no memory to write to; empty: there is


class AgentMemory:
    """The memory as an agent may write it. Nothing here raises: whatever happens is a Written with its reason."""

    def __init__(self, place: WritingAgent, means: Means, *, ask: Ask | None = None) -> None:
        self._place = place
        self._means = means
        self._gate = Gate(place, means.rules, writer=means.writer, new_id=means.new_id, ask=ask)
        self._strategy: Strategy | None = None
        self._chosen = False

    # -- what the tools are

    @property
    def can_vote(self) -> bool:
        """Is there a vote_memory to offer?"""
        strategy = self._chosen_strategy()
        return not self._means.why_off and (strategy.can_vote if strategy else True)

    @property
    def store_instructions(self) -> str:
        """What the description of store_memory says about when and how to call it."""
        strategy = self._chosen_strategy()
        return strategy.prompt().store_instructions if strategy else OWN_INSTRUCTIONS

    @property
    def prompt_context(self) -> str:
        """What the strategy tells the model at the start of a session; our own store does that through hooks."""
        strategy = self._chosen_strategy()
        return strategy.prompt().text if strategy else ""

    def close(self) -> None:
        """Let the strategy finish its work."""
        if self._strategy:
            self._strategy.close()

    # -- the tools

    def store_memory(
        self, subject: str, fact: str, citations: str | Sequence[str], reason: str, scope: str | None = None
    ) -> Written:
        """Store one fact with what it rests on."""
        return _told(lambda: self._store_memory(subject, fact, citations, reason, scope))

    def vote_memory(self, fact: str, direction: str, reason: str) -> Written:
        """Say that a memory, named by its exact text, was useful or wrong."""
        return _told(lambda: self._vote_memory(fact, direction, reason))

    def memory_write(
        self, action: str, layer: str, content: str = "", target_id: str = "", tags: Sequence[str] = ()
    ) -> Written:
        """Add, update or remove an entry of the profile (L0) or of knowledge (L1)."""
        return _told(lambda: self._memory_write(action, layer, content, target_id, tags))

    def write_text(self, text_change: TextChange, texts: Sequence[str], replaces: Sequence[Entry]) -> Written:
        """Change texts under addresses: `texts` is what would be new, `replaces` what would go."""
        return _told(lambda: self._write_text(text_change, texts, replaces))

    # -- the same for commands that an agent runs in a shell

    def offer(self, draft: Draft) -> Written:
        """Store a draft; whose words it is, is found out, whatever the draft says."""
        return _told(lambda: self._offer(draft))

    def replace(self, entry_id: str, draft: Draft) -> Written:
        """Put a draft in the place of an entry."""
        return _told(lambda: self._replace(self._target(entry_id), draft))

    def remove(self, entry_id: str) -> Written:
        """Retire an entry."""
        return _told(lambda: self._remove(self._target(entry_id)))

    def vote(self, entry_id: str, direction: str, reason: str) -> Written:
        """Vote on an entry."""
        return _told(lambda: self._vote(self._target(entry_id), direction, redacted(reason)))

    # -- the flows behind them

    def _offer(self, draft: Draft) -> Written:
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        evidence = Cited(draft.citations, prose=prose_of(draft.citations, self._means.read))
        origin = self._origin(redacted(draft.content), evidence)
        mine = agents_draft(draft, origin=origin, session=self._place.session)
        return self._permitted_text(plan_store(mine, self._means.writer()), origin)

    def _replace(self, entry: Entry, draft: Draft) -> Written:
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        origin = self._origin(redacted(draft.content))
        mine = agents_draft(draft, origin=origin, session=self._place.session, instead_of=entry)
        plan = plan_update(entry, mine, self._means.writer())
        if is_users_own(entry) and statement_key(mine.content) == statement_key(entry.content):
            return self._permitted(plan, RELABELS)
        return self._permitted_text(plan, origin)

    def _remove(self, entry: Entry) -> Written:
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        return self._permitted(Plan("remove", target=entry), self._removal_risk(entry))

    def _vote(self, entry: Entry, way: str, reason: str) -> Written:
        plan = Plan("vote", target=entry, direction=way, reason=reason)
        return self._permitted(plan, LOW if way == "up" else self._removal_risk(entry))

    def _write_text(self, text_change: TextChange, texts: Sequence[str], replaces: Sequence[Entry]) -> Written:
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        scope = "repository" if text_change.place.repository else "user"
        origins = [self._origin(text) for text in texts]
        risks = [risk_of_text(origin=one, layer="L1", scope=scope, contradicts=replaces) for one in origins]
        risks += [self._removal_risk(entry) for entry in replaces]
        risk = next((one for one in risks if one.waits), LOW)
        # A model's notes are its own words at best, also where they repeat the user's.
        printed: Origin = next((one for one in origins if one in ("tool", "document")), "assistant")
        text_change = text_change._replace(place=text_change.place._replace(origin=printed))
        return self._permitted(Plan("write", text_change=text_change), risk)

    def _store_memory(
        self, subject: str, fact: str, citations: str | Sequence[str], reason: str, scope: str | None
    ) -> Written:
        given = [citations] if isinstance(citations, str) else list(citations or ())
        subject, fact, reason = redacted(subject), redacted(fact), redacted(reason)
        cited = [one for one in map(redacted, given) if one]
        problem = _store_problem(subject, fact, cited, reason)
        if problem:
            return Written("invalid", problem)
        strategy = self._chosen_strategy()
        where = self._scope(scope, strategy)
        if isinstance(where, Written):
            return where
        if self._off():
            return Written("no_client", self._off())
        evidence = self._means.cite(cited)
        origin = self._origin(fact, evidence)
        if strategy:
            memory = NewMemory(
                subject, fact, tuple(cited), reason, where, source=self._place.client or "agent", origin=origin
            )
            plan = Plan("store", strategy=strategy.name, memory=memory)
            risk = risk_of_text(origin=origin, layer="L1", scope=where)
            return self._permitted(plan, risk)
        draft = Draft(
            fact,
            scope=where,
            repository=self._place.repository if where == "repository" else "",
            subject=subject,
            reason=reason,
            citations=evidence.citations,
            source="agent",
            origin=origin,
            session=self._place.session,
        )
        return self._permitted_text(plan_store(draft, self._means.writer()), origin)

    def _vote_memory(self, fact: str, direction: str, reason: str) -> Written:
        fact, reason = redacted(fact), redacted(reason)
        way = DIRECTIONS.get(direction.strip().lower() if isinstance(direction, str) else "")
        if not fact or not reason or not way:
            return Written(
                "invalid", "A vote needs the exact text of the fact, a direction (upvote or downvote) and a reason."
            )
        if self._off():
            return Written("no_client", self._off())
        strategy = self._chosen_strategy()
        if strategy:
            if not strategy.can_vote:
                return Written("refused", f"The {strategy.name} memory cannot count votes.")
            memory = NewMemory("", fact, (), reason, "repository", source=self._place.client or "agent")
            plan = Plan("vote", direction=way, reason=reason, strategy=strategy.name, memory=memory)
            return self._permitted(plan, LOW)
        entry = self._exactly(fact)
        if entry is None:
            return Written("invalid", "No memory here says exactly that; give its text as memory_recall shows it.")
        return self._vote(entry, way, reason)

    def _memory_write(self, action: str, layer: str, content: str, target_id: str, tags: Sequence[str]) -> Written:
        content = redacted(content)
        labels = tuple(one for one in map(redacted, tags or ()) if one)
        problem = _write_problem(action, layer, content, redacted(target_id))
        if problem:
            return Written("invalid", problem)
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        scope = self._home_of(layer)
        draft = Draft(content, layer, scope, self._place.repository if scope == "repository" else "", tags=labels)  # type: ignore[arg-type]
        if action == "add":
            return self._offer(draft)
        entry = self._target(target_id)
        if action == "remove":
            return self._remove(entry)
        return self._replace(entry, _inheriting(draft, entry))

    # -- permission

    def _permitted_text(self, plan: Plan, origin: Origin) -> Written:
        """As _permitted, with the risk of what the plan would store."""
        draft = plan.draft
        assert draft
        if plan.buried and origin != "typed":
            return Written("refused", plan.buried)
        risk = risk_of_text(origin=origin, layer=draft.layer, scope=draft.scope, contradicts=plan.replaces)
        return self._permitted(plan, risk)

    def _permitted(self, plan: Plan, risk: Risk) -> Written:
        return self._gate.permitted(plan, risk, self._apply)

    # -- strategy

    def _apply(self, plan: Plan) -> Written:
        if plan.strategy != OWN:
            strategy, memory = self._chosen_strategy(), plan.memory
            assert strategy
            assert memory
            if plan.action == "vote":
                return strategy.vote(memory.fact, plan.direction, plan.reason)
            return strategy.store(memory)
        writer = self._means.writer()
        with writer.store.write():
            written = written_of(apply(plan, writer, session=self._place.session))
            target_id = plan.target.entry_id if plan.target else ""
            writer.store.staged.settle_same(plan.action, plan.what, target_id=target_id)
            announce_applied(plan, written, writer, client=self._place.client)
        return written

    def _chosen_strategy(self) -> Strategy | None:
        if self._means.why_off:
            return None
        if not self._chosen:
            self._strategy, self._chosen = self._means.strategy(), True
        return self._strategy

    # -- what a write rests on

    def _origin(self, text: str, evidence: Cited | None = None) -> Origin:
        writer, place = self._means.writer(), self._place
        if was_typed(text, store=writer.store, session=place.session, repository=place.repository, now=writer.now):
            return "typed"
        return origin_of(text, evidence, printed=was_printed(text, store=writer.store, session=place.session))

    def _removal_risk(self, entry: Entry) -> Risk:
        writer, place = self._means.writer(), self._place
        typed = was_taken_back(
            entry.content, store=writer.store, session=place.session, repository=place.repository, now=writer.now
        )
        return risk_of_removal(entry, typed=typed)

    def _scope(self, scope: str | None, strategy: Strategy | None) -> Scope | Written:
        if scope not in (None, "", "user", "repository"):
            return Written("invalid_scope", f"A scope is user or repository, not {str(scope)[:40]!r}.")
        if scope == "repository" and not self._place.repository:
            return Written("invalid_scope", "There is no repository here; use the scope user.")
        where: Scope = "user" if scope == "user" or not self._place.repository else "repository"
        if strategy and not strategy.why_off and where not in strategy.scopes:
            return Written("invalid_scope", f"The {strategy.name} memory is not used for the scope {where}.")
        return where

    def _off(self) -> str:
        """Why there is no memory for the tools to write to; empty when there is."""
        strategy = None if self._means.why_off else self._chosen_strategy()
        return self._means.why_off or (
            f"There is no memory to write to: {strategy.why_off}." if strategy and strategy.why_off else ""
        )

    def _home_of(self, layer: str) -> Scope:
        return "repository" if layer == "L1" and self._place.repository else "user"

    def _target(self, target_id: str) -> Entry:
        entry = self._store().entries.get(target_id).entry
        if entry.layer == "L2":
            raise Refused("The archive (L2) is written by the system alone.")
        if entry.repository not in ("", self._place.repository):
            raise Refused("That entry belongs to another repository.")
        if entry.status != "active":
            raise Refused(f"{entry.entry_id} is {entry.status}; only the user can bring it back.")
        return entry

    def _exactly(self, fact: str) -> Entry | None:
        found = [
            stored.entry
            for stored in self._store().entries.saying(statement_key(fact))
            if stored.entry.status == "active"
            and stored.entry.layer != "L2"
            and stored.entry.repository in ("", self._place.repository)
        ]
        return max(found, key=lambda entry: entry.scope == "repository", default=None)

    def _store(self) -> Store:
        return self._means.writer().store


def _inheriting(draft: Draft, entry: Entry) -> Draft:
    """A new version keeps the place and the names of the old one, unless it changes the layer."""
    labels = draft.tags or entry.tags
    if draft.layer != entry.layer:
        return draft._replace(tags=labels)
    return draft._replace(
        scope=entry.scope,
        repository=entry.repository,
        subject=entry.subject,
        aliases=entry.aliases,
        tags=labels,
        project=entry.project,
        task=entry.task,
    )


def redacted(value: object) -> str:
    """A value from a tool call as tidy text without secrets; empty for what is no text."""
    return redact(value).strip() if isinstance(value, str) else ""


def _store_problem(subject: str, fact: str, citations: Sequence[str], reason: str) -> str:
    values = {"subject": subject, "fact": fact, "citations": citations, "reason": reason}
    missing = [name for name, value in values.items() if not value]
    if missing:
        return f"store_memory needs {', '.join(missing)}."
    if len(fact) > LONGEST["L1"]:
        return f"A fact may have {LONGEST['L1']:,} characters, this has {len(fact):,}: store the facts one by one."
    return ""


def _write_problem(action: str, layer: str, content: str, target_id: str) -> str:
    if action not in ACTIONS:
        return f"An action is add, update or remove, not {str(action)[:40]!r}."
    if layer not in ("L0", "L1"):
        return "A layer is L0 (the profile) or L1 (knowledge); the archive is written by the system alone."
    if action != "remove" and not content:
        return f"To {action}, say what the entry says: content is empty."
    if action != "add" and not target_id:
        return f"To {action}, name the entry: target_id is empty."
    return ""


def _told(call: Callable[[], Written]) -> Written:
    """The result of a call; an error of ours becomes the result that fits it."""
    try:
        return call()
    except (NotFound, Ambiguous, UsageError) as error:
        return Written("invalid", str(error))
    except Refused as error:
        return Written("refused", str(error))
    except RecollectError as error:
        return Written("failed", str(error))
