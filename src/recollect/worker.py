"""The worker: claim a job, run it, renew the lease, finish or retry. No daemon: it goes when nothing is left to do.

Any number of workers may be there; no two ever do the same kind and key at the same time."""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import TYPE_CHECKING

from recollect.app import Recollect
from recollect.errors import CeilingReached, RecollectError
from recollect.files import spool
from recollect.files.config import load_settings
from recollect.files.home import Home, home_directory
from recollect.files.logs.worker_log import log
from recollect.files.serving_mark import ServingMark
from recollect.flows.hooks.enqueue import take_in_jobs
from recollect.flows.models.ledger import tomorrow
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.upkeep.leave_upkeep import leave_upkeep
from recollect.model.jobs import CONSOLIDATE, EXTRACT, LEASE_SECONDS, MEMORIES, UPKEEP, Job, Patience
from recollect.model.record import Record
from recollect.worker_runs import RUNS, Claim, LeaseLost

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from recollect.settings import Settings
    from recollect.store.store import Store
    from recollect.worker_runs import Run

POLL_SECONDS = 5.0
LONGEST_JOB_SECONDS = 1_800.0  # past this a job is taken for hung: its lease runs out and another worker tries


class Shift(Record):
    """How one run of the worker went."""

    done: int = 0
    failed: int = 0
    why: str = ""  # why it ended early; empty when there was nothing left to do


