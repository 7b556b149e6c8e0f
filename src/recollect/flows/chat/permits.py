"""May a tool be used? Rules first, then what a person allowed, then the person. Nobody there means that it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.writes.actors import Agent as Actor
from recollect.flows.writes.gate import Gate, rules_for
from recollect.model.permissions import MEMORY
from recollect.permissions import EVERY_KIND, kind_of
from recollect.sessions.events import RESUME, START, NewEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.chat.toolbox import Planned, Tool
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.permissions import Answer, Question
    from recollect.ports import Ask

CLIENT = "Recollect"
HOST = "recollect"
WAITING = "permission.waiting"  # an event: what would have been asked while nobody was there
DENIED = "Not permitted: a rule denies it (permissions.deny, or --deny-tool). Do not try it in another way."
REJECTED = "The user said no. Do not try it in another way; ask what they want instead."
NOBODY = (
    "Not done: it needs the user's permission, and nobody is there to ask. It is noted for them. "
    "Go on with what needs no permission, then say what is left."
)


class Permits:
    """What the agent of one session may do. `memory` is decided where memory is written, by the same rules."""

    def __init__(
        self,
        memory: Opened,
        session: OwnSession,
        ask: Ask,
        *,
        cancelled: Callable[[], bool] = bool,
        allow_tools: tuple[str, ...] = (),
        deny_tools: tuple[str, ...] = (),
        yolo: bool = False,
    ) -> None:
        self._memory = memory
        self._session = session
        self._ask = ask
        self._cancelled = cancelled
        self._call_id = ""
        allow = (*allow_tools, *EVERY_KIND) if yolo else allow_tools
        rules = rules_for(memory.settings, allow, deny_tools)
        # permissions.allow_all speaks of memory; files and commands are another matter.
        self._rules = rules._replace(allow_all=yolo)
        self.actor = Actor(CLIENT, session.session_id, HOST, self.asked, allow, deny_tools)
        repository = memory.repository.repository
        self._gate = Gate(self.actor, repository, self._rules, new_id=memory.new_id, clock=memory.clock)

    def begin(self, call_id: str) -> None:
        """Questions from now on are about this call."""
        self._call_id = call_id

    def asked(self, question: Question) -> Answer:
        """ports.Ask: the person's answer; what nobody answers is noted for them."""
        question = question._replace(call_id=self._call_id)
        answer = self._ask(question)
        if answer == "nobody" and not self._cancelled():
            self._session.record(NewEvent(WAITING, {"kind": question.kind, "what": question.text}))
        return answer

    def is_denied(self, tool: Tool) -> bool:
        """Does a rule deny this tool, or its kind? Then it is not even offered."""
        return kind_of(tool.name) in self._rules.deny or tool.kind in self._rules.deny or tool.name in self._rules.deny

    def why_not(self, tool: Tool, planned: Planned) -> str:
        """Why it may not be used, in words for the model; empty when it may."""
        if self.is_denied(tool):
            return DENIED
        if planned.question is None or tool.kind == MEMORY or tool.name in self._rules.allow:
            return ""
        store = self._memory.store
        decision = self._gate.decide(tool.kind, store)
        if decision == "ask":
            decision = self._gate.ask(planned.question, store)
        return {"allow": "", "deny": REJECTED}.get(decision, NOBODY)


def waited(session: OwnSession) -> list[str]:
    """What would have been asked since the session was last taken up, before this time."""
    return _waiting(session)[-2]


def waits(session: OwnSession) -> list[str]:
    """What would have been asked since the session was taken up this time."""
    return _waiting(session)[-1]


def _waiting(session: OwnSession) -> list[list[str]]:
    """What waited each time that the session was taken up; nothing before the first time."""
    found: list[list[str]] = [[], []]
    for event in session.events():
        if event.kind in (START, RESUME):
            found.append([])
        elif event.kind == WAITING:
            found[-1].append(str(event.data.get("what", "")))
    return found
