"""Claude with a memory that a person can read: the back end for Anthropic's memory tool.

`client` is an `anthropic.Anthropic()`; its model calls the tool as it likes, and the runner answers it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.adapters.anthropic_memory import RecollectMemoryTool

if TYPE_CHECKING:
    from anthropic import Anthropic

    from recollect import Recollect


def ask(client: Anthropic, memory: Recollect, question: str, *, model: str) -> str:
    """What Claude answers, with what it noted in earlier conversations at hand."""
    runner = client.beta.messages.tool_runner(
        model=model,
        max_tokens=4_096,
        tools=[RecollectMemoryTool(memory, client="claude")],
        messages=[{"role": "user", "content": question}],
    )
    answer = runner.until_done()
    return "".join(block.text for block in answer.content if block.type == "text")


def notes(memory: Recollect) -> dict[str, str]:
    """What Claude keeps, as a person sees it."""
    return {entry.subject: entry.content for entry in memory.entries.list(tag="shelved", status="active")}
