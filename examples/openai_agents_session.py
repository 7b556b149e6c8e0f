"""An agent of the OpenAI Agents SDK that goes on where it left off, and never outgrows its window.

`model` is any model of the SDK; without one the SDK asks OpenAI.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents import Agent, Runner

from recollect.adapters.openai_agents import RecollectSession

if TYPE_CHECKING:
    from agents import Model

    from recollect import Recollect


def ask(memory: Recollect, customer: str, question: str, *, model: Model | str | None = None) -> str:
    """The agent's answer; the conversation with this customer is kept."""
    agent = Agent(name="support", instructions="Answer in one sentence.", model=model)
    session = RecollectSession(f"support {customer}", memory, window=64_000)
    return str(Runner.run_sync(agent, question, session=session).final_output)
