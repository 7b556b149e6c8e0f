"""When to compact: watches how full the window is, works ahead in the background, and never thrashes.

From 0.80 of the window on a summary is prepared beside the work; at 0.95, or after a provider refused a request as too
long, it is waited for. Two compactions in a row that free less than a tenth stop automatic ones until the user acts.
"""

from __future__ import annotations

import copy
import gc
from typing import TYPE_CHECKING, Any

from recollect.context import events
from recollect.context.compaction import FAILED, CompactionResult, compact
from recollect.context.compaction_options import (
    CONTEXT_LIMIT,
    MANUAL,
    MEMORY_PRESSURE,
    SMALLER_WINDOW,
    THRESHOLD,
    Hooks,
    Sources,
    Thresholds,
    told_trigger,
)
from recollect.context.limit_errors import is_context_limit, reported_limit
from recollect.context.pairs import PairCheck, mend, open_calls
from recollect.context.requests import is_system, last_requests
from recollect.context.running import RunningCompaction
from recollect.context.signals import SignalLog
from recollect.errors import CompactionRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import SummaryRequest
    from recollect.context.events import Emit
    from recollect.context.measuring import Counting
    from recollect.model.messages import Message

NONE, RUNNING, COMPLETED, CANCELLED, POSTPONED = "none", "running", "completed", "cancelled", "postponed"
LEAST_FREED_SHARE = 0.10
STRIKES = 2
MOST_FORCED = 2
FORCED_WINDOW_SHARE = 0.7  # of the window, after a refusal that named no limit
KEPT_REPLACEMENTS = 8
SWITCH_QUESTION = (
    "The conversation has {tokens:,} tokens and the new model takes {window:,}: older messages will be replaced by a"
    " summary before the switch. Go on?"
)


