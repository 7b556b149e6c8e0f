"""Jobs: work that a hook or a command leaves for the worker."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    JobStatus = Literal["waiting", "running", "done", "dead"]
    JobOutcome = Literal["", "output", "nothing"]

SESSION_END, CHECK_CITATIONS, UPKEEP = "session_end", "check_citations", "upkeep"
READ_SESSION = "read_session"  # ask a model about what was typed in a finished session
# Autonomous memory: look which sessions are due, extract one, bring the artifacts of a repository up to date.
MEMORIES, EXTRACT, CONSOLIDATE = "memories", "extract", "consolidate"
COMPARE = "compare_entries"  # once a week: what says the same twice, what contradicts what
TIDY = "tidy_file"  # ask a model which facts of a repository's memory file can go
RECONCILE = "reconcile"  # make suggestions from what was learned
REM = "rem"  # bring a context board up to date with a session that is over
SIDEKICKS = "sidekicks"  # look for what a prompt needs, for the inbox of its session
# How long work belongs to whoever claimed it without a word from them.
LEASE_SECONDS = 60.0
MOST_ATTEMPTS = 5
RETRY_SECONDS = 10.0


class Job(Record):
    """One piece of work. The lease owns it, not the process: its effect must be safe to repeat."""

    job_id: str
    kind: str
    key: str
    payload: dict[str, Any]
    status: JobStatus = "waiting"
    attempts: int = 0
    due: float = 0.0
    lease_owner: str = ""
    lease_until: float = 0.0
    created: float = 0.0
    updated: float = 0.0
    error: str = ""
    input_version: int = 0  # which state of its input it is about; 0: it does not say
    claim_token: str = ""  # of this claim, not of the worker: another claim of the same job has another one
    outcome: JobOutcome = ""


class WorkerSeen(Record):
    """A worker that has said it is there."""

    owner: str
    started: float
    lease_until: float


class Patience(Record):
    """How long a job belongs to whoever claimed it, and how often and how soon it is tried again."""

    lease_seconds: float = LEASE_SECONDS
    retry_seconds: float = RETRY_SECONDS
    most_attempts: int = MOST_ATTEMPTS


def wait_seconds(attempts: int, first: float = RETRY_SECONDS) -> float:
    """How long to leave a job alone that has failed so many times."""
    return float(min(first * 6 ** min(max(attempts - 1, 0), 9), 3_600))
