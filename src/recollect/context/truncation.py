"""The last guard before a request is sent: what does not fit is left out of the request, never out of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context import events
from recollect.context.counting import Count
from recollect.context.limit_errors import is_context_limit, reported_limit
from recollect.context.measuring import clip_middle
from recollect.context.pairs import PairCheck, mend, pairs, without_gaps
from recollect.context.replacement import head_length, unfold
from recollect.context.requests import is_system, last_requests
from recollect.model.messages import Text, ToolResult
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.events import Emit
    from recollect.context.measuring import Counted, Counting
    from recollect.model.messages import Message

    Stored = Callable[[ToolResult], str]  # where the whole of a result can be found

FIRST_BUFFER_SHARE = 0.02
BUFFER_STEP_SHARE = 0.08
MOST_BUFFER_SHARE = 0.40
SAFETY_SHARE = 0.90  # of the effective limit, what a cut aims at
OVERSIZED_SHARE = 0.15  # of the effective limit, for one result
LEAST_RESULT_TOKENS = 200
PROTECTED_UNITS = 1  # of the work on the last prompt, when nothing older is left


class Truncation(Record):
    """The request as it will be sent."""

    messages: tuple[Message, ...]
    tokens: Counted
    fits: bool
    removed: int
    clipped: int


def in_the_log(result: ToolResult) -> str:
    """Where a result stands when nobody says otherwise."""
    return f"the session's log, call {result.call_id}"


class BasicTruncator:
    """Cuts requests to a limit that it lowers when a provider says so. Asking it again costs what is new."""

    def __init__(
        self, *, counter: Counting, limit_tokens: int, stored: Stored = in_the_log, emit: Emit = events.nobody
    ) -> None:
        self.counter = counter
        self.limit_tokens = limit_tokens
        self.buffer_share = FIRST_BUFFER_SHARE
        self._stored = stored
        self._emit = emit
        self._pairs = PairCheck()
        self._first = True

    @property
    def effective_limit_tokens(self) -> int:
        """What a request may cost: the limit less the buffer for what an estimate may miss."""
        return int(self.limit_tokens * (1 - self.buffer_share))

    def process(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Sequence[Message]:
        """The messages that fit, as a step of a pipeline."""
        return self.truncate(messages, tools).messages

    def truncate(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Truncation:
        """Leave out what does not fit: old work, then old turns, then old work on the last prompt."""
        before = self.counter.count(messages, tools)
        kept, count = self._mended(messages, before)
        clipped = 0
        if count.total > self.effective_limit_tokens:
            kept, clipped = self._reduced(kept, tools, int(self.effective_limit_tokens * SAFETY_SHARE))
            count = self.counter.count(kept, tools)
        if kept is not messages:
            sizes = (len(messages), len(kept))
            self._emit(
                events.truncation(
                    limit_tokens=self.limit_tokens, before=before, after=count, messages=sizes, clipped=clipped
                )
            )
        full = events.usage_info(count, limit_tokens=self.limit_tokens, messages=len(kept), initial=self._first)
        self._emit(full)
        self._first = False
        fits = count.total <= self.limit_tokens
        return Truncation(tuple(kept), count, fits, len(messages) - len(kept), clipped)

    def _mended(self, messages: Sequence[Message], count: Counted) -> tuple[Sequence[Message], Counted]:
        """The messages without orphans, and what they cost, for the price of the part that is not whole."""
        until = self._pairs.whole_until(messages)
        if until == len(messages):
            return messages, count
        rest = mend(messages[until:])
        lost = sum(map(self.counter.message, messages[until:])) - sum(map(self.counter.message, rest))
        left = Count(count.system, count.conversation - lost, count.tools, count.total - lost)
        return [*messages[:until], *rest], left

    def _reduced(
        self, messages: Sequence[Message], tools: Sequence[Any], target_tokens: int
    ) -> tuple[Sequence[Message], int]:
        """Clip what is oversized, cut what is old, and clip harder what has to stay as long as it does not fit."""
        oversized = max(LEAST_RESULT_TOKENS, int(self.effective_limit_tokens * OVERSIZED_SHARE))
        total = self.counter.count(messages, tools).total
        kept, clipped = self._clipped(messages, total, target_tokens, oversized)
        kept = self._cut(kept, self.counter.count(kept, tools).total, target_tokens)
        while oversized > LEAST_RESULT_TOKENS:
            total = self.counter.count(kept, tools).total
            if total <= self.effective_limit_tokens:
                break
            oversized = max(LEAST_RESULT_TOKENS, oversized // 2)
            kept, more = self._clipped(kept, total, target_tokens, oversized)
            clipped += more
        return kept, clipped

    def on_error(self, error: object) -> bool:
        """Learn from a refusal. True when the next request will be smaller, so that a retry makes sense."""
        if not is_context_limit(error):
            return False
        reported = reported_limit(error)
        if 0 < reported < self.limit_tokens:
            self.limit_tokens = reported
            return True
        if self.buffer_share >= MOST_BUFFER_SHARE:
            return False
        self.buffer_share = min(MOST_BUFFER_SHARE, self.buffer_share + BUFFER_STEP_SHARE)
        return True

    def _clipped(
        self, messages: Sequence[Message], total: int, target: int, oversized: int
    ) -> tuple[Sequence[Message], int]:
        """Oversized results without their middle, the largest first, until the request fits."""
        large = [(self.counter.message(message), at) for at, message in enumerate(messages) if message.results]
        changed = list(messages)
        clipped = 0
        for size, at in sorted(large, reverse=True):
            if size <= oversized or total <= target:
                break
            changed[at] = self._smaller(messages[at], oversized)
            total -= size - self.counter.message(changed[at])
            clipped += changed[at] is not messages[at]
        return changed, clipped

    def _smaller(self, message: Message, limit_tokens: int) -> Message:
        each = limit_tokens // max(1, len(message.results))
        parts = tuple(self._clip(part, each) if isinstance(part, ToolResult) else part for part in message.parts)
        return message if parts == message.parts else message._replace(parts=parts)

    def _clip(self, result: ToolResult, limit_tokens: int) -> ToolResult:
        texts = sum(isinstance(part, Text) for part in result.parts)
        if not texts:
            return result
        cut = f"\n\n[... the middle was cut to fit the window; the whole is in {self._stored(result)} ...]\n\n"
        parts = tuple(
            part._replace(text=clip_middle(part.text, limit_tokens // texts, cut)) if isinstance(part, Text) else part
            for part in result.parts
        )
        return result._replace(parts=parts)

    def _cut(self, messages: Sequence[Message], total: int, target: int) -> list[Message]:
        left: list[Message | None] = list(messages)
        for unit in _order(messages):
            if total <= target:
                break
            for at in unit:
                message = left[at]
                total -= self.counter.message(message) if message else 0
                left[at] = None
        return mend(without_gaps(messages, left))


def _order(messages: Sequence[Message]) -> list[list[int]]:
    """What is left out first: work before the last prompt, then turns before it, a summary, work on the last prompt."""
    prompts = last_requests(messages)
    last = prompts[-1] if prompts else len(messages)
    summary = head_length(messages) if unfold(messages)[1] is not None else -1
    units = _units(messages)
    work = [unit for unit in units if messages[unit[0]].role in ("assistant", "tool")]
    turns = [unit for unit in units if messages[unit[0]].role not in ("assistant", "tool")]
    recent = [unit for unit in work if unit[-1] > last]
    old = [unit for unit in work if unit[-1] < last]
    stays = {*prompts, summary}
    spoken = [unit for unit in turns if unit[0] not in stays and not is_system(messages[unit[0]])]
    first = [[summary]] if summary >= 0 and summary not in prompts else []
    other = [[at] for at in prompts if at != last and at != summary]
    return [*old, *spoken, *recent[: len(recent) - PROTECTED_UNITS], *first, *other]


def _units(messages: Sequence[Message]) -> list[list[int]]:
    """Messages that only go together: a reply in several pieces, calls and their results."""
    lead = list(range(len(messages)))
    for at in range(1, len(messages)):
        if messages[at].joined and messages[at].role == messages[at - 1].role:
            lead[at] = lead[at - 1]
    for call, result in pairs(messages).items():
        one, other = _root(lead, call[0]), _root(lead, result[0])
        lead[max(one, other)] = min(one, other)
    grouped: dict[int, list[int]] = {}
    for at in range(len(messages)):
        grouped.setdefault(_root(lead, at), []).append(at)
    return list(grouped.values())


def _root(lead: list[int], at: int) -> int:
    while lead[at] != at:
        at = lead[at]
    return at
