"""A history processor for pydantic-ai: `Agent(..., capabilities=[ProcessHistory(history_processor(window=N))])`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context.fitting import COMPACT_FROM, fit
from recollect.context.shapes import parse, render

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.context.compaction_options import Hooks


def history_processor(
    *,
    window: int,
    threshold: float = COMPACT_FROM,
    pinned: Sequence[str] = (),
    instructions: str = "",
    hooks: Hooks | None = None,
) -> Callable[[list[Any]], list[Any]]:
    """Keeps an agent's messages inside the window: compacted from the threshold on, truncated if that is not enough."""

    def process(messages: list[Any]) -> list[Any]:
        fitted = fit(
            parse(messages, "pydantic_ai"),
            window=window,
            threshold=threshold,
            pinned=pinned,
            instructions=instructions,
            hooks=hooks,
        )
        return list(render(fitted.messages, "pydantic_ai"))

    return process
