"""How long something may take: asked inside loops, and before what cannot be interrupted."""

from __future__ import annotations

import time

from recollect.errors import OutOfTime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 64  # weight between two looks at the clock


class TimeLimit:
    """A ceiling of time. Raises OutOfTime when it is reached, or would be."""

    __slots__ = ("_clock", "_deadline", "_steps")

    def __init__(self, deadline: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._deadline = deadline
        self._clock = clock
        self._steps = 0

    @property
    def left_seconds(self) -> float:
        """How much time is left."""
        return self._deadline - self._clock()

    def step(self, weight: int = 1) -> None:
        """A round of a loop is about to begin; weight 64 is some ten microseconds."""
        self._steps += weight
        if self._steps >= STEPS:
            self._steps = 0
            self.need(0.0)

    def need(self, seconds: float) -> None:
        """Something is about to begin that takes this long and cannot be interrupted."""
        if seconds >= self.left_seconds:
            raise OutOfTime


NO_LIMIT = TimeLimit(float("inf"))
