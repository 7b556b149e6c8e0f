"""One compaction in the background: started, waited for, cancelled, and its result taken once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.context.compaction import CompactionResult
    from recollect.model.messages import Message

    Work = Callable[[Callable[[], bool]], CompactionResult]


class RunningCompaction:
    """Works on a snapshot in a thread of its own; the conversation may grow meanwhile."""

    def __init__(self, snapshot: tuple[Message, ...], trigger: str, work: Work) -> None:
        self.snapshot = snapshot
        self.trigger = trigger
        self.problem = ""
        self.result: CompactionResult | None = None
        self._work = work
        self._cancelled = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="recollect-compaction", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Tell the work to stop; whatever it returns is discarded."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether its result is no longer wanted."""
        return self._cancelled.is_set()

    @property
    def done(self) -> bool:
        """Whether it has ended, well or badly."""
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended; False when it took longer."""
        return self._done.wait(seconds)

    def _run(self) -> None:
        self.problem = "the compaction ended without a result"
        try:
            self.result = self._work(self._cancelled.is_set)
            self.problem = ""
        except RecollectError as problem:
            self.problem = str(problem)
        finally:
            self._done.set()
