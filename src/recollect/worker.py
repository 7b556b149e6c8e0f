"""The worker: claim a job, run it, renew the lease, finish or retry. No daemon: it goes when nothing is left to do.

Any number of workers may be there; no two ever do the same kind and key at the same time."""

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
from recollect.flows.hooks.enqueue import take_in_jobs
from recollect.flows.sessions.digest import Digest
from recollect.flows.sessions.session_end import announce, end_session, session_of
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.turns.near_entries import fill_entry_vectors
from recollect.flows.upkeep.check_citations import check_citations
from recollect.flows.upkeep.leave_upkeep import leave_upkeep
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.model.jobs import (
    CHECK_CITATIONS,
    CONSOLIDATE,
    EXTRACT,
    LEASE_SECONDS,
    MEMORIES,
    READ_SESSION,
    SESSION_END,
    UPKEEP,
    Job,
)
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

    from recollect.files.home import Home
    from recollect.store.store import Store

    # Runs a claimed job in a memory that was opened where the job belongs.
    Run = Callable[[Recollect, "Claim", float], "Finished"]

POLL_SECONDS = 5.0
LONGEST_JOB_SECONDS = 1_800.0  # past this a job is taken for hung: its lease runs out and another worker tries
CHECK_SECONDS = 60.0
ACROSS_SECONDS = 7 * 86_400.0  # sessions of this last time are looked at together
UNREAD_SECONDS = 2 * 86_400.0  # sessions of this last time are read by a model, once they have been quiet for
QUIET_SECONDS = 3_600.0
MOST_UNREAD = 20  # a day
TRIES_FOR_LOG = 3  # a host may write a session's log after it has called the hook, or never


class LogNotThere(RecollectError):
    """The session's log is not there yet."""


class LeaseLost(RecollectError):
    """Another worker has taken this job over; nothing more may come of it here."""


class Shift(Record):
    """How one run of the worker went."""

    done: int = 0
    failed: int = 0
    why: str = ""  # why it ended early; empty when there was nothing left to do


class Finished(Record):
    """A job that went well: what to write into the log, whether anything came of it, and how far its input went."""

    details: dict[str, object]
    output: bool = True
    input_version: int = 0  # where it processed newer input than it was left with


class Claim:
    """A claimed job, for whoever runs it. It is ours as long as nobody else has claimed it."""

    def __init__(self, job: Job, store: Store, *, seconds: float, clock: Callable[[], float]) -> None:
        self.job = job
        self._store = store
        self._seconds = seconds
        self._clock = clock

    def still_ours(self) -> bool:
        """Asked before anything is published: is the job still ours? The lease is renewed with it.

        Inside a write() of the job's own store the answer holds until that is over."""
        return self._store.jobs.renew(self.job, lease_seconds=self._seconds, now=self._clock())

    def require_ours(self) -> None:
        """Raise LeaseLost when the job is no longer ours."""
        if not self.still_ours():
            raise LeaseLost("Another worker has taken this job over.")


