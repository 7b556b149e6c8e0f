"""Agent writes: redact -> validate -> scope -> client -> permission -> strategy; each end has its own result."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound, RecollectError, Refused, UsageError
from recollect.flows.agent_plans import OWN, Plan, apply, plan_store, plan_update, to_payload
from recollect.flows.announcements import announce_applied
from recollect.flows.typed import was_printed, was_taken_back, was_typed
from recollect.memory.drafts import LONGEST
from recollect.memory.origins import origin_of
from recollect.model.drafts import Draft
from recollect.model.permissions import MEMORY, Approval, Question, Staged, Written
from recollect.model.record import Record
from recollect.permissions import LOW, decide, risk_of_removal, risk_of_text
from recollect.ports import NewMemory
from recollect.text import ids
from recollect.text.secrets import redact
from recollect.text.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.write import Writer
    from recollect.memory.origins import Cited
    from recollect.model.entries import Entry, Layer, Origin, Scope
    from recollect.model.permissions import Reach, Rules
    from recollect.permissions import Risk
    from recollect.ports import Ask, Strategy
    from recollect.store.store import Store

WAIT_SECONDS = 14 * 86_400.0
DIRECTIONS = {"up": "up", "upvote": "up", "down": "down", "downvote": "down"}
ACTIONS = ("add", "update", "remove")
OWN_INSTRUCTIONS = (
    "Store facts that will still hold in later sessions: what the user corrected, prefers or decided, and how this "
    "repository works. One declarative sentence each, with what it rests on. Not task progress, not secrets."
)


class Place(Record):
    """Where an agent writes from."""

    repository: str
    client: str = ""  # the agent's name
    session: str = ""
    host: str = ""


class Means(Record):
    """What agent writes need from the composition root."""

    writer: Callable[[], Writer]
    cite: Callable[[Sequence[str]], Cited]
    new_id: Callable[[str], str]
    rules: Rules
    strategy: Callable[[], Strategy | None]  # None: our own store
    why_off: str = ""  # why there is no memory to write to; empty: there is


class AgentMemory:
    """The memory as an agent may write it. Nothing here raises: whatever happens is a Written with its reason."""

    def __init__(self, place: Place, means: Means, *, ask: Ask | None = None) -> None:
        self._place = place
        self._means = means
        self._ask = ask
        self._allowed_here = False  # for the session, when the session has no name
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

    # -- the flows behind them

    def _store_memory(
        self, subject: str, fact: str, citations: str | Sequence[str], reason: str, scope: str | None
    ) -> Written:
        given = [citations] if isinstance(citations, str) else list(citations or ())
        subject, fact, reason = redacted(subject), redacted(fact), redacted(reason)
        cited = [one for one in map(redacted, given) if one]
        problem = _store_problem(subject, fact, cited, reason)
        if problem:
            return Written("invalid", problem)
        where = self._scope(scope)
        if isinstance(where, Written):
            return where
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        evidence = self._means.cite(cited)
        origin = self._origin(fact, evidence)
        strategy = self._chosen_strategy()
        if strategy:
            memory = NewMemory(
                subject, fact, tuple(cited), reason, where, source=self._place.client or "agent", origin=origin
            )
            plan = Plan("store", strategy=strategy.name, memory=memory)
            risk = risk_of_text(origin=origin, layer="L1", scope=where)
            return self._permitted(plan, risk)
        draft = self._draft(fact, "L1", where, origin)._replace(
            subject=subject, reason=reason, citations=evidence.citations
        )
        return self._permitted_text(plan_store(draft, self._means.writer()), origin)

    def _vote_memory(self, fact: str, direction: str, reason: str) -> Written:
        fact, reason = redacted(fact), redacted(reason)
        way = DIRECTIONS.get(direction.strip().lower() if isinstance(direction, str) else "")
        if not fact or not reason or not way:
            return Written(
                "invalid", "A vote needs the exact text of the fact, a direction (upvote or downvote) and a reason."
            )
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        strategy = self._chosen_strategy()
        if strategy:
            if not strategy.can_vote:
                return Written("refused", f"The {strategy.name} memory cannot count votes.")
            memory = NewMemory("", fact, (), reason, "repository", source=self._place.client or "agent")
            plan = Plan("vote", direction=way, reason=reason, strategy=strategy.name, memory=memory)
            return self._permitted(plan, LOW if way == "up" else risk_of_text(origin="assistant", layer="", scope=""))
        entry = self._exactly(fact)
        if entry is None:
            return Written("invalid", "No memory here says exactly that; give its text as memory_recall shows it.")
        plan = Plan("vote", target=entry, direction=way, reason=reason)
        return self._permitted(plan, LOW if way == "up" else self._removal_risk(entry))

    def _memory_write(self, action: str, layer: str, content: str, target_id: str, tags: Sequence[str]) -> Written:
        content = redacted(content)
        labels = tuple(one for one in map(redacted, tags or ()) if one)
        problem = _write_problem(action, layer, content, redacted(target_id))
        if problem:
            return Written("invalid", problem)
        if self._means.why_off:
            return Written("no_client", self._means.why_off)
        if action == "add":
            origin = self._origin(content)
            draft = self._draft(content, layer, self._home_of(layer), origin)._replace(tags=labels)  # type: ignore[arg-type]
            return self._permitted_text(plan_store(draft, self._means.writer()), origin)
        entry = self._target(target_id)
        if action == "remove":
            return self._permitted(Plan("remove", target=entry), self._removal_risk(entry))
        origin = self._origin(content)
        return self._permitted_text(self._plan_update(entry, content, layer, labels, origin), origin)

    def _plan_update(self, entry: Entry, content: str, layer: str, tags: tuple[str, ...], origin: Origin) -> Plan:
        scope = entry.scope if layer == entry.layer else self._home_of(layer)
        draft = self._draft(content, layer, scope, origin)._replace(  # type: ignore[arg-type]
            subject=entry.subject if layer == entry.layer else "",
            aliases=entry.aliases,
            tags=tags or entry.tags,
            project=entry.project,
            task=entry.task,
        )
        if entry.scope == "repository" and scope == "repository":
            draft = draft._replace(repository=entry.repository)
        return plan_update(entry, draft, self._means.writer())

    # -- permission

    def _permitted_text(self, plan: Plan, origin: Origin) -> Written:
        """As _permitted, with the risk of what the plan would store."""
        draft = plan.draft
        assert draft
        if plan.buried and origin != "typed":
            return Written("refused", "This was retired or corrected before; only the user can bring it back.")
        risk = risk_of_text(origin=origin, layer=draft.layer, scope=draft.scope, contradicts=plan.replaces)
        return self._permitted(plan, risk)

    def _permitted(self, plan: Plan, risk: Risk) -> Written:
        """Do it, ask for it, or let it wait."""
        place, store = self._place, self._store()
        session = self._allowed_here or store.approvals.holds(MEMORY, "session", place.session)
        location = store.approvals.holds(MEMORY, "location", place.repository)
        decision = decide(MEMORY, self._means.rules, session=session, location=location)
        if decision == "deny":
            return Written("denied", "A rule denies agents to change memory (permissions.deny).")
        if decision == "allow" or not risk.waits:
            return self._apply(plan)
        answer = self._ask(self._question(plan, risk)) if self._ask else "nobody"
        if answer == "reject":
            return Written("denied", "The user said no.")
        if answer in ("session", "location"):
            self._remember_approval("location" if answer == "location" and place.repository else "session")
        if answer in ("once", "session", "location"):
            return self._apply(plan)
        return self._stage(plan, risk)

    def _remember_approval(self, reach: Reach) -> None:
        place = self._place.repository if reach == "location" else self._place.session
        if not place:
            self._allowed_here = True
            return
        writer = self._means.writer()
        with writer.store.write():
            approval = Approval(self._means.new_id(ids.APPROVAL), MEMORY, reach, place, writer.now)
            writer.store.approvals.add(approval)

    def _question(self, plan: Plan, risk: Risk) -> Question:
        draft, memory = plan.draft, plan.memory
        return Question(
            plan.action,
            plan.what,
            risk.why,
            scope=draft.scope if draft else memory.scope if memory else plan.target.scope if plan.target else "",
            layer=draft.layer if draft else plan.target.layer if plan.target else "",
            citations=memory.citations
            if memory
            else tuple(one.path or one.quote for one in draft.citations)
            if draft
            else (),
            reason=plan.reason or (draft.reason if draft else memory.reason if memory else ""),
            direction=plan.direction,
            replaces=tuple(entry.content for entry in plan.replaces),
            client=self._place.client,
            repository=self._place.repository,
        )

    def _stage(self, plan: Plan, risk: Risk) -> Written:
        writer, place = self._means.writer(), self._place
        scope = plan.draft.scope if plan.draft else plan.target.scope if plan.target else "repository"
        staged = Staged(
            self._means.new_id(ids.STAGED),
            plan.action,
            plan.target.entry_id if plan.target else "",
            to_payload(plan),
            plan.what,
            risk.why,
            client=place.client,
            session=place.session,
            repository=place.repository if scope == "repository" else "",
            created=writer.now,
            expires=writer.now + WAIT_SECONDS,
        )
        with writer.store.write():
            staged_id = writer.store.staged.add(staged)
        return Written("staged", f"It waits for the user, because {risk.why}", staged_id)

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
            written = apply(plan, writer, session=self._place.session)
            announce_applied(plan, written, writer, client=self._place.client)
        return written

    def _chosen_strategy(self) -> Strategy | None:
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

    def _scope(self, scope: str | None) -> Scope | Written:
        if scope not in (None, "", "user", "repository"):
            return Written("invalid_scope", f"A scope is user or repository, not {str(scope)[:40]!r}.")
        if scope == "repository" and not self._place.repository:
            return Written("invalid_scope", "There is no repository here; use the scope user.")
        return "user" if scope == "user" or not self._place.repository else "repository"

    def _home_of(self, layer: str) -> Scope:
        return "repository" if layer == "L1" and self._place.repository else "user"

    def _draft(self, content: str, layer: Layer, scope: Scope, origin: Origin) -> Draft:
        return Draft(
            content,
            layer=layer,
            scope=scope,
            repository=self._place.repository if scope == "repository" else "",
            source="agent",
            origin=origin,
            session=self._place.session,
        )

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
