"""What a compaction is given from outside: when it starts, what is read anew, who is called around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import CompactionResult, Source

MANUAL, THRESHOLD, SMALLER_WINDOW = "manual", "threshold", "smaller_window"
MEMORY_PRESSURE, CONTEXT_LIMIT = "memory_pressure", "context_limit"
AUTOMATIC = "auto"  # what hooks are told of every trigger but manual


class Thresholds(Record):
    """When a compaction starts in the background, when it is waited for, and below how many messages never."""

    background: float = 0.80
    exhaustion: float = 0.95
    minimum_messages: int = 4
    wait_seconds: float = 120.0


class Sources(Record):
    """What is read anew at every compaction. Plan and todos may be functions that read a file."""

    pinned: Sequence[str] = ()
    plan: Source = None
    todos: Source = None
    skills: Sequence[tuple[str, str]] = ()
    agent_summary: str = ""


class Hooks(Record):
    """Called around a compaction: `before` may answer with instructions for the summary."""

    before: Callable[[str, str], str] = lambda trigger, instructions: ""
    after: Callable[[str, CompactionResult], None] = lambda trigger, result: None


def told_trigger(trigger: str) -> str:
    """What hooks are told of a trigger: a person asked for it, or it came by itself."""
    return MANUAL if trigger == MANUAL else AUTOMATIC
