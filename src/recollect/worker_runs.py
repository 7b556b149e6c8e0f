"""What the worker does for each kind of job, and what came of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.flows.board.after_session import leave_rem
from recollect.flows.sessions.digest import Digest
from recollect.flows.sessions.session_end import announce, end_session, session_of
from recollect.flows.suggestions.after_turn import leave_reconcile, reconcile_in_background
from recollect.flows.turns.near_entries import fill_entry_vectors
from recollect.flows.upkeep.check_citations import check_citations
from recollect.flows.upkeep.put_in_order import put_in_order
from recollect.flows.writes.start_texts import ask_service
from recollect.model.jobs import (
    CHECK_CITATIONS,
    COMPARE,
    CONSOLIDATE,
    EXTRACT,
    MEMORIES,
    READ_SESSION,
    RECONCILE,
    REM,
    SESSION_END,
    SIDEKICKS,
    TIDY,
    UPKEEP,
    Job,
)
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.app import Recollect
    from recollect.store.store import Store

    # Runs a claimed job in a memory that was opened where the job belongs.
    Run = Callable[[Recollect, "Claim", float], "Finished"]

CHECK_SECONDS = 60.0
ACROSS_SECONDS = 7 * 86_400.0  # sessions of this last time are looked at together
UNREAD_SECONDS = 2 * 86_400.0  # sessions of this last time are read by a model, once they are over
MOST_UNREAD = 20  # a day
QUIET_SECONDS = 3_600.0  # hosts that do not say when a session ends: one that was quiet for so long is over
TRIES_FOR_LOG = 3  # a host may write a session's log after it has called the hook, or never


class LogNotThere(RecollectError):
    """The session's log does not exist yet."""


class LeaseLost(RecollectError):
    """Another worker has taken this job over; nothing more may come of it here."""


class Finished(Record):
    """A job that went well: what to write into the log, whether anything came of it, and how far its input went."""

    details: dict[str, object]
    output: bool = True
    input_version: int = 0  # where it processed newer input than it was left with


SWITCHED_OFF = Finished({"why": "switched off"}, output=False)


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
        raise LogNotThere(f"The log of {ended.host} session {ended.session} does not exist yet.")
    give_vectors(memory)
    ask_service(memory.opened)  # a hook has no time for it, and tells the next session what it said
    leave_reconcile(memory.opened, host=ended.host, ended=claim.job.payload.get("event") == "session_end")
    if claim.job.payload.get("event") == "session_end" and memory.models.is_there():
        for session_id in kept.sessions:
            leave_reading(session_id, ended.cwd, memory.opened.store, now=now)
    if claim.job.payload.get("event") == "session_end":
        for session_id in kept.sessions:
            leave_rem(session_id, memory.opened)
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
    """Keep what a model says of a finished session. One that fails is not asked again until there is more to ask."""
    from recollect.flows.sessions.extraction import read

    opened = memory.opened
    session = opened.store.sessions.get(str(claim.job.payload.get("session")))
    [done] = read([session], opened, memory.models, require_ours=claim.require_ours)
    announce(session, Digest(stored=done.stored), store=opened.store, now=now)
    details: dict[str, object] = {"stored": len(done.stored), "waiting": done.waiting, "why": done.why}
    return Finished(details, output=bool(done.stored or done.waiting))


