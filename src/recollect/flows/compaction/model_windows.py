"""How large a request to a model may be: what a provider refused wins, then the settings, then what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.context.limit_errors import is_context_limit, reported_limit
from recollect.context.model_limits import known_limit
from recollect.errors import SettingsError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.settings import Settings

LEAST_TOKENS = 256
LEARNED = "limit_tokens:"  # before the name of a model


class ModelWindows:
    """The windows of models, as far as this home knows them. `read` and `write` keep what was learned."""

    def __init__(
        self,
        settings: Settings,
        *,
        read: Callable[[str], int] = lambda model: 0,
        write: Callable[[str, int], None] = lambda model, tokens: None,
    ) -> None:
        self._set = dict(map(parse_limit, settings.compaction.limit_tokens))
        self._read = read
        self._write = write
        self._learned: dict[str, int] = {}

    def of(self, model: str) -> int:
        """How many tokens a request to this model may have."""
        learned = self._learned.get(model) or (self._read(model) if model else 0)
        return learned or self._set.get(model) or self._set.get("*") or known_limit(model)

    def learn(self, model: str, error: object) -> int:
        """The limit that a refusal names, kept for this model; 0 when it is about something else or names none."""
        limit = reported_limit(error) if is_context_limit(error) else 0
        if limit and model:
            self._learned[model] = limit
            self._write(model, limit)
        return limit


def windows_of(memory: Opened) -> ModelWindows:
    """The windows of models as a home knows them; what is learned stays there."""
    store = memory.store

    def read(model: str) -> int:
        return int(store.home_value(LEARNED + model) or 0)

    def write(model: str, tokens: int) -> None:
        try:
            with store.write():
                store.set_home_value(LEARNED + model, str(tokens))
        except StoreError:
            pass  # this process knows it, and the next refusal will say it again

    return ModelWindows(memory.settings, read=read, write=write)


def parse_limit(text: str) -> tuple[str, int]:
    """`gpt-4o=64000` as a model and its limit; `*` is every model."""
    model, _, number = (part.strip() for part in text.rpartition("="))
    if not model or not number.isdecimal() or int(number) < LEAST_TOKENS:
        raise SettingsError(f"'compaction.limit_tokens' has texts like 'gpt-4o=64000', not {text!r:.60}")
    return model, int(number)
