"""What a session begins with: who the agent is, where it works, what the repository asks of agents, and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.instructions import instructions_of
from recollect.flows.turns.session_start import session_start
from recollect.model.messages import Message, Text
from recollect.prompts import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.chat.toolbox import Tool
    from recollect.flows.opened import Opened
    from recollect.model.turns import Recipient


def system_message(memory: Opened, to: Recipient, tools: Sequence[Tool], instructions: str) -> Message:
    """The system message of a session; it is recorded once and stays as it is."""
    has_tools = any(tool.kind == "memory" for tool in tools)
    told = render(
        "chat",
        folder=memory.folder,
        agent=f"\n{instructions}\n" if instructions else "",
        instructions=f"\n{asked}\n" if (asked := instructions_of(memory.root)) else "",
    )
    block = session_start(memory, to._replace(has_tools=has_tools))
    return Message("system", tuple(Text(part) for part in (told, block) if part))
