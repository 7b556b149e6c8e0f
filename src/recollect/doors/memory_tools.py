"""The memory tools of an MCP server for an agent of our own: the same words, the same answers, the same permissions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.mcp.arguments import Arguments
from recollect.doors.mcp.callers import Caller
from recollect.doors.mcp.reading import answer_read
from recollect.doors.mcp.recalling import answer_recall
from recollect.doors.mcp.tools import READ, RECALL, STORE, VOTE, WRITE, offered
from recollect.doors.mcp.writing import answer_store, answer_vote, answer_write
from recollect.flows.chat.toolbox import Planned, Tool, ToolAnswer
from recollect.model.permissions import MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.app import Recollect
    from recollect.doors.mcp.answers import Answered
    from recollect.doors.mcp.tools import Declared
    from recollect.flows.chat.agent import Agent
    from recollect.flows.chat.toolbox import Work
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.model.messages import Json

RECALLING = "recall"  # the kind of tools that only read memory
_TITLES = {RECALL: "query", WRITE: "content", STORE: "fact", VOTE: "fact", READ: "address"}
_WRITERS: dict[str, Callable[[Arguments, AgentWrites], Answered]] = {
    WRITE: answer_write,
    STORE: answer_store,
    VOTE: answer_vote,
}


def memory_tools(memory: Recollect, agent: Agent) -> list[Tool]:
    """The tools that work here now."""
    writes = memory.writes(agent.permits.actor)
    declared = offered(
        can_vote=writes.can_vote,
        store_instructions=writes.store_instructions,
        scopes=writes.scopes,
        knows_work=writes.knows_work,
        words=writes.tool_words,
    )
    known = {RECALL, READ, *_WRITERS}
    return [_tool(one, memory, writes) for one in declared if one.name in known]


def _tool(declared: Declared, memory: Recollect, writes: AgentWrites) -> Tool:
    def plan(arguments: Json, work: Work) -> Planned:
        return Planned(" ".join(str(arguments.get(_TITLES[declared.name]) or "").split()))

    def run(arguments: Json, work: Work) -> ToolAnswer:
        given = Arguments(declared, arguments)
        if declared.name == RECALL:
            answered = answer_recall(given, memory, Caller("Recollect", "recollect", work.folder))
        elif declared.name == READ:
            answered = answer_read(given.text("address"), given.text("cursor"), memory)
        else:
            answered = _WRITERS[declared.name](given, writes)
        return ToolAnswer(answered.text, failed=answered.failed)

    kind = MEMORY if declared.name in _WRITERS else RECALLING
    return Tool(declared.name, kind, declared.description, declared.takes, run, plan)
