"""The worker: claim a job, run it, renew the lease, finish or retry. No daemon: it goes when nothing is left to do."""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import TYPE_CHECKING

from recollect.app import Recollect
from recollect.errors import RecollectError
from recollect.files import spool
from recollect.files.config import load_settings
from recollect.files.logs.worker_log import log
from recollect.files.repeated_calls import forget_old_calls
from recollect.flows.hooks.enqueue import take_in_jobs
from recollect.flows.sessions.session_end import end_session, session_of
from recollect.flows.turns.announcements import expire
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.upkeep.check_citations import check_citations
from recollect.model.jobs import CHECK_CITATIONS, LEASE_SECONDS, SESSION_END, Job
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from recollect.files.home import Home
    from recollect.store.store import Store

    # Runs a job in a memory that was opened where the job belongs; returns what to write into the log.
    Run = Callable[[Recollect, Job, float], dict[str, object]]

POLL_SECONDS = 5.0
LONGEST_JOB_SECONDS = 1_800.0  # past this a job is taken for hung: its lease runs out and another worker tries
CHECK_SECONDS = 60.0
DAY_SECONDS = 86_400.0
KEEP_DAYS = 7  # jobs that are over
TELL_DAYS = 60  # announcements that nobody came to hear
TRIES_FOR_LOG = 3  # a host may write a session's log after it has called the hook, or never
ACROSS_NOTE = "looked across"


class LogNotThere(RecollectError):
    """The session's log is not there yet."""


class Shift(Record):
    """How one run of the worker went."""

    done: int = 0
    failed: int = 0
    why: str = ""  # why it ended early; empty when there was nothing left to do


def run_session_end(memory: Recollect, job: Job, now: float) -> dict[str, object]:
    """Keep what a session leaves behind."""
    ended = session_of(job.payload)
    kept = end_session(ended, past=memory.past(), store=memory.store, now=now)
    if not kept.found and job.attempts < TRIES_FOR_LOG:
        raise LogNotThere(f"The log of {ended.host} session {ended.session} is not there yet.")
    return {"turns": kept.turns, "stored": len(kept.stored), "waiting": kept.waiting, "archived": len(kept.archived)}


def run_check_citations(memory: Recollect, job: Job, now: float) -> dict[str, object]:
    """Read and parse what the entries of a repository cite."""
    made = check_citations(memory.repository, store=memory.store, now=now, limit_seconds=CHECK_SECONDS)
    return {"checked": made}


RUNS: Mapping[str, Run] = {SESSION_END: run_session_end, CHECK_CITATIONS: run_check_citations}


