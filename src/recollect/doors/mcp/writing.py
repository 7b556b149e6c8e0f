"""memory_write, store_memory and vote_memory: the agent's hand on the memory, and what became of each write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.mcp.answers import Answered, harmless
from recollect.text.clean import clean

if TYPE_CHECKING:
    from recollect.doors.mcp.arguments import Arguments
    from recollect.flows.writes.agent_writes import AgentWrites
    from recollect.model.drafts import Outcome

SAID = {
    "stored": "Stored.",
    "duplicate": "Memory already has this.",
    "updated": "Updated.",
    "removed": "Removed.",
    "voted": "Vote counted.",
    "staged": "Not done yet: it is waiting for the user's approval.",
    "refused": "Refused: nothing was changed.",
    "invalid": "Invalid: nothing was changed.",
    "invalid_scope": "Wrong scope: nothing was changed.",
    "no_client": "Nothing was changed.",
    "denied": "Not permitted: nothing was changed.",
    "failed": "It failed: nothing was changed.",
}


def answer_write(arguments: Arguments, agent: AgentWrites) -> Answered:
    """Add, update or remove one entry."""
    return told(
        agent.memory_write(
            arguments.text("action"),
            arguments.text("layer"),
            content=arguments.text("content"),
            target_id=arguments.text("target_id"),
            tags=arguments.texts("tags"),
            project=arguments.text("project"),
            task=arguments.text("task"),
        )
    )


def answer_store(arguments: Arguments, agent: AgentWrites) -> Answered:
    """Store one fact with what it rests on."""
    return told(
        agent.store_memory(
            arguments.text("subject"),
            arguments.text("fact"),
            arguments.texts("citations"),
            arguments.text("reason"),
            arguments.text("scope") or None,
            project=arguments.text("project"),
            task=arguments.text("task"),
        )
    )


def answer_vote(arguments: Arguments, agent: AgentWrites) -> Answered:
    """Say that a fact was right or wrong."""
    return told(agent.vote_memory(arguments.text("fact"), arguments.text("direction"), arguments.text("reason")))


def told(outcome: Outcome) -> Answered:
    """What became of a write. One that waits is no failure: the agent has done its part."""
    why = " ".join(clean(outcome.why).split())
    named = f" [{outcome.entry_id}]" if outcome.entry_id else ""
    sentence = f"{SAID.get(outcome.status, outcome.status)}{named}" + (f" {why}" if why else "")
    data = {"id": outcome.entry_id, "status": outcome.status, "why": why}
    return Answered(harmless(sentence), harmless(data), failed=outcome.is_refused)
