"""The chats of a home: an agent for a new one, for the last one here, or for any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import NotFound
from recollect.flows.chat.agent import Agent, Options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.flows.chat.listening import Listener
    from recollect.flows.chat.toolbox import Tool
    from recollect.flows.opened import Opened
    from recollect.flows.sessions.own_sessions import OwnSessions
    from recollect.model.messages import Json
    from recollect.ports import Ask, Provider


class Chats:
    """What a door opens to have an agent."""

    def __init__(self, memory: Opened, sessions: OwnSessions) -> None:
        self._memory = memory
        self._sessions = sessions

    def agent(
        self,
        *,
        ask: Ask,
        options: Options | None = None,
        tools: Callable[[Agent], Sequence[Tool]] = lambda agent: (),
        provider: Provider | None = None,
        listeners: Sequence[Listener] = (),
        servers: Mapping[str, Json] | None = None,
    ) -> Agent:
        """An agent without a session yet: `start()` or `load(name)` gives it one. `servers` are its own MCP servers."""
        from recollect.flows.chat.subconscious import Subconscious
        from recollect.flows.chat.tools.servers import ServerTools

        server_tools = ServerTools(servers)
        subconscious = Subconscious(github=server_tools.github)
        return Agent(
            self._memory,
            self._sessions,
            ask=ask,
            options=options,
            tools=lambda agent: (
                *own_tools(agent),
                *tools(agent),
                *subconscious.tools(agent),
                *server_tools.tools(agent),
            ),
            provider=provider,
            listeners=(*listeners, subconscious, server_tools),
        )

    def last(self) -> str:
        """The id of the chat that was begun last in this repository. NotFound without one."""
        here = self._memory.repository.repository
        found = self._sessions.listed(repository=here)
        mine = [one for one, turns in found if turns and (here or one.cwd == self._memory.folder)]
        if not mine:
            raise NotFound("There is no chat to continue here. Start one with `recollect chat`.")
        return mine[0].session_id


def own_tools(agent: Agent) -> list[Tool]:
    """The tools that every agent of ours has, in the order in which the model sees them."""
    from recollect.flows.chat.tools import files, plans, running, skills

    return [*files.TOOLS, *running.TOOLS, *plans.TOOLS, *skills.tools(agent.memory)]
