"""What a session works with besides its messages: plan, todos, invoked skills and the active agent, from its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.sessions import events

if TYPE_CHECKING:
    from recollect.sessions.events import Event


class KeptState(Record):
    """As it is after an event. A compaction takes it from here and never summarises it."""

    plan: str = ""
    todos: str = ""
    skills: tuple[tuple[str, str], ...] = ()  # name and instructions, the one invoked last at the end
    agent: str = ""
    agent_summary: str = ""

    @property
    def told_agent(self) -> str:
        """The active agent and what it is about."""
        return f"{self.agent}\n{self.agent_summary}".strip()


NOTHING_KEPT = KeptState()


def after(state: KeptState, event: Event) -> KeptState:
    """The state after an event; the same object when the event is about something else."""
    match event:
        case events.Event(kind=events.PLAN, data={"content": str(plan)}):
            return state._replace(plan=plan)
        case events.Event(kind=events.TODOS, data={"content": str(todos)}):
            return state._replace(todos=todos)
        case events.Event(kind=events.SKILL, data={"name": str(name), "content": str(content)}):
            others = tuple(skill for skill in state.skills if skill[0] != name)
            return state._replace(skills=(*others, (name, content)))
        case events.Event(kind=events.AGENT, data={"agentName": str(agent)}):
            summary = event.data.get("summary")
            return state._replace(agent=agent, agent_summary=summary if isinstance(summary, str) else "")
    return state
