"""The default provider: no model. Whoever asks it falls back to rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.ports import Prompt, Reply

WINDOW_TOKENS = 128_000


class RulesProvider:
    """Never answers, so that every flow takes its way without a model."""

    window_tokens = WINDOW_TOKENS

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """Say that there is no model."""
        raise ProviderError("No model is configured; rules do the work.")
