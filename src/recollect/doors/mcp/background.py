"""inbox and context_board: what background agents found, and the board that rem keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.mcp.answers import NOTICE, Answered, failure
from recollect.errors import UsageError

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.mcp.arguments import Arguments
    from recollect.doors.mcp.callers import Caller
    from recollect.flows.board.tool import ToolAnswer


def uses_board(agent: str, memory: Recollect) -> bool:
    """Is context_board offered to this agent?"""
    return memory.background.uses_board(agent)


def answer_inbox(arguments: Arguments, memory: Recollect, caller: Caller) -> Answered:
    """List the inbox of this session, or read one entry."""
    given = {name: arguments.text(name) for name in ("command", "id")}
    return told(memory.background.inbox_tool(given, host=caller.host))


def answer_board(arguments: Arguments, memory: Recollect, agent: str) -> Answered:
    """Do what the board is asked; a main agent has no such tool."""
    if not uses_board(agent, memory):
        raise UsageError(
            "context_board is for rem and sidekicks; while `subconscious.enabled` is on, "
            "`recollect mcp --agent rem` offers it."
        )
    given = {name: arguments.text(name) for name in ("command", "src", "name", "description", "context")}
    return told(memory.background.board_tool(agent, given))


def told(answer: ToolAnswer) -> Answered:
    """The answer of a tool, as data too."""
    return failure(answer.text) if answer.failed else Answered(answer.text, {"notice": NOTICE, "text": answer.text})