class Worker:
    """One worker of one home; others may be at work beside it."""

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

    def retry(self) -> int:
        """Let jobs that were given up wait again; returns how many."""
        with self._open("") as memory:
            return memory.opened.store.jobs.revive(now=self._clock())

    def waiting(self) -> int:
        """How many jobs wait."""
        with self._open("") as memory:
            return memory.opened.store.jobs.counts()["waiting"]

    def stay(self, stop: threading.Event, *, poll_seconds: float = POLL_SECONDS) -> None:
        """Work whenever there is something to do, until told to stop. Like the start of a session, the beginning of
        this is when one looks which past sessions are due."""
        self._leave_memories()
        mark = ServingMark(Home(home_directory(self._environ)))
        try:
            while not stop.is_set():
                mark.take()
                self.once()
                stop.wait(poll_seconds)
        finally:
            mark.release()

    def _leave_memories(self) -> None:
        try:
            with self._open("") as memory:
                if memory.settings.enabled and memory.settings.memories.enabled:
                    memory.opened.store.jobs.add(MEMORIES, "", {}, now=self._clock())
        except RecollectError as error:
            self._log(None, "failed", why=_sentence(error))

    def _shift(self, memory: Recollect) -> Shift:
        store, shift = memory.opened.store, Shift()
        if not memory.settings.enabled:
            return Shift(why="memory is switched off (enabled = false)")
        stuck = 0
        while True:
            before = shift
            store.jobs.arrive(self.owner, lease_seconds=self._lease_seconds, now=self._clock())
            try:
                with Lease(store, self.owner, seconds=self._lease_seconds, clock=self._clock) as lease:
                    shift = self._work(memory, lease, shift)
            finally:
                store.jobs.leave(self.owner, now=self._clock(), anyway=True)
            # A hook that spooled its job while this worker was still there has started no other one.
            spooled = spool.waiting(memory.home.spool, name=spool.JOBS)
            if shift.why or not spooled or (spooled == stuck and shift == before):
                return shift
            stuck = spooled  # a file that cannot be taken in is looked at once more, not for ever

    def _work(self, memory: Recollect, lease: Lease, shift: Shift) -> Shift:
        """Jobs until none is due, the day's upkeep after the others."""
        store = memory.opened.store
        while True:
            if not self._is_enabled(memory):
                return shift._replace(why="memory is switched off (enabled = false)")
            self._take_in(memory)
            most = memory.settings.memories.concurrency
            job = store.jobs.claim(
                self.owner, lease_seconds=self._lease_seconds, most_extracting=most, now=self._clock()
            )
            if job is not None:
                shift = self._run(job, memory, lease, shift)
            elif UPKEEP in self._runs and leave_upkeep(store, now=self._clock()):
                continue
            elif store.jobs.leave(self.owner, most_extracting=most, now=self._clock()):
                return shift

    def _patience(self, job: Job, settings: Settings) -> Patience:
        """How patient one is with a job: the settings say it for those of autonomous memory."""
        if job.kind not in (MEMORIES, EXTRACT, CONSOLIDATE):
            return Patience(self._lease_seconds)
        own = settings.memories
        return Patience(float(own.lease_seconds), float(own.retry_seconds), own.retry_limit)

    def _run(self, job: Job, around: Recollect, lease: Lease, shift: Shift) -> Shift:
        """Run one job in a memory of its own, opened where the job belongs; returns the shift with it."""
        began = time.monotonic()
        store, patience = around.opened.store, self._patience(job, around.settings)
        store.jobs.renew(job, lease_seconds=patience.lease_seconds, now=self._clock())
        lease.hold(job, patience.lease_seconds)
        try:
            with self._open(str(job.payload.get("cwd") or "")) as memory:
                run = self._runs.get(job.kind)
                if run is None:
                    raise RecollectError(f"This version does not know the job kind {job.kind!r}.")
                claim = Claim(job, memory.opened.store, seconds=patience.lease_seconds, clock=self._clock)
                finished = run(memory, claim, self._clock())
                home = memory.home
        except KeyboardInterrupt:
            store.jobs.fail(job, "interrupted", now=self._clock())
            raise
        except LeaseLost:
            self._log(None, "job lost", kind=job.kind, key=job.key)
            return shift
        except CeilingReached as error:
            now = self._clock()
            store.jobs.put_off(job, f"{error} It waits until tomorrow.", until=tomorrow(now), now=now)
            self._log(None, "job put off", kind=job.kind, key=job.key, why=str(error))
            return shift
        except Exception as error:  # noqa: BLE001 the worker's loop: the next job has done nothing wrong
            store.jobs.fail(job, _sentence(error), patience=patience, now=self._clock())
            trace = "" if isinstance(error, RecollectError) else _trace(error)
            self._log(None, "job failed", kind=job.kind, key=job.key, why=_sentence(error), trace=trace)
            return shift._replace(failed=shift.failed + 1)
        finally:
            lease.let_go()
        ours = store.jobs.finish(job, output=finished.output, input_version=finished.input_version, now=self._clock())
        seconds = round(time.monotonic() - began, 3)
        self._log(home, "job done", kind=job.kind, key=job.key, seconds=seconds, ours=ours, **finished.details)
        return shift._replace(done=shift.done + 1)

    def _take_in(self, memory: Recollect) -> None:
        take_in_spool(memory.opened.store, spool_folder=memory.home.spool)
        take_in_jobs(memory.opened.store, spool_folder=memory.home.spool, now=self._clock())

    def _is_enabled(self, memory: Recollect) -> bool:
        """Read again before every job: whoever throws the switch does not want to wait for the end of the list."""
        return load_settings(self._environ, memory.home).enabled

    def _open(self, folder: str) -> Recollect:
        folder = folder if folder and os.path.isdir(folder) else os.path.abspath(os.sep)
        return Recollect.open(folder=folder, environ=self._environ, clock=self._clock)

    def _log(self, home: Home | None, what: str, **details: object) -> None:
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
        self._job_seconds = seconds
        self._since = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="recollect-lease", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(self._seconds)

    def hold(self, job: Job, seconds: float) -> None:
        """Renew this job too, each time for so many seconds."""
        self._since = time.monotonic()
        self._job_seconds = seconds
        self._job = job

    def let_go(self) -> None:
        """The job is over."""
        self._job = None
        self._since = time.monotonic()

    def _renew(self) -> None:
        while not self._over.wait(min(self._seconds, self._job_seconds) / 4):
            job = self._job
            if job is not None and time.monotonic() - self._since > LONGEST_JOB_SECONDS:
                continue
            try:
                self._store.jobs.remain(self._owner, lease_seconds=self._seconds, now=self._clock())
                if job is not None:
                    self._store.jobs.renew(job, lease_seconds=self._job_seconds, now=self._clock())
            except RecollectError:
                continue  # locked for long, or the disk is full: there are three more tries before the lease is over
        self._store.close()


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, RecollectError) else f"{type(error).__name__}: {error}"


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-4_000:]