class CompactionProcessor:
    """Keeps one conversation inside its window. `process` is called with every request before it is sent."""

    def __init__(
        self,
        *,
        counter: Counting,
        window: int,
        thresholds: Thresholds | None = None,
        sources: Sources | Callable[[], Sources] | None = None,
        summarise: Callable[[SummaryRequest], str] | None = None,
        hooks: Hooks | None = None,
        emit: Emit = events.nobody,
        remote: bool = False,
        provider_compacts: Callable[[], bool] | None = None,
        fallback: bool | None = None,
    ) -> None:
        self.counter = counter
        self.window = window
        self.thresholds = thresholds or Thresholds()
        self.state = NONE
        self.last_result: CompactionResult | None = None
        self.signals = SignalLog(emit)
        self._sources = sources or Sources()
        self._summarise = summarise
        self._hooks = hooks or Hooks()
        self._emit = emit
        self._remote = remote
        self._provider_compacts = provider_compacts or self.signals.is_trusted
        self._fallback = fallback
        self._running: RunningCompaction | None = None
        self._manual: RunningCompaction | None = None
        self._replacements: list[tuple[tuple[Message, ...], tuple[Message, ...]]] = []
        self._pairs = PairCheck()
        self._forced = False
        self._forced_times = 0
        self._forced_window = 0
        self._strikes = 0
        self._stopped_at: Message | None = None

    @property
    def stopped(self) -> bool:
        """Whether automatic compaction waits for the user, because the last ones freed next to nothing."""
        return self._strikes >= STRIKES

    def process(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Sequence[Message]:
        """The request with what was compacted replaced; a compaction is started, waited for or left alone."""
        if self._remote:
            return messages
        messages = self._replaced(messages)
        self.signals.next_request(messages)
        if open_calls(messages) < len(messages):
            # The results of these calls belong before the boundary or behind it, with their calls: wait for them.
            self.state = POSTPONED if self._running is None else self.state
            return messages
        share = self.counter.count(messages, tools).total / max(1, self.window)
        exhausted = share >= self.thresholds.exhaustion or self._forced
        self._note_user(messages)
        if self._running is None and self._should_start(messages, share):
            self._start(messages, tools, CONTEXT_LIMIT if self._forced else THRESHOLD)
        if self._running is not None and exhausted:
            self._wait()
        if self._running is not None and self._running.done:
            messages = self._applied(messages, tools)
        return messages

    def will_wait(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> bool:
        """Will `process` wait for a summary before it gives these messages back?"""
        if self._remote or open_calls(messages) < len(messages):
            return False
        messages = self._replaced(messages)
        share = self.counter.count(messages, tools).total / max(1, self.window)
        is_full = share >= self.thresholds.exhaustion or self._forced
        if self._running is not None:
            return is_full and not self._running.done
        return is_full and self._should_start(messages, share)

    def on_error(self, error: object) -> bool:
        """Learn from a refusal. True when it was about the length and the retry will be compacted first."""
        if self._remote or not is_context_limit(error) or self._forced_times >= MOST_FORCED:
            return False
        self._forced = True
        self._forced_times += 1
        base = self._forced_window or self.window
        reported = reported_limit(error)
        self._forced_window = reported if 0 < reported < base else int(base * FORCED_WINDOW_SHARE)
        return True

    def on_success(self, reply: object = None) -> None:
        """A request went through: the next refusal is a new one. What the reply says about compacting is recorded."""
        self._forced_times = 0
        self._forced_window = 0
        self.signals.hear(reply)

    def cancel(self) -> bool:
        """Discard what is running. False when nothing was."""
        running = self._running or self._manual
        if running is None:
            return False
        running.cancel()
        self.state = CANCELLED
        if self._running is not None:
            self._complete(_failed(running, "cancelled"), running, status=CANCELLED)
            self._running = None
        return True

    def user_acted(self) -> None:
        """The user did something: automatic compactions may be tried again."""
        self._strikes = 0

    def compact_history(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Any] = (),
        instructions: str = "",
        trigger: str = MANUAL,
        window: int = 0,
    ) -> CompactionResult:
        """Compact now. Raises CompactionRefused while one runs, with nothing to compact, or when it is cancelled."""
        self._refuse(messages)
        if trigger == MANUAL:
            self.user_acted()
        messages = self._replaced(messages)
        at = open_calls(messages)
        work = self._work(messages[:at], tools, trigger, instructions, window)
        running = RunningCompaction(tuple(messages[:at]), trigger, work, calls_before=self._calls)
        self._manual = running
        self.state = RUNNING
        self._emit(events.compaction_start(self.counter.count(messages, tools), trigger=trigger))
        running.start()
        try:
            running.wait()
        except BaseException:  # whoever waited for it is gone
            running.cancel()
            raise
        finally:
            self._manual = None
        if running.cancelled:
            self._complete(_failed(running, "cancelled"), running, status=CANCELLED)
            self.state = CANCELLED
            raise CompactionRefused("The compaction was cancelled; nothing was changed.")
        result = running.result or _failed(running, running.problem)
        if at < len(messages):
            result = result._replace(messages=(*result.messages, *messages[at:]))
        self._finish(result, running)
        if result.compacted:
            self._tell_usage(result.messages, tools)
        return result

    def before_switch(
        self,
        messages: Sequence[Message],
        window: int,
        tools: Sequence[Any] = (),
        *,
        ask: Callable[[str], bool] = lambda question: True,
    ) -> CompactionResult | None:
        """Compact before a model with a smaller window takes over; None when all fits it as it is.

        `ask` is told what would happen. When it says no, CompactionRefused is raised and nothing changes.
        """
        tokens = self.counter.count(messages, tools).total
        if tokens < window * self.thresholds.background:
            self.window = window
            return None
        if not ask(SWITCH_QUESTION.format(tokens=tokens, window=window)):
            raise CompactionRefused("The switch was declined; nothing was changed.")
        result = self.compact_history(messages, tools=tools, trigger=SMALLER_WINDOW, window=window)
        self.window = window
        return result

    def on_memory_pressure(
        self, messages: Sequence[Message], tools: Sequence[Any] = (), *, is_pressed: Callable[[], bool] = lambda: True
    ) -> CompactionResult | None:
        """Free memory: collect garbage, and compact if `is_pressed` still says so. None when nothing was compacted:
        there is too little to gain, no system context yet, or a compaction is running already."""
        gc.collect()
        chat = sum(not is_system(message) for message in messages)
        busy = self._running is not None or self._manual is not None
        if chat in (0, len(messages)) or chat < self.thresholds.minimum_messages or busy or self._remote:
            return None
        if not is_pressed():
            return None
        return self.compact_history(messages, tools=tools, trigger=MEMORY_PRESSURE)

    def _refuse(self, messages: Sequence[Message]) -> None:
        if self._remote:
            raise CompactionRefused(
                "This session runs elsewhere and cannot be compacted here; compact it where it runs, or start anew."
            )
        if self._running is not None or self._manual is not None:
            raise CompactionRefused("A compaction is running already; wait for it or cancel it.")
        if sum(not is_system(message) for message in messages) < 2:
            raise CompactionRefused("There is nothing to compact: the conversation has fewer than two messages.")
        if self._summarise is not None and not any(is_system(message) for message in messages):
            raise CompactionRefused("A model cannot summarise before the session has a system context.")

    def _should_start(self, messages: Sequence[Message], share: float) -> bool:
        if self._forced:
            return True
        if share < self.thresholds.background or self.stopped or self._provider_compacts():
            return False
        return sum(not is_system(message) for message in messages) >= self.thresholds.minimum_messages

    def _start(self, messages: Sequence[Message], tools: Sequence[Any], trigger: str) -> None:
        snapshot = tuple(messages[: open_calls(messages)])
        work = self._work(snapshot, tools, trigger, "", self._forced_window if self._forced else 0)
        self._running = RunningCompaction(snapshot, trigger, work, calls_before=self._calls)
        self.state = RUNNING
        self._emit(events.compaction_start(self.counter.count(messages, tools), trigger=trigger))
        self._running.start()

    @property
    def _calls(self) -> int:
        """How often the model was asked so far, by a summariser that says so."""
        return len(getattr(self._summarise, "replies", ()))

    def _work(
        self, snapshot: Sequence[Message], tools: Sequence[Any], trigger: str, instructions: str, window: int
    ) -> Callable[[Callable[[], bool]], CompactionResult]:
        # The counter keeps what it counted last: a second thread gets one of its own.
        counter = copy.copy(self.counter)
        sources = self._sources() if callable(self._sources) else self._sources
        # A refusal that lowers the window has to lower the goal too, or the same history would come out again.
        window = window or self.window

        def work(cancelled: Callable[[], bool]) -> CompactionResult:
            added = self._hooks.before(told_trigger(trigger), instructions)
            return compact(
                snapshot,
                counter=counter,
                window=window,
                tools=tools,
                instructions="\n".join(filter(None, (instructions, added))),
                summarise=self._summarise,
                fallback=self._fallback,
                cancelled=cancelled,
                **sources._asdict(),
            )

        return work

    def _wait(self) -> None:
        running = self._running
        if running is None or running.wait(self.thresholds.wait_seconds) or running.cancelled:
            return
        running.cancel()
        self._running = None
        self._finish(_failed(running, "the summary took too long"), running)

    def _applied(self, messages: Sequence[Message], tools: Sequence[Any]) -> Sequence[Message]:
        """Put the finished result in place of the snapshot it was made from; once, and only there."""
        running, self._running = self._running, None
        if running is None or running.cancelled:
            return messages
        result = running.result or _failed(running, running.problem)
        at = len(running.snapshot)
        if result.compacted and tuple(messages[:at]) != running.snapshot:
            result = _failed(running, "the conversation was changed meanwhile")
        self._finish(result, running)
        if not result.compacted:
            return messages
        self._replacements = [*self._replacements[1 - KEPT_REPLACEMENTS :], (running.snapshot, result.messages)]
        applied = [*result.messages, *messages[at:]]
        self._tell_usage(applied, tools)
        return applied

    def _tell_usage(self, messages: Sequence[Message], tools: Sequence[Any]) -> None:
        count = self.counter.count(messages, tools)
        self._emit(events.usage_info(count, limit_tokens=self.window, messages=len(messages), initial=False))

    def _finish(self, result: CompactionResult, running: RunningCompaction) -> None:
        self.last_result = result
        self._forced = False
        freed = result.tokens_removed / max(1, result.tokens_before)
        self._strikes = self._strikes + 1 if freed < LEAST_FREED_SHARE else 0
        self.state = COMPLETED if result.compacted else FAILED if result.status == FAILED else NONE
        self._complete(result, running)
        self._hooks.after(told_trigger(running.trigger), result)

    def _complete(self, result: CompactionResult, running: RunningCompaction, status: str = "") -> None:
        calls = getattr(self._summarise, "replies", [])[running.calls_before :]
        self._emit(
            events.compaction_complete(
                result, trigger=running.trigger, status=status, calls=calls, seconds=running.seconds
            )
        )

    def _replaced(self, messages: Sequence[Message]) -> Sequence[Message]:
        """A caller that keeps its whole history gets what was compacted replaced again, without a new compaction."""
        for before, after in self._replacements:
            if len(messages) >= len(before) and tuple(messages[: len(before)]) == before:
                joined = [*after, *messages[len(before) :]]
                messages = joined if self._pairs.whole(joined) else mend(joined)
        return messages

    def _note_user(self, messages: Sequence[Message]) -> None:
        if not self.stopped:
            self._stopped_at = None
            return
        last = last_requests(messages)
        request = messages[last[-1]] if last else None
        if self._stopped_at is None:
            self._stopped_at = request
        elif request != self._stopped_at:
            self.user_acted()


def _failed(running: RunningCompaction, why: str) -> CompactionResult:
    messages = running.snapshot
    return CompactionResult(FAILED, why, messages, messages_before=len(messages), messages_after=len(messages))
