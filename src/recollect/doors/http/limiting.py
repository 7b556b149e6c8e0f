"""How many requests one program or browser may make: a bucket each, filled again as time passes."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BURST_SECONDS = 10.0  # of requests may come at once
MOST = 1_000  # buckets; the oldest go first


class Limits:
    """One bucket for each who asks."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._most = max(1.0, self._per_second * BURST_SECONDS)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when that was
        self._lock = threading.Lock()

    def wait_seconds(self, who: str) -> float:
        """Take one request; 0 when it may be made, else how long to wait."""
        with self._lock:
            now = self._clock()
            left, at = self._buckets.pop(who, (self._most, now))
            left = min(self._most, left + (now - at) * self._per_second)
            allowed = left >= 1
            self._buckets[who] = (left - 1 if allowed else left, now)
            while len(self._buckets) > MOST:
                self._buckets.pop(next(iter(self._buckets)))
            return 0.0 if allowed else (1 - left) / self._per_second