def run_session_end(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Keep what a session leaves behind."""
    ended = session_of(claim.job.payload)
    kept = end_session(ended, past=memory.sessions, store=memory.opened.store, now=now, require_ours=claim.require_ours)
    # A session that is over and left no log where the host names one had nothing in it: `claude mcp list` ends such.
    is_over = bool(ended.transcript) and claim.job.payload.get("event") == "session_end"
    if not kept.found and not is_over and claim.job.attempts < TRIES_FOR_LOG:
        raise LogNotThere(f"The log of {ended.host} session {ended.session} is not there yet.")
    give_vectors(memory)
    if claim.job.payload.get("event") == "session_end" and memory.models.is_on():
        for session_id in kept.sessions:
            leave_reading(session_id, ended.cwd, memory.opened.store, now=now)
    stored, archived = len(kept.stored), len(kept.archived)
    details: dict[str, object] = {
        "turns": kept.turns,
        "stored": stored,
        "waiting": kept.waiting,
        "archived": archived,
    }
    return Finished(details, output=bool(stored or kept.waiting or archived))


def leave_reading(session_id: str, cwd: str, store: Store, *, now: float) -> None:
    """Let a model be asked about a session that is over."""
    store.jobs.add(READ_SESSION, session_id, {"session": session_id, "cwd": cwd}, now=now)


def run_read_session(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Ask a model about a finished session. A model that fails is not asked again until there is more to ask about."""
    from recollect.flows.sessions.extraction import PURPOSE, expected_tokens, extract

    opened = memory.opened
    session = opened.store.sessions.get(str(claim.job.payload.get("session")))
    models = memory.models
    begun = models.begin(PURPOSE, expected_tokens=expected_tokens(session, opened, models))
    done = extract(session, opened, begun, require_ours=claim.require_ours)
    announce(session, Digest(stored=done.stored), store=opened.store, now=now)
    details: dict[str, object] = {"stored": len(done.stored), "waiting": done.waiting, "why": done.why}
    return Finished(details, output=bool(done.stored or done.waiting))


def run_check_citations(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Read and parse what the entries of a repository cite."""
    made = check_citations(memory.repository, store=memory.opened.store, now=now, limit_seconds=CHECK_SECONDS)
    return Finished({"checked": made}, output=made > 0)


def run_upkeep(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Put the house in order, and look at what several sessions say together."""
    store = memory.opened.store
    put_in_order(memory.opened)
    claim.require_ours()
    recent = store.sessions.listed(since=now - ACROSS_SECONDS)
    memory.sessions.look_across({session.repository for session, _ in recent})
    give_vectors(memory)
    if memory.models.is_on():
        _leave_unread(store, now=now, exclude=memory.settings.exclude)
    return Finished({"sessions": len(recent)})


def give_vectors(memory: Recollect) -> None:
    """With the extra `semantic`, give new facts their vectors."""
    from recollect.providers.sentences import Sentences

    store = memory.opened.store
    sentences = Sentences.load() if store.entry_vectors.missing(1) else None
    if sentences is not None:
        fill_entry_vectors(store, sentences)


def _leave_unread(store: Store, *, now: float, exclude: Sequence[str]) -> None:
    """Hosts that do not say when a session ends: one that has been quiet for long is over."""
    from recollect.flows.sessions.extraction import unread

    begun, over = now - UNREAD_SECONDS, now - QUIET_SECONDS
    for session in unread(store, limit=MOST_UNREAD, since=begun, until=over, exclude=exclude):
        leave_reading(session.session_id, session.cwd, store, now=now)


def run_memories(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Look which sessions are due for the memory of their project."""
    from recollect.flows.autonomous.due import leave_due

    due = leave_due(memory.opened)
    return Finished({"sessions": due.sessions, "repositories": due.repositories}, output=due.sessions > 0)


def run_extract(memory: Recollect, claim: Claim, now: float) -> Finished:
    """What one session leaves for the memory of its project; its artifacts follow."""
    from recollect.flows.autonomous.background import extract_in_background

    done = extract_in_background(str(claim.job.payload.get("session")), memory.opened, require_ours=claim.require_ours)
    return Finished(done._asdict(), output=done.has_output)


def run_consolidate(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Bring the artifacts of one repository up to date."""
    from recollect.flows.autonomous.background import consolidate_in_background

    done = consolidate_in_background(claim.job.payload, memory.opened, require_ours=claim.require_ours)
    return Finished(done._asdict(), output=not done.why)


RUNS: Mapping[str, Run] = {
    SESSION_END: run_session_end,
    READ_SESSION: run_read_session,
    MEMORIES: run_memories,
    EXTRACT: run_extract,
    CONSOLIDATE: run_consolidate,
    CHECK_CITATIONS: run_check_citations,
    UPKEEP: run_upkeep,
}


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
        """Work whenever there is something to do, until told to stop."""
        while not stop.is_set():
            self.once()
            stop.wait(poll_seconds)

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
            job = store.jobs.claim(self.owner, lease_seconds=self._lease_seconds, now=self._clock())
            if job is not None:
                shift = self._run(job, store, lease, shift)
            elif UPKEEP in self._runs and leave_upkeep(store, now=self._clock()):
                continue
            elif store.jobs.leave(self.owner, now=self._clock()):
                return shift

    def _run(self, job: Job, store: Store, lease: Lease, shift: Shift) -> Shift:
        """Run one job in a memory of its own, opened where the job belongs; returns the shift with it."""
        began = time.monotonic()
        lease.hold(job)
        try:
            with self._open(str(job.payload.get("cwd") or "")) as memory:
                run = self._runs.get(job.kind)
                if run is None:
                    raise RecollectError(f"This version knows no work of the kind {job.kind!r}.")
                claim = Claim(job, memory.opened.store, seconds=self._lease_seconds, clock=self._clock)
                finished = run(memory, claim, self._clock())
                home = memory.home
        except KeyboardInterrupt:
            store.jobs.fail(job, "interrupted", now=self._clock())
            raise
        except LeaseLost:
            self._log(None, "job lost", kind=job.kind, key=job.key)
            return shift
        except Exception as error:  # noqa: BLE001 the worker's loop: the next job has done nothing wrong
            store.jobs.fail(job, _sentence(error), now=self._clock())
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
                self._store.jobs.remain(self._owner, lease_seconds=self._seconds, now=self._clock())
                if job is not None:
                    self._store.jobs.renew(job, lease_seconds=self._seconds, now=self._clock())
            except RecollectError:
                continue  # locked for long, or the disk is full: there are three more tries before the lease is over
        self._store.close()


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, RecollectError) else f"{type(error).__name__}: {error}"


def _trace(error: Exception) -> str:
    return "".join(traceback.format_exception(error))[-4_000:]
