"""An agent of pydantic-ai that remembers, inside its window.

`model` is any model of pydantic-ai. The prompts are a person's own words, so what the model stores of them applies at
once; what it makes up waits for `recollect pending`.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from recollect.adapters.pydantic_ai import RecollectToolset, history_processor  # first: it says what to install

# isort: split
from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from recollect import Recollect


def assistant(memory: Recollect, model: Model | str, *, conversation: str) -> Agent[None, str]:
    """An agent with the memory's tools and instructions."""
    return Agent(
        model,
        toolsets=[RecollectToolset(memory, client="assistant", session=conversation, typed=True)],
        capabilities=[ProcessHistory(history_processor(window=128_000))],
    )


def main() -> None:
    """Show what the model is told at the start, with a stand-in for the model."""
    from pydantic_ai.models.test import TestModel

    from recollect import Recollect

    with tempfile.TemporaryDirectory() as home, Recollect.open(home) as memory:
        memory.remember("The user prefers short answers.", layer="L0")
        agent = assistant(memory, TestModel(call_tools=[]), conversation="one")
        told = agent.run_sync("Hello").all_messages()[0]
        print(getattr(told, "instructions", None))


if __name__ == "__main__":
    main()
