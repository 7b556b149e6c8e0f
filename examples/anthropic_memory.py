"""Claude with a memory that a person can read: the back end for Anthropic's memory tool.

`client` is an `anthropic.Anthropic()`; its model calls the tool as it likes, and the runner answers it.
"""

from __future__ import annotations

import tempfile
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


def main() -> None:
    """Keep one note, as Claude would, and show it. `ask` does the same with a key and a model."""
    from recollect import Recollect

    with tempfile.TemporaryDirectory() as home, Recollect.open(home) as memory:
        tool = RecollectMemoryTool(memory, client="claude")
        tool.call({"command": "create", "path": "/memories/tea.md", "file_text": "The user drinks tea."})
        print(notes(memory))


if __name__ == "__main__":
    main()
