"""An agent of ours as a door opens it: with the memory tools, and with the agent file that somebody named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.memory_tools import memory_tools
from recollect.flows.chat.agent import Options
from recollect.flows.chat.agent_files import find_agent
from recollect.flows.sessions.terminal import Terminal
from recollect.flows.writes.actors import Person

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.app import Recollect
    from recollect.flows.chat.agent import Agent
    from recollect.flows.chat.listening import Listener
    from recollect.model.messages import Json
    from recollect.model.permissions import Answer, Question
    from recollect.ports import Ask


def new_agent(
    memory: Recollect,
    *,
    ask: Ask,
    options: Options | None = None,
    listeners: Sequence[Listener] = (),
    servers: Mapping[str, Json] | None = None,
) -> Agent:
    """An agent without a session yet. NotFound for an agent that nobody defined."""
    options = options or Options()
    if options.agent and not options.instructions:
        found = find_agent(options.agent, memory.opened)
        options = options._replace(
            instructions=found.instructions,
            allow_tools=(*options.allow_tools, *found.allow_tools),
            deny_tools=(*options.deny_tools, *found.deny_tools),
        )
    return memory.chats.agent(
        ask=ask,
        options=options,
        tools=lambda agent: memory_tools(memory, agent),
        listeners=listeners,
        servers=servers,
    )


def person_here(memory: Recollect) -> Terminal | None:
    """What says that words are a person's own: they sit at this terminal, and nothing is piped into it."""
    return Terminal() if memory.caller == Person() else None


def nobody_answers(question: Question) -> Answer:
    """ports.Ask where nobody is there: what would be asked waits."""
    return "nobody"


def first_line(what: str) -> str:
    """What somebody would have been asked, without why."""
    return what.partition("\n")[0]
