"""A conversation in any provider's shape: fit, compact, truncate, and back in the same shape."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING, Any

from recollect.context.compaction import compact
from recollect.context.compaction_options import MANUAL, Hooks
from recollect.context.counting import Counter, first_ratio
from recollect.context.fitting import fit
from recollect.context.model_summary import ModelSummariser
from recollect.context.pydantic_history import history_processor
from recollect.context.shapes import detect, parse, render
from recollect.context.truncation import BasicTruncator
from recollect.errors import Refused, UsageError
from recollect.flows.compaction.hook_commands import HookSession, configured_fallback, configured_hooks
from recollect.flows.compaction.model_windows import ModelWindows
from recollect.flows.views.choices import several
from recollect.model.record import Record
from recollect.sessions.encodings import redacted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.model.messages import Message
    from recollect.ports import Models
    from recollect.settings import Settings

DEEPEST = 100  # levels of lists and objects: no provider takes more, and Python cannot follow many more
TOO_DEEP = f"is nested too deeply: a message has at most {DEEPEST} levels of lists and objects"


class Compacted(Record):
    """What a compaction came to, and the messages in the shape they had."""

    result: CompactionResult
    messages: Any


class Truncated(Record):
    """What a truncation came to, and the messages in the shape they had."""

    tokens_before: int
    tokens_after: int
    messages_removed: int
    messages: Any


def shown(document: Any) -> Any:
    """A document for a screen or a file: without secrets, also in the messages that stayed word for word."""
    return redacted(document)


def is_too_deep(document: Any) -> bool:
    """Is it nested deeper than any provider's messages are?"""
    level = [document]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for value in level
            if isinstance(value, (list, tuple, dict))
            for inner in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return True


def warn(problem: str) -> None:
    """Tell a program's author what went wrong beside the compaction."""
    warnings.warn(f"recollect: {problem}", RuntimeWarning, stacklevel=2)


class Conversation:
    """Keeps somebody's messages inside a window, as the settings say; nothing is stored."""

    def __init__(
        self,
        settings: Settings,
        *,
        folder: str = "",
        clock: Callable[[], float] = time.time,
        report: Callable[[str], None] = warn,
        windows: ModelWindows | None = None,
        models: Models | None = None,
        count: Callable[[CompactionResult], None] = lambda result: None,
    ) -> None:
        self._windows = windows or ModelWindows(settings)
        self._settings = settings
        self._folder = folder
        self._clock = clock
        self._report = report
        self._models = models
        self._count = count

    def fit(
        self,
        messages: Any,
        *,
        window: int = 0,
        shape: str = "",
        tools: Sequence[Any] = (),
        model: str = "",
        instructions: str = "",
    ) -> Any:
        """The messages, compacted and then truncated as far as the window demands: the one given, or the model's."""
        parsed, shape = _parsed(messages, shape)
        fitted = fit(
            parsed,
            window=_window(window or self._windows.of(model)),
            tools=tools,
            counter=Counter(ratio=first_ratio(model)),
            threshold=self._settings.compaction.background_threshold,
            instructions=instructions,
            hooks=self._hooks(),
        )
        return render(fitted.messages, shape)

    def history_processor(
        self, *, window: int = 0, model: str = "", pinned: Sequence[str] = (), instructions: str = ""
    ) -> Callable[[list[Any]], list[Any]]:
        """A history processor for pydantic-ai that compacts as the settings say."""
        return history_processor(
            window=_window(window or self._windows.of(model)),
            threshold=self._settings.compaction.background_threshold,
            pinned=several(pinned),
            instructions=instructions,
            hooks=self._hooks(),
        )

    def learn(self, error: object, *, model: str) -> int:
        """Keep the limit that a provider's refusal names for this model; 0 when it names none."""
        return self._windows.learn(model, error)

    def compact(
        self, messages: Any, *, window: int, shape: str = "", instructions: str = "", role: str = ""
    ) -> Compacted:
        """The messages with their past replaced by a summary, written by rules or by the model of a role."""
        window = _window(window)
        parsed, shape = _parsed(messages, shape)
        summarise = self._summariser(role) if role else None
        hooks = self._hooks()
        added = hooks.before(MANUAL, instructions)
        wanted = "\n".join(filter(None, (instructions, added)))
        result = compact(
            parsed,
            counter=Counter(),
            window=window,
            instructions=wanted,
            summarise=summarise,
            fallback=configured_fallback(self._settings),
        )
        hooks.after(MANUAL, result)
        return Compacted(result, render(result.messages, shape))

    def _summariser(self, role: str) -> ModelSummariser:
        if self._models is None or not self._models.is_on(role):
            raise Refused(
                f"No model is configured for the role {role!r}; `recollect models use NAME` chooses one, "
                "and without --model the summary is written by rules."
            )
        return ModelSummariser(self._models.provider(role), role=role)

    def truncate(self, messages: Any, *, window: int, shape: str = "") -> Truncated:
        """The messages without older material, so that a request fits."""
        parsed, shape = _parsed(messages, shape)
        counter = Counter()
        before = counter.count(parsed).total
        cut = BasicTruncator(counter=counter, limit_tokens=_window(window)).truncate(parsed)
        return Truncated(before, cut.tokens.total, cut.removed, render(cut.messages, shape))

    def _hooks(self) -> Hooks:
        place = HookSession(cwd=self._folder)
        hooks = configured_hooks(self._settings, place=place, now=self._clock, report=self._report)

        def after(trigger: str, result: CompactionResult) -> None:
            self._count(result)
            hooks.after(trigger, result)

        return hooks._replace(after=after)


def _window(tokens: int) -> int:
    if not (isinstance(tokens, (int, float)) and tokens >= 1):
        raise UsageError(f"`window` must be a number of tokens, 1 or more, not {tokens!r:.60}.")
    return tokens


def _parsed(messages: Any, shape: str) -> tuple[list[Message], str]:
    if is_too_deep(messages):
        raise UsageError(f"The conversation {TOO_DEEP}.")
    shape = shape or detect(messages)
    return list(parse(messages, shape)), shape
