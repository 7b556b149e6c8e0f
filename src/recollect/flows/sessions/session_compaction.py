"""The compaction of a session of our own: the processor of `context`, with what the settings and the session say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.context.compaction_options import Sources
from recollect.context.counting import Count, Counter, first_ratio
from recollect.context.processor import CompactionProcessor
from recollect.context.truncation import BasicTruncator
from recollect.flows.compaction.hook_commands import (
    HookSession,
    configured_fallback,
    configured_hooks,
    configured_thresholds,
)
from recollect.sessions import events

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from recollect.context.compaction import CompactionResult, SummaryRequest
    from recollect.flows.compaction.model_windows import ModelWindows
    from recollect.flows.sessions.own_session import OwnSession
    from recollect.model.messages import Message
    from recollect.settings import Settings


class SessionCompaction:
    """Keeps the conversation of one session inside its window. What it does is in the session's log."""

    def __init__(
        self,
        session: OwnSession,
        settings: Settings,
        *,
        windows: ModelWindows,
        clock: Callable[[], float],
        window: int = 0,
        summarise: Callable[[SummaryRequest], str] | None = None,
    ) -> None:
        self._session = session
        self._windows = windows
        model = str(session.about.get("model") or "")
        counter = Counter(ratio=first_ratio(model))
        window = window or windows.of(model)
        self._processor = CompactionProcessor(
            counter=counter,
            window=window,
            thresholds=configured_thresholds(settings),
            sources=lambda: sources_of(session),
            summarise=summarise,
            hooks=configured_hooks(settings, place=_place(session), now=clock, report=self._report),
            emit=session.emit,
            fallback=configured_fallback(settings),
        )
        self._truncation = BasicTruncator(counter=counter, limit_tokens=window)
        self._counter = counter
        self._sent: Count | None = None  # what the last request was estimated at

    @property
    def window(self) -> int:
        """How many tokens a request may have, as far as is known."""
        return min(self._processor.window, self._truncation.limit_tokens)

    def count(self, tools: Sequence[Any] = ()) -> Count:
        """What a request would cost now, by what it is spent on."""
        return self._counter.count(self._session.messages(), tools)

    def will_wait(self, tools: Sequence[Any] = ()) -> bool:
        """Will the next request wait for a compaction?"""
        return self._processor.will_wait(self._session.messages(), tools)

    def prepare(self) -> None:
        """Begin a compaction that is due, beside the work."""
        self._processor.process(self._session.messages())

    def request(self, tools: Sequence[Any] = ()) -> Sequence[Message]:
        """The messages to send: compacted when that is due, cut when that was not enough."""
        messages = self._truncation.process(self._processor.process(self._session.messages(), tools), tools)
        self._sent = self._counter.count(messages, tools)
        return messages

    def compact(self, instructions: str = "", *, tools: Sequence[Any] = ()) -> CompactionResult:
        """Compact now, keeping first what the instructions name. Raises CompactionRefused, also when cancelled."""
        return self._processor.compact_history(self._session.messages(), tools=tools, instructions=instructions)

    def cancel(self) -> bool:
        """Stop a compaction that runs; whoever waits for it goes on at once. False when none did."""
        return self._processor.cancel()

    def switch_model(
        self, model: str, *, window: int = 0, ask: Callable[[str], bool], tools: Sequence[Any] = ()
    ) -> CompactionResult | None:
        """Go on with another model. When its window is too small for the conversation, `ask` is told what would
        happen; it is compacted first, or with a no CompactionRefused is raised and nothing changes."""
        window = window or self._windows.of(model)
        result = self._processor.before_switch(self._session.messages(), window, tools, ask=ask)
        self._truncation.limit_tokens = window
        self._session.use_model(model)
        return result

    def on_memory_pressure(self, is_pressed: Callable[[], bool] = lambda: True) -> CompactionResult | None:
        """Collect garbage, look again, and compact if memory is still short; None when there is nothing to gain."""
        return self._processor.on_memory_pressure(self._session.messages(), is_pressed=is_pressed)

    def on_error(self, error: object) -> bool:
        """Learn from a refusal, for this session and for the model: True when a retry will be smaller."""
        self._windows.learn(str(self._session.about.get("model") or ""), error)
        smaller = self._processor.on_error(error)
        return self._truncation.on_error(error) or smaller

    def on_success(self, reply: object = None, *, reported_tokens: int = 0) -> None:
        """A request went through; what the reply says about the provider's own compacting is recorded, and what the
        provider counted corrects the estimates from now on."""
        self._processor.on_success(reply)
        if reported_tokens and self._sent is not None:
            self._counter.correct(reported_tokens, self._sent)

    def _report(self, problem: str) -> None:
        self._session.record(events.error("hook", problem))


def sources_of(session: OwnSession) -> Sources:
    """Plan, todos, skills and agent of a session as they are now."""
    kept = session.kept
    return Sources(
        plan=session.workspace.plan() or kept.plan,
        todos=kept.todos,
        skills=kept.skills,
        agent_summary=kept.told_agent,
    )


def _place(session: OwnSession) -> HookSession:
    folder = str(session.about.get("cwd") or "")
    return HookSession(session.session_id, folder if os.path.isdir(folder) else "", session.workspace.log.path)
