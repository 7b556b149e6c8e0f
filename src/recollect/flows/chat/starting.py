"""What a session begins with: who the agent is, where it works, what the repository asks of agents, and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.files.trees import read_cited
from recollect.flows.turns.session_start import session_start
from recollect.model.messages import Message, Text
from recollect.prompts import render
from recollect.text.fences import neutralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.chat.toolbox import Tool
    from recollect.flows.opened import Opened
    from recollect.model.turns import Recipient

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md")
LONGEST_INSTRUCTIONS = 16_000  # characters


def system_message(memory: Opened, to: Recipient, tools: Sequence[Tool], instructions: str) -> Message:
    """The system message of a session; it is recorded once and stays as it is."""
    has_tools = any(tool.kind == "memory" for tool in tools)
    told = render(
        "chat",
        folder=memory.folder,
        agent=f"\n{instructions}\n" if instructions else "",
        instructions=_instructions(memory.root),
    )
    block = session_start(memory, to._replace(has_tools=has_tools))
    return Message("system", tuple(Text(part) for part in (told, block) if part))


def _instructions(root: str) -> str:
    """The first file in which this repository says what it asks of agents."""
    for name in INSTRUCTION_FILES:
        text = (read_cited(root, name) or "").strip()
        if text:
            return f"\nWhat {name} of this repository says:\n\n{neutralise(text[:LONGEST_INSTRUCTIONS])}\n"
    return ""