def run_compare(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Let what says the same twice, or contradicts something, wait for a person."""
    from recollect.flows.upkeep.compare_entries import compare_entries

    done = compare_entries(memory.opened, memory.models, require_ours=claim.require_ours)
    return Finished(dict(done._asdict()), output=done.proposed > 0)


def run_tidy(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Let a model say which facts of the repository's memory file can go."""
    from recollect.flows.upkeep.tidy_file import tidy_file

    done = tidy_file(memory.opened, memory.models, require_ours=claim.require_ours)
    return Finished({"dropped": done.dropped, "why": done.why}, output=done.dropped > 0, input_version=done.state)


def run_check_citations(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Read and parse what the entries of a repository cite."""
    made = check_citations(memory.repository, store=memory.opened.store, now=now, limit_seconds=CHECK_SECONDS)
    return Finished({"checked": made}, output=made > 0)


def pause(seconds: float) -> None:
    """Wait a moment for more of the same turn."""
    time.sleep(seconds)


def run_reconcile(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Make suggestions from what was learned, and tell of them."""
    payload = claim.job.payload
    host, ended = str(payload.get("host") or ""), bool(payload.get("ended"))
    claim.require_ours()
    done = reconcile_in_background(memory.opened, host=host, ended=ended, pause=pause)
    made = len(done.added) if done else 0
    return Finished({"suggested": made}, output=made > 0)


def run_upkeep(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Put the house in order, and look at what several sessions say together."""
    from recollect.flows.upkeep.compare_entries import leave_comparison

    store = memory.opened.store
    put_in_order(memory.opened)
    claim.require_ours()
    recent = store.sessions.listed(since=now - ACROSS_SECONDS)
    memory.sessions.look_across({session.repository for session, _ in recent})
    give_vectors(memory)
    if memory.models.is_there():
        _leave_unread(store, now=now, exclude=memory.settings.exclude)
    for session, _ in store.sessions.listed(since=now - UNREAD_SECONDS):
        if session.ended < now - QUIET_SECONDS:
            leave_rem(session.session_id, memory.opened)
    leave_comparison(store, now=now)
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
    from recollect.flows.sessions.extraction import QUIET_SECONDS, unread

    begun, over = now - UNREAD_SECONDS, now - QUIET_SECONDS
    for session in unread(store, limit=MOST_UNREAD, since=begun, until=over, exclude=exclude):
        leave_reading(session.session_id, session.cwd, store, now=now)


def run_rem(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Bring a context board up to date with a session that is over."""
    if not memory.board.is_on:
        return SWITCHED_OFF
    session = memory.opened.store.sessions.get(str(claim.job.payload.get("session")))
    done = memory.rem.consolidate(session, require_ours=claim.require_ours)
    details: dict[str, object] = {"added": len(done.added), "pruned": len(done.pruned), "why": done.why}
    return Finished(details, output=bool(done.added or done.pruned))


def run_sidekicks(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Let sidekicks look at a message; what they find goes into the inbox of its session."""
    from recollect.flows.chat.tools.servers import github_server
    from recollect.flows.sidekicks.after_prompt import look

    with github_server(memory.opened) as github:
        done = look(claim.job.payload, memory.opened, github=github)
    sent = sum(len(one.sent) for one in done)
    why = "; ".join(f"{one.agent}: {one.why}" for one in done if one.why)
    return Finished({"sidekicks": len(done), "sent": sent, "why": why}, output=sent > 0)


def run_memories(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Look which sessions are due for the memory of their project."""
    from recollect.flows.autonomous.background import may_run
    from recollect.flows.autonomous.due import leave_due

    if not may_run(claim.job.payload, memory.opened):
        return SWITCHED_OFF
    due = leave_due(memory.opened)
    return Finished({"sessions": due.sessions, "repositories": due.repositories}, output=due.sessions > 0)


def run_extract(memory: Recollect, claim: Claim, now: float) -> Finished:
    """What one session leaves for the memory of its project; its artifacts follow."""
    from recollect.flows.autonomous.background import extract_in_background, may_run
    from recollect.flows.autonomous.due import input_version

    payload, opened = claim.job.payload, memory.opened
    if not may_run(payload, opened):
        return SWITCHED_OFF
    session = opened.store.sessions.get(str(payload.get("session")))
    forced = bool(payload.get("forced"))
    done = extract_in_background(session.session_id, opened, forced=forced, require_ours=claim.require_ours)
    return Finished(done._asdict(), output=done.has_output, input_version=input_version(session))


def run_consolidate(memory: Recollect, claim: Claim, now: float) -> Finished:
    """Bring the artifacts of one repository up to date."""
    from recollect.flows.autonomous.background import consolidate_in_background, may_run

    if not may_run(claim.job.payload, memory.opened):
        return SWITCHED_OFF
    done = consolidate_in_background(claim.job.payload, memory.opened, require_ours=claim.require_ours)
    return Finished(done._asdict(), output=not done.why)


RUNS: Mapping[str, Run] = {
    SESSION_END: run_session_end,
    READ_SESSION: run_read_session,
    MEMORIES: run_memories,
    EXTRACT: run_extract,
    CONSOLIDATE: run_consolidate,
    COMPARE: run_compare,
    TIDY: run_tidy,
    CHECK_CITATIONS: run_check_citations,
    RECONCILE: run_reconcile,
    REM: run_rem,
    SIDEKICKS: run_sidekicks,
    UPKEEP: run_upkeep,
}