class Worker:
    """One worker of one home. Two of them never do the same work, and never work at the same time."""

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        clock: Callable[[], float] = time.time,
        lease_seconds: float = LEASE_SECONDS,
        runs: Mapping[str, Run] = RUNS,
    ) -> None:
        self._environ = environ
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._runs = runs
        self.owner = f"{os.getpid()}-{os.urandom(4).hex()}"

    def once(self) -> Shift:
        """Do what is there to do. Never raises: what went wrong is in the log, and tried again another time."""
        try:
            with self._open("") as memory:
                for notice in memory.notices:
                    self._log(memory.home, "notice", why=notice)
                return self._shift(memory)
        except Exception as error:  # noqa: BLE001 the worker's loop: nobody is there to be told
            self._log(None, "failed", why=_sentence(error), trace=_trace(error))
            return Shift(why=_sentence(error))

    def stay(self, stop: threading.Event, *, poll_seconds: float = POLL_SECONDS) -> None:
        """Work whenever there is something to do, until told to stop."""
        while not stop.is_set():
            self.once()
            stop.wait(poll_seconds)

    def _shift(self, memory: Recollect) -> Shift:
        store, shift = memory.store, Shift()
        if not memory.settings.enabled:
            return Shift(why="memory is switched off (enabled = false)")
        while store.jobs.arrive(self.owner, lease_seconds=self._lease_seconds, now=self._clock()):
            try:
                with Lease(store, self.owner, seconds=self._lease_seconds, clock=self._clock) as lease:
                    shift = self._work(memory, lease, shift)
            finally:
                store.jobs.leave(self.owner, now=self._clock(), anyway=True)
            # A hook that spooled its job while this worker was still there has started no other one.
            if shift.why or not spool.waiting(memory.home.spool, name=spool.JOBS):
                return shift
        return shift._replace(why=shift.why or "another worker is there")

    def _work(self, memory: Recollect, lease: Lease, shift: Shift) -> Shift:
        """Jobs until none is due; then the house is put in order, which may take so long that one is due again."""
        store = memory.store
        while True:
            if not self._is_enabled(memory):
                return shift._replace(why="memory is switched off (enabled = false)")
            if lease.lost:
                return shift._replace(why="another worker took over")
            self._take_in(memory)
            job = store.jobs.claim(self.owner, lease_seconds=self._lease_seconds, now=self._clock())
            if job is not None:
                done = self._run(job, store, lease)
                shift = shift._replace(done=shift.done + done, failed=shift.failed + (not done))
                continue
            self._put_in_order(memory)
            if store.jobs.leave(self.owner, now=self._clock()):
                return shift

    def _run(self, job: Job, store: Store, lease: Lease) -> bool:
        """Run one job in a memory of its own, opened where the job belongs."""
        began = time.monotonic()
        lease.hold(job)
        try:
            with self._open(str(job.payload.get("cwd") or "")) as memory:
                run = self._runs.get(job.kind)
                if run is None:
                    raise RecollectError(f"This version knows no work of the kind {job.kind!r}.")
                details = run(memory, job, self._clock())
                home = memory.home
        except KeyboardInterrupt:
            store.jobs.fail(job, "interrupted", now=self._clock())
            raise
        except Exception as error:  # noqa: BLE001 the worker's loop: the next job has done nothing wrong
            store.jobs.fail(job, _sentence(error), now=self._clock())
            trace = "" if isinstance(error, RecollectError) else _trace(error)
            self._log(None, "job failed", kind=job.kind, key=job.key, why=_sentence(error), trace=trace)
            return False
        finally:
            lease.let_go()
        ours = store.jobs.finish(job, now=self._clock())
        seconds = round(time.monotonic() - began, 3)
        self._log(home, "job done", kind=job.kind, key=job.key, seconds=seconds, ours=ours, **details)
        return True

    def _take_in(self, memory: Recollect) -> None:
        take_in_spool(memory.store, spool_folder=memory.home.spool)
        take_in_jobs(memory.store, spool_folder=memory.home.spool, now=self._clock())

    def _put_in_order(self, memory: Recollect) -> None:
        store, now = memory.store, self._clock()
        with store.write(durable=False):
            store.candidates.expire(now=now)
            expire(store, now=now)
            store.jobs.prune(before=now - KEEP_DAYS * DAY_SECONDS)
            store.announcements.prune(before=now - TELL_DAYS * DAY_SECONDS)
        forget_old_calls(memory.home.spool, now=now)
        memory.tidy()
        if abs(now - float(store.home_value(ACROSS_NOTE) or 0)) >= DAY_SECONDS:
            with store.write(durable=False):
                store.set_home_value(ACROSS_NOTE, str(now))
            since = now - KEEP_DAYS * DAY_SECONDS
            memory.past().look_across({session.repository for session, _ in store.sessions.listed(since=since)})

    def _is_enabled(self, memory: Recollect) -> bool:
        """Read again before every job: whoever throws the switch does not want to wait for the end of the list."""
        return load_settings(self._environ, memory.home).enabled

    def _open(self, folder: str) -> Recollect:
        folder = folder if folder and os.path.isdir(folder) else os.path.abspath(os.sep)
        return Recollect.open(folder=folder, environ=self._environ, clock=self._clock)

    def _log(self, home: Home | None, what: str, **details: object) -> None:
        from recollect.files.home import Home, home_directory

        try:
            place = home or Home(home_directory(self._environ))
        except RecollectError:
            return
        log(place, what, now=self._clock(), **{name: value for name, value in details.items() if value != ""})


class Lease:
    """Renews the leases of a worker and of the job it holds, from a thread of its own, until the work is over."""

    def __init__(self, store: Store, owner: str, *, seconds: float, clock: Callable[[], float]) -> None:
        self._store = store
        self._owner = owner
        self._seconds = seconds
        self._clock = clock
        self._job: Job | None = None
        self._since = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="recollect-lease", daemon=True)
        self.lost = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(self._seconds)

    def hold(self, job: Job) -> None:
        """Renew this job too."""
        self._since = time.monotonic()
        self._job = job

    def let_go(self) -> None:
        """The job is over."""
        self._job = None
        self._since = time.monotonic()

    def _renew(self) -> None:
        while not self._over.wait(self._seconds / 4):
            job = self._job
            if job is not None and time.monotonic() - self._since > LONGEST_JOB_SECONDS:
                continue
            try:
                here = self._store.jobs.arrive(self._owner, lease_seconds=self._seconds, now=self._clock())
                ours = job is None or self._store.jobs.renew(job, lease_seconds=self._seconds, now=self._clock())
            except RecollectError:
                continue  # locked for long, or the disk is full: there are three more tries before the lease is over
            # Between the look and the renewal the job may have been finished, which is no loss.
            self.lost = self.lost or not here or not (ours or self._job is not job)
        self._store.close()


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, RecollectError) else f"{type(error).__name__}: {error}"


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-4_000:]
