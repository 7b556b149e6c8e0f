"""A conversation in any provider's shape: fit, compact, truncate, and back in the same shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context.compaction import compact
from recollect.context.counting import Counter, first_ratio
from recollect.context.fitting import fit
from recollect.context.model_summary import ModelSummariser
from recollect.context.shapes import detect, parse, render
from recollect.context.truncation import BasicTruncator
from recollect.errors import Refused
from recollect.model.record import Record
from recollect.sessions.encodings import redacted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.context.compaction import CompactionResult
    from recollect.ports import Models


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


class Conversation:
    """Keeps somebody's messages inside a window; nothing is stored."""

    def __init__(self, *, threshold: float, models: Models | None = None) -> None:
        self._threshold = threshold
        self._models = models

    def fit(self, messages: Any, *, window: int, shape: str = "", tools: Sequence[Any] = (), model: str = "") -> Any:
        """The messages, compacted and then truncated as far as the window demands."""
        shape = shape or detect(messages)
        fitted = fit(
            parse(messages, shape),
            window=window,
            tools=tools,
            counter=Counter(ratio=first_ratio(model)),
            threshold=self._threshold,
        )
        return render(fitted.messages, shape)

    def compact(
        self, messages: Any, *, window: int, shape: str = "", instructions: str = "", role: str = ""
    ) -> Compacted:
        """The messages with their past replaced by a summary, written by rules or by the model of a role."""
        shape = shape or detect(messages)
        summarise = self._summariser(role) if role else None
        result = compact(
            parse(messages, shape), counter=Counter(), window=window, instructions=instructions, summarise=summarise
        )
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
        shape = shape or detect(messages)
        parsed, counter = parse(messages, shape), Counter()
        before = counter.count(parsed).total
        cut = BasicTruncator(counter=counter, limit_tokens=window).truncate(parsed)
        return Truncated(before, cut.tokens.total, cut.removed, render(cut.messages, shape))
