"""How long a request goes on: until it is cancelled or its time is up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.errors import RequestCancelled, RequestTimedOut

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from recollect.ports import Prompt

LOOK_SECONDS = 0.02  # a request that is cancelled ends about this long after


class Patience:
    """The time of one request, which begins now."""

    def __init__(self, prompt: Prompt, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._cancelled = prompt.cancelled
        self._limit_seconds = prompt.limit_seconds
        self._clock = clock
        self._began = clock()

    def check(self) -> None:
        """Go on? Raises RequestCancelled or RequestTimedOut when not."""
        if self._cancelled():
            raise RequestCancelled
        if self._limit_seconds and self._clock() - self._began >= self._limit_seconds:
            raise RequestTimedOut(f"The model did not answer within {self._limit_seconds:g} seconds.")

    def wait(self, event: Event, seconds: float) -> bool:
        """Wait for the event that long; whether it came. Raises as soon as there is no reason left to wait."""
        until = self._clock() + seconds
        while True:
            self.check()
            left = until - self._clock()
            if event.wait(max(0.0, min(left, LOOK_SECONDS))):
                return True
            if left <= 0:
                return False
