"""An agent of the OpenAI Agents SDK that goes on where it left off, and never outgrows its window.

`model` is any model of the SDK; without one the SDK asks OpenAI.
"""

from __future__ import annotations

import asyncio
import tempfile
from typing import TYPE_CHECKING

from recollect.adapters.openai_agents import RecollectSession  # first: it says what to install

# isort: split
from agents import Agent, Runner

if TYPE_CHECKING:
    from agents import Model

    from recollect import Recollect


def ask(memory: Recollect, customer: str, question: str, *, model: Model | str | None = None) -> str:
    """The agent's answer; the conversation with this customer is kept."""
    agent = Agent(name="support", instructions="Answer in one sentence.", model=model)
    session = RecollectSession(f"support {customer}", memory, window=64_000)
    return str(Runner.run_sync(agent, question, session=session).final_output)


def main() -> None:
    """Keep a conversation and open it again. `ask` does the same with a key and a model."""
    from recollect import Recollect

    async def kept() -> list[str]:
        await RecollectSession("support 7", memory, window=64_000).add_items([{"role": "user", "content": "I am Ada."}])
        again = RecollectSession("support 7", memory, window=64_000)
        return [str(item.get("content")) for item in await again.get_items()]

    with tempfile.TemporaryDirectory() as home, Recollect.open(home) as memory:
        print(asyncio.run(kept()))


if __name__ == "__main__":
    main()
