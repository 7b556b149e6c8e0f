"""The one place where the asynchronous door meets the synchronous core.

Work runs in a thread of its own. While it takes long the client hears that it goes on; when the client takes the call
back, the work is told to stop, and the store lets it write nothing more."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.lowlevel import RunVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any

    Report = Callable[[float, str], Awaitable[None]]

T = TypeVar("T")
THREADS = 8
BEAT_SECONDS = 1.0

_limiters: RunVar[anyio.CapacityLimiter] = RunVar("recollect_limiters")  # one an event loop


class Work:
    """One call while it is worked on: what it is doing, for whoever waits, and whether anybody still does."""

    def __init__(self) -> None:
        self.stage = "working"
        self._stopped = threading.Event()

    def tell(self, stage: str) -> None:
        """Say what is being done now."""
        self.stage = stage

    def is_stopped(self) -> bool:
        """Did the client take the call back?"""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Nobody waits any more."""
        self._stopped.set()


async def in_thread(work: Work, function: Callable[[], T], *, report: Report) -> T:
    """Run a function of the core; what it raises is raised here."""
    outcome: list[T] = []
    failure: list[Exception] = []

    def caught() -> None:
        try:
            outcome.append(function())
        except Exception as error:  # noqa: BLE001 raised again below, outside the group that would wrap it
            failure.append(error)

    async with anyio.create_task_group() as group:
        group.start_soon(_beat, work, report)
        try:
            await anyio.to_thread.run_sync(caught, abandon_on_cancel=True, limiter=_limiter())
        except anyio.get_cancelled_exc_class():
            work.stop()
            raise
        group.cancel_scope.cancel()
    if failure:
        raise failure[0]
    return outcome[0]


def from_thread(function: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> T:
    """Inside `in_thread`: wait for something that only the event loop can do. Ends with the call it belongs to."""
    return anyio.from_thread.run(partial(function, *arguments))


async def _beat(work: Work, report: Report) -> None:
    """Once a second: the call is alive, and this is what it does."""
    beats = 0
    while True:
        await anyio.sleep(BEAT_SECONDS)
        beats += 1
        await report(float(beats), work.stage)


def _limiter() -> anyio.CapacityLimiter:
    try:
        return _limiters.get()
    except LookupError:
        limiter = anyio.CapacityLimiter(THREADS)
        _limiters.set(limiter)
        return limiter
