"""The hook: one JSON object in, one JSON object out, exit 0, whatever happens, and never longer than it may take.

Nothing here imports more than it needs: hosts run this at every turn of every user."""

from __future__ import annotations

import os
import sys
import time
from _thread import allocate_lock, start_new_thread

from recollect.files.home import Home, home_directory
from recollect.files.logs.hook_log import log_call
from recollect.flows.hooks.answer_hook import QUIET, TOO_LATE, Clock, HookAnswer
from recollect.flows.hooks.respond import EMPTY, NOT_UNDERSTOOD, Reply, respond
from recollect.settings import environment
from recollect.text.quick_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from recollect.doors.hook_crowd import Crowd
else:
    import _signal as signal  # the same without its enums, which take longer than a search

MOST_BYTES = 8_000_000  # of what a host may say; the rest is read and dropped
CHUNK = 1 << 16
SOFT_SHARE = 0.9  # of the limit: what is left after that is for saying so
LAST_SECONDS = 0.02  # for a last line in the log


class TooLate(BaseException):
    """The time is over; raised wherever the code happens to be."""


class Watch:
    """A thread that answers in our place when the time is over and the code hangs where no signal reaches it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._answering = allocate_lock()
        self.home: Home | None = None

    def claim(self) -> bool:
        """Whoever is first may answer; nobody else does."""
        return self._answering.acquire(blocking=False)

    def wait(self) -> None:
        """Sleep until the time is over, then answer with nothing and end the process."""
        while self._clock.left_seconds > 0:
            time.sleep(self._clock.left_seconds)
        if self.claim():
            _write(1, EMPTY)
            # In a thread of its own: what hangs may be the disk that the log is on.
            start_new_thread(self.log, ())
            time.sleep(LAST_SECONDS)
            os._exit(0)

    def log(self) -> None:
        """A line that says so."""
        if self.home is not None:
            _log(Reply(answered=HookAnswer(outcome="too late", why=TOO_LATE)), self.home, self._clock)


def run(
    words: Sequence[str],
    *,
    home: str = "",
    worker: str = "",
    began: float = 0.0,
    begun: bytes = b"",
    crowd: Crowd | None = None,
) -> int:
    """Answer one call of a host; returns the exit code, which is always 0.

    `begun` was read already; with a crowd, those of it who wait are answered as well."""
    # What starting the interpreter took counts too.
    clock = Clock(spent=time.process_time(), began=began)
    worker = worker or sys.executable
    watch = Watch(clock)
    reply = Reply()
    try:
        try:
            _arm(clock)
            start_new_thread(watch.wait, ())
            environ = environment()
            watch.home = Home(home) if home else Home(home_directory(environ))
            limit = _limiter(clock, crowd)
            said = _read(0, begun)
            reply = respond(words, said, home=watch.home, environ=environ, clock=clock, limit=limit)
        finally:
            _disarm()  # it rings once: what it still raises here ends below
    except TooLate:
        reply = Reply(answered=HookAnswer(outcome="too late", why=TOO_LATE))
    except BaseException as error:  # noqa: BLE001 nothing of ours may ever reach a host
        reply = Reply(answered=HookAnswer(outcome="failed", why=f"{type(error).__name__}: {error}"))
    if not watch.claim():
        time.sleep(2 * LAST_SECONDS)  # the watch has answered and is ending this process
        return 0
    _write(1, reply.data)
    if watch.home is not None:
        _afterwards(reply, watch.home, clock, worker)
        if crowd is not None:
            _work_for_others(crowd, watch.home)
    return 0


def _work_for_others(crowd: Crowd, home: Home) -> None:
    """Leave somebody behind who answers those who wait. Nobody waits for that one, so our own host goes on."""

    def answer(said: tuple[list[str], bytes, dict[str, str], str, float, str]) -> bytes | None:
        words, data, environ, folder, began, worker = said
        clock = Clock(began=began)

        def limit(milliseconds: int) -> None:
            clock.limit_seconds = milliseconds / 1000

        os.chdir(folder)
        try:
            reply = respond(words, data, home=home, environ=environ, clock=clock, limit=limit)
        except Exception as error:  # noqa: BLE001 one of many, and nothing of ours may ever reach a host
            reply = Reply(answered=HookAnswer(outcome="failed", why=f"{type(error).__name__}: {error}"))
        if reply.answered.outcome == NOT_UNDERSTOOD or clock.late():
            return None  # perhaps its host has not said all of it; or it waits no longer, and says so itself
        _afterwards(reply, home, clock, worker)
        return reply.data

    crowd.serve(answer)


# -- the outside: streams, timers, the worker, the log


def _read(handle: int, begun: bytes = b"") -> bytes:
    """What the host says, up to the end or to the end of one object: some hosts never close the pipe."""
    parts = [begun]
    size = len(begun)
    if _is_whole(begun):
        return begun
    while True:
        try:
            part = os.read(handle, CHUNK)
        except OSError:
            part = b""
        if not part:
            return b"".join(parts)
        size += len(part)
        if size > MOST_BYTES:
            continue
        parts.append(part)
        if len(part) < CHUNK and _is_whole(b"".join(parts) if part.rstrip().endswith(b"}") else b""):
            return b"".join(parts)


def _is_whole(said: bytes) -> bool:
    """Is this one whole object?"""
    if not said.rstrip().endswith(b"}"):
        return False
    try:
        loads(said)
    except (ValueError, RecursionError):
        return False
    return True


def _write(handle: int, data: bytes) -> None:
    """Say it, as far as somebody listens."""
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(handle, left) :]
    except OSError:
        return


def _arm(clock: Clock) -> None:
    """Have the system ring when the time is over."""

    def ring(*_: object) -> NoReturn:
        # Inside a statement SQLite swallows what is raised here, so it is noted as well.
        clock.ring()
        raise TooLate

    left = max(SOFT_SHARE * clock.limit_seconds - clock.spent_seconds, 0.005)
    if hasattr(signal, "setitimer"):
        try:
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, left)
        except ValueError:
            return  # not the main thread: the statements of the database still look at the clock


def _disarm() -> None:
    if hasattr(signal, "setitimer"):
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
        except ValueError:
            return


def _limiter(clock: Clock, crowd: Crowd | None) -> Callable[[int], None]:
    def limit(milliseconds: int) -> None:
        """Set the time that the settings give."""
        if milliseconds / 1000 != clock.limit_seconds:
            clock.limit_seconds = milliseconds / 1000
            _arm(clock)
            if crowd is not None:
                crowd.leave()  # who waits for us knows the usual limit alone

    return limit


def _afterwards(reply: Reply, home: Home, clock: Clock, worker: str) -> None:
    """Start the worker where one is wanted, and leave a line in the log. The host has its answer already."""
    if reply.answered.start_worker:
        from recollect.files.worker_process import NOT_STARTED, start_worker

        try:
            start_worker(worker, home)
        except NOT_STARTED as error:
            why = f"the worker could not be started: {error}"
            reply = reply._replace(answered=reply.answered._replace(why=why))
    _log(reply, home, clock)


def _log(reply: Reply, home: Home, clock: Clock) -> None:
    call, answered = reply.call, reply.answered
    if answered.outcome == QUIET:
        return  # a line for every tool that touches a file would push out all others
    fields: dict[str, object] = {
        "at": round(time.time(), 3),
        "host": call.host if call else "",
        "event": call.event if call else "",
        "session": call.session[:100] if call else "",
        "outcome": answered.outcome,
        "characters": len(answered.text),
        "milliseconds": round(clock.spent_seconds * 1000, 1),
    }
    if answered.why:
        from recollect.text.clean import clean

        fields["why"] = clean(answered.why)[:500]
    log_call(home.logs, fields)
