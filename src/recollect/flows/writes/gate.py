"""The gate before what an agent wants to do with one kind of tool. The agent never answers for itself.

`memory` is one kind of tool; rules, approvals and questions of any other kind pass through here in the same way."""

from __future__ import annotations

from recollect.model.permissions import Approval
from recollect.permissions import decide, rules_of
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.flows.writes.actors import Agent
    from recollect.model.permissions import Decision, Question, Reach, Rules
    from recollect.settings import Settings
    from recollect.store.store import Store


class Gate:
    """What one agent may do in one repository: by rules, by what a person allowed, or by asking."""

    def __init__(
        self,
        agent: Agent,
        repository: str,
        rules: Rules,
        *,
        new_id: Callable[[str], str],
        clock: Callable[[], float],
    ) -> None:
        self._agent = agent
        self._repository = repository
        self._rules = rules
        self._new_id = new_id
        self._clock = clock
        self._allowed_here: set[str] = set()  # kinds, for a session that has no name to keep that under

    def decide(self, kind: str, store: Store) -> Decision:
        """What the rules and earlier approvals say about this kind of tool."""
        approvals = store.approvals
        session = kind in self._allowed_here or approvals.holds(kind, "session", self._agent.session)
        location = approvals.holds(kind, "location", self._repository)
        return decide(kind, self._rules, session=session, location=location)

    def ask(self, question: Question, store: Store) -> Decision:
        """Ask the person, and keep what they allow for longer than once. `ask` means that nobody answered."""
        match self._agent.ask(question) if self._agent.ask else "nobody":
            case "reject":
                return "deny"
            case "once":
                return "allow"
            case "session" | "location" as reach:
                self._keep(question.kind, reach, store)
                return "allow"
            case _:
                return "ask"

    def _keep(self, kind: str, reach: Reach, store: Store) -> None:
        if reach == "location" and not self._repository:
            reach = "session"
        place = self._repository if reach == "location" else self._agent.session
        if not place:
            self._allowed_here.add(kind)
            return
        with store.write():
            store.approvals.add(Approval(self._new_id(ids.APPROVAL), kind, reach, place, self._clock()))


def rules_for(settings: Settings, allow_tools: Sequence[str], deny_tools: Sequence[str]) -> Rules:
    """The rules that hold."""
    given = settings.permissions
    return rules_of(
        deny=given.deny,
        allow=given.allow,
        allow_all=given.allow_all,
        allow_tools=allow_tools,
        deny_tools=deny_tools,
    )
