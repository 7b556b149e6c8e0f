"""Background agents as somebody from outside meets them: which there are, trusting a repository's, and the inbox."""

from __future__ import annotations

from recollect.files.inbox import folder_of
from recollect.flows.board.board import ContextBoard
from recollect.flows.board.tool import context_board
from recollect.flows.sidekicks.definitions import FoundAgent, find_agent, found_agents, is_flag_on, trust
from recollect.flows.sidekicks.inbox import Inbox, inbox_tool
from recollect.flows.turns.waiting_receipts import last_receipt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Found = list[FoundAgent]

    from recollect.flows.board.tool import ToolAnswer
    from recollect.flows.opened import Opened

REM = ("rem", "rem-agent")


class BackgroundAgents:
    """The agents of one opened memory."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def list(self) -> Found:
        """Every definition with whether it is used."""
        return found_agents(self._memory)

    def is_on(self, found: FoundAgent) -> bool:
        """Is it used, and its feature switched on?"""
        return bool(found.agent and found.is_used and is_flag_on(found.agent.feature_flag, self._memory))

    def trust(self) -> Found:
        """Accept the definitions of this repository as they are now; a person decides that."""
        return trust(self._memory)

    def uses_board(self, name: str) -> bool:
        """Is the tool context_board for the agent of this name? rem and sidekicks have it, a main agent has not."""
        if name in REM:
            return True
        agent = find_agent(name, self._memory) if name else None
        return agent is not None and "context_board" in agent.tools

    def board_tool(self, name: str, arguments: Mapping[str, object]) -> ToolAnswer:
        """context_board as the agent of this name may use it: rem writes, sidekicks read."""
        return context_board(ContextBoard(self._memory), arguments, made_by=name, writes=name in REM)

    def inbox(self, host: str = "", session: str = "", entry_id: str = "") -> Inbox:
        """The inbox of a session; without one, that which holds an entry, or of the session that was last given
        something here."""
        if not session and entry_id:
            folder = folder_of(self._memory.home.sessions, entry_id)
            found = Inbox(self._memory, folder=folder) if folder else None
            if found and any(one.entry_id == entry_id and self._is_here(one.repository) for one in found.list()):
                return found
        if not session:
            here = self._memory.repository.repository
            last = last_receipt(self._memory.store, spool_folder=self._memory.home.spool, repository=here)
            if last is not None and last.session and host in ("", last.host):
                host, session = last.host, last.session
        return Inbox(self._memory, host=host, session=session)

    def inbox_tool(self, arguments: Mapping[str, object], *, host: str = "", session: str = "") -> ToolAnswer:
        """The tool inbox."""
        return inbox_tool(self.inbox(host, session, str(arguments.get("id") or "")), arguments)

    def _is_here(self, repository: str) -> bool:
        return repository in ("", self._memory.repository.repository, *self._memory.repository.aliases)
