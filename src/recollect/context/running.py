"""One compaction in the background: started, waited for, cancelled, and its result taken once."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from recollect.errors import RecollectError

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.context.compaction import CompactionResult
    from recollect.model.messages import Message

    Work = Callable[[Callable[[], bool]], CompactionResult]


class RunningCompaction:
    """Works on a snapshot in a thread of its own; the conversation may grow meanwhile."""

    def __init__(self, snapshot: tuple[Message, ...], trigger: str, work: Work, *, calls_before: int = 0) -> None:
        self.snapshot = snapshot
        self.trigger = trigger
        self.calls_before = calls_before  # how often the summariser had asked its model by then
        self.problem = ""
        self.result: CompactionResult | None = None
        self._work = work
        self._cancelled = threading.Event()
        self._done = threading.Event()
        self._settled = threading.Event()  # done or cancelled: nobody has to wait any longer
        self._began = self._ended = 0.0
        self._thread = threading.Thread(target=self._run, name="recollect-compaction", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._began = time.monotonic()
        self._thread.start()

    def cancel(self) -> None:
        """Tell the work to stop; whatever it returns is discarded."""
        self._cancelled.set()
        self._settled.set()

    @property
    def cancelled(self) -> bool:
        """Whether its result is no longer wanted."""
        return self._cancelled.is_set()

    @property
    def done(self) -> bool:
        """Whether it has ended, well or badly."""
        return self._done.is_set()

    @property
    def seconds(self) -> float:
        """How long it took, or has taken so far."""
        return (self._ended or time.monotonic()) - self._began if self._began else 0.0

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended; False when it took longer, or at once when it is cancelled."""
        self._settled.wait(seconds)
        return self.done

    def _run(self) -> None:
        self.problem = "the compaction ended without a result"
        try:
            self.result = self._work(self._cancelled.is_set)
            self.problem = ""
        except RecollectError as problem:
            self.problem = str(problem)
        except Exception as problem:  # noqa: BLE001 other people's hooks and sources run in here
            self.problem = f"{type(problem).__name__}: {problem}"
        finally:
            self._ended = time.monotonic()
            self._done.set()
            self._settled.set()
