"""Permit: what an agent wants is done, asked about, or staged. The agent never answers for itself."""

from __future__ import annotations

from recollect.flows.writes.agent_plans import require_unchanged, to_payload
from recollect.model.permissions import MEMORY, Approval, Question, Staged, Written
from recollect.model.record import Record
from recollect.permissions import decide
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.writes.agent_plans import Plan
    from recollect.flows.writes.write import Writer
    from recollect.model.permissions import Reach, Rules
    from recollect.permissions import Risk
    from recollect.ports import Ask

WAIT_SECONDS = 14 * 86_400.0


class WritingAgent(Record):
    """Where an agent writes from."""

    repository: str
    client: str = ""  # the agent's name
    session: str = ""
    host: str = ""


class Gate:
    """Stands before every write of one agent."""

    def __init__(
        self,
        place: WritingAgent,
        rules: Rules,
        *,
        writer: Callable[[], Writer],
        new_id: Callable[[str], str],
        ask: Ask | None = None,
    ) -> None:
        self._place = place
        self._rules = rules
        self._writer = writer
        self._new_id = new_id
        self._ask = ask
        self._allowed_here = False  # for the session, when it has no name to keep that under

    def permitted(self, plan: Plan, risk: Risk, apply: Callable[[Plan], Written]) -> Written:
        """Apply the plan, or say why not: denied by a rule or a person, or staged because nobody could be asked."""
        place, approvals = self._place, self._writer().store.approvals
        session = self._allowed_here or approvals.holds(MEMORY, "session", place.session)
        location = approvals.holds(MEMORY, "location", place.repository)
        decision = decide(MEMORY, self._rules, session=session, location=location)
        if decision == "deny":
            return Written("denied", "A rule denies agents to change memory (permissions.deny).")
        if decision == "allow" or not risk.waits:
            return apply(plan)
        answer = self._ask(_question(plan, risk, place)) if self._ask else "nobody"
        if answer == "reject":
            return Written("denied", "The user said no.")
        if answer in ("session", "location"):
            self._remember("location" if answer == "location" and place.repository else "session")
        if answer in ("once", "session", "location"):
            require_unchanged(plan, self._writer().store)
            return apply(plan)
        return self._stage(plan, risk)

    def _remember(self, reach: Reach) -> None:
        name = self._place.repository if reach == "location" else self._place.session
        if not name:
            self._allowed_here = True
            return
        writer = self._writer()
        with writer.store.write():
            writer.store.approvals.add(Approval(self._new_id(ids.APPROVAL), MEMORY, reach, name, writer.now))

    def _stage(self, plan: Plan, risk: Risk) -> Written:
        writer, place = self._writer(), self._place
        staged = Staged(
            self._new_id(ids.STAGED),
            plan.action,
            plan.target.entry_id if plan.target else "",
            to_payload(plan),
            plan.what,
            risk.why,
            client=place.client,
            session=place.session,
            repository=place.repository if plan.scope == "repository" else "",
            created=writer.now,
            expires=writer.now + WAIT_SECONDS,
        )
        with writer.store.write():
            staged_id = writer.store.staged.add(staged)
        return Written("staged", f"It waits for the user, because {risk.why}", staged_id)


def _question(plan: Plan, risk: Risk, place: WritingAgent) -> Question:
    return Question(
        plan.action,
        plan.what,
        risk.why,
        scope=plan.scope,
        layer=plan.layer,
        citations=plan.citations,
        reason=plan.reason or plan.because,
        direction=plan.direction,
        replaces=tuple(entry.content for entry in plan.replaces),
        client=place.client,
        repository=place.repository,
    )
