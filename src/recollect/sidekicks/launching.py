"""Which sidekicks a message starts. Pure."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.sidekicks.definitions import BOARD_HAS_ITEMS, MEMORY_OR_PROMPT, SIDEKICK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.sidekicks.definitions import AgentDefinition


class Situation(Record):
    """What there is when a message comes."""

    board_items: int = 0
    memories: int = 0
    memory_prompt: str = ""  # what memory says in the prompt of the session


def launched(
    agents: Sequence[AgentDefinition], now: Situation, *, is_on: Callable[[str], bool], most: int
) -> list[AgentDefinition]:
    """The sidekicks whose flag is on and whose condition holds, at most so many."""
    return [one for one in agents if one.kind == SIDEKICK and is_on(one.feature_flag) and may_launch(one, now)][:most]


def may_launch(agent: AgentDefinition, now: Situation) -> bool:
    """Does the launch condition of an agent hold?"""
    if agent.launch == BOARD_HAS_ITEMS:
        return now.board_items > 0
    if agent.launch == MEMORY_OR_PROMPT:
        return now.memories > 0 or bool(now.memory_prompt)
    return True
