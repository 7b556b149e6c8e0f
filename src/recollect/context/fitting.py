"""One call for whoever has messages and a window: compaction when they are too many, then truncation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import events
from recollect.context.compaction import CompactionResult, compact
from recollect.context.compaction_options import AUTOMATIC, THRESHOLD, Hooks
from recollect.context.counting import Counter
from recollect.context.truncation import BasicTruncator, in_the_log
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import Source, SummaryRequest
    from recollect.context.events import Emit
    from recollect.context.measuring import Counting
    from recollect.context.truncation import Stored
    from recollect.model.messages import Message

COMPACT_FROM = 0.80


class Fit(Record):
    """Messages that fit the window, and what was done to make them."""

    messages: tuple[Message, ...]
    tokens: int
    fits: bool
    compaction: CompactionResult | None
    removed: int  # by truncation
    clipped: int


def fit(
    messages: Sequence[Message],
    *,
    window: int,
    counter: Counting | None = None,
    tools: Sequence[Any] = (),
    instructions: str = "",
    pinned: Sequence[str] = (),
    plan: Source = None,
    todos: Source = None,
    skills: Sequence[tuple[str, str]] = (),
    agent_summary: str = "",
    summarise: Callable[[SummaryRequest], str] | None = None,
    stored: Stored = in_the_log,
    emit: Emit = events.nobody,
    threshold: float = COMPACT_FROM,
    hooks: Hooks | None = None,
) -> Fit:
    """Make the messages fit: compacted from the threshold on, truncated if that was not enough, pairs always whole."""
    counter, hooks = counter or Counter(), hooks or Hooks()
    count = counter.count(messages, tools)
    result = None
    if count.total >= window * threshold:
        emit(events.compaction_start(count, trigger=THRESHOLD))
        added = hooks.before(AUTOMATIC, instructions)
        result = compact(
            messages,
            counter=counter,
            window=window,
            tools=tools,
            instructions="\n".join(filter(None, (instructions, added))),
            pinned=pinned,
            plan=plan,
            todos=todos,
            skills=skills,
            agent_summary=agent_summary,
            summarise=summarise,
        )
        emit(events.compaction_complete(result, trigger=THRESHOLD))
        hooks.after(AUTOMATIC, result)
        messages = result.messages
    truncator = BasicTruncator(counter=counter, limit_tokens=window, stored=stored, emit=emit)
    cut = truncator.truncate(messages, tools)
    return Fit(cut.messages, cut.tokens.total, cut.fits, result, cut.removed, cut.clipped)
