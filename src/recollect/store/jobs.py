"""Jobs: one row each, claimed by a lease. Every method is a write of its own, or part of the one around it."""

from __future__ import annotations

import os

from recollect.model.jobs import LEASE_SECONDS, Job, Patience, WorkerSeen, wait_seconds
from recollect.store.rows import storable
from recollect.store.statements import jobs as sql
from recollect.text import ids
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from recollect.store.database import Database

LONGEST_ERROR = 500
# A lease that ends later than this was written by a clock that went wrong; nobody waits for it.
LONGEST_LEASE_SECONDS = 3_600.0
ENDED = "the worker ended in the middle of it"
ANY_NUMBER = 1_000_000
PATIENCE = Patience()


class Jobs:
    """What workers have to do, how far they have come, and which workers there are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- leaving work

    def add(
        self, kind: str, key: str, payload: Mapping[str, Any], *, input_version: int = 0, due: float = 0.0, now: float
    ) -> bool:
        """Leave work, to be done at once or from `due` on; True when there is a job now that was not there before.

        One that waits under the same kind and key is renewed: what is new in the payload holds. Work that arrives while
        the same is being done is done again afterwards. With an input version, work on input that was processed, given
        up or left already is not left again, and newer input starts the attempts over."""
        with self._database.write(durable=False):
            if input_version and self.knows_input(kind, key, input_version):
                return False
            waiting = self._waiting(kind, key)
            if waiting is None:
                job_id = ids.make_id(ids.JOB, now, os.urandom(10))
                self._run(sql.ADD, job_id=job_id, kind=kind, key=key, payload=_dump(payload),
                          input_version=input_version, due=due or now, now=now)  # fmt: skip
                return True
            known = {name: value for name, value in payload.items() if value not in (None, "")}
            merged = _dump({**waiting.payload, **known})
            if not due and waiting.due > now and not waiting.attempts:
                self._run(sql.PUT_FORWARD, due=now, now=now, job_id=waiting.job_id)
            if input_version:
                self._run(sql.RENEW_INPUT, payload=merged, input_version=input_version, now=now, job_id=waiting.job_id)
            else:
                self._run(sql.RENEW_PAYLOAD, payload=merged, now=now, job_id=waiting.job_id)
            return False

    def knows_input(self, kind: str, key: str, input_version: int) -> bool:
        """Was this input, or newer, processed, or is there a job about it, be it one that was given up?"""
        return bool(self._rows(sql.KNOWS_INPUT, kind=kind, key=key, input_version=input_version))

    def revive(self, *, now: float) -> int:
        """Try again what was given up; returns how many jobs."""
        with self._database.write(durable=False):
            dead = self.listed("dead")
            for job in dead:
                self._run(sql.REMOVE, job_id=job.job_id)
                self.add(job.kind, job.key, job.payload, input_version=job.input_version, now=now)
            return len(dead)

    # -- doing it

    def claim(
        self, owner: str, *, lease_seconds: float = LEASE_SECONDS, most_extracting: int = ANY_NUMBER, now: float
    ) -> Job | None:
        """Take the job that has been due longest, or None; never one whose kind and key somebody is working on, nor
        one that reads a session when so many are being read."""
        with self._database.write(durable=False):
            for lost in self._jobs(sql.LOST, **_heard_of(now)):
                self._put_back(lost, ENDED, due=now, now=now)
            # A token for each claim: a worker that lost a job and claimed it again holds another one.
            found = self._jobs(sql.CLAIM, owner=owner, claim_token=os.urandom(16).hex(),
                               lease_until=now + lease_seconds, most_extracting=most_extracting, now=now)  # fmt: skip
            return found[0] if found else None

    def renew(self, job: Job, *, lease_seconds: float = LEASE_SECONDS, now: float) -> bool:
        """Keep a claimed job; False when it is no longer ours."""
        with self._database.write(durable=False):
            return self._changes(sql.RENEW_LEASE, **_claim_of(job), lease_until=now + lease_seconds, now=now)

    def finish(self, job: Job, *, output: bool = True, input_version: int = 0, now: float) -> bool:
        """The job is done, with or without output; False, and nothing changes, when it is no longer ours.

        The watermark of its kind and key rises to its input version, or to the newer one that was in fact processed."""
        with self._database.write(durable=False):
            if not self._changes(sql.FINISH, **_claim_of(job), outcome="output" if output else "nothing", now=now):
                return False
            reached = sorted((job.input_version, input_version))[-1]
            if reached:
                self._run(sql.RAISE_WATERMARK, kind=job.kind, key=job.key, input_version=reached, now=now)
                self._run(sql.DROP_PROCESSED, kind=job.kind, key=job.key, input_version=reached)
            return True

    def fail(self, job: Job, why: str, *, patience: Patience = PATIENCE, now: float) -> bool:
        """Try it again later, or never when it has failed too often; False when it is no longer ours."""
        with self._database.write(durable=False):
            due = now + wait_seconds(job.attempts, patience.retry_seconds)
            return self._put_back(job, why, due=due, most_attempts=patience.most_attempts, now=now)

    def put_off(self, job: Job, why: str, *, until: float, now: float) -> bool:
        """Nothing went wrong, but it has to wait: no attempt is counted. False when it is no longer ours."""
        with self._database.write(durable=False):
            twin = self._waiting(job.kind, job.key)
            if twin is None:
                return self._changes(sql.PUT_OFF, **_claim_of(job), due=until, error=why[:LONGEST_ERROR], now=now)
            return self._changes(sql.GIVE_WAY, **_claim_of(job))

    def _put_back(
        self, job: Job, why: str, *, due: float, most_attempts: int = PATIENCE.most_attempts, now: float
    ) -> bool:
        """A running job waits again, or is dead; one that waits under the same key already takes its place."""
        dead, why = job.attempts >= most_attempts, why[:LONGEST_ERROR]
        twin = self._waiting(job.kind, job.key)
        # Newer input has its own attempts: the old one's failures say nothing about it.
        outdated = twin is not None and twin.input_version > job.input_version
        if twin is None or (dead and not outdated):
            status = "dead" if dead else "waiting"
            return self._changes(sql.PUT_BACK, **_claim_of(job), status=status, due=due, error=why, now=now)
        if not self._changes(sql.GIVE_WAY, **_claim_of(job)):
            return False
        if not outdated:
            attempts, due = sorted((twin.attempts, job.attempts))[-1], sorted((twin.due, due))[-1]
            self._run(sql.INHERIT, attempts=attempts, due=due, error=why, now=now, job_id=twin.job_id)
        return True

    def watermark(self, kind: str, key: str) -> int:
        """How far the input of a kind and key was processed; 0 for not at all."""
        found = self._rows(sql.WATERMARK, kind=kind, key=key)
        return int(found[0][0]) if found else 0

    def note_processed(self, kind: str, key: str, input_version: int, *, now: float) -> None:
        """Raise a watermark for work that somebody did without a job."""
        with self._database.write(durable=False):
            self._run(sql.RAISE_WATERMARK, kind=kind, key=key, input_version=input_version, now=now)
            self._run(sql.DROP_PROCESSED, kind=kind, key=key, input_version=input_version)

    def forget_processed(self, kind: str, key: str) -> None:
        """Somebody asks for it to be done again: forget that it was."""
        with self._database.write(durable=False):
            self._run(sql.FORGET_WATERMARK, kind=kind, key=key)
            self._run(sql.DROP_DONE, kind=kind, key=key)

    # -- workers

    def arrive(self, owner: str, *, lease_seconds: float = LEASE_SECONDS, now: float) -> None:
        """Say that a worker is there."""
        with self._database.write(durable=False):
            self._run(sql.DROP_LOST_WORKERS, **_heard_of(now))
            self._run(sql.ARRIVE, owner=owner, now=now, lease_until=now + lease_seconds)

    def remain(self, owner: str, *, lease_seconds: float = LEASE_SECONDS, now: float) -> None:
        """Say that a worker is still there; one that has left does not come back by it."""
        with self._database.write(durable=False):
            self._run(sql.REMAIN, owner=owner, lease_until=now + lease_seconds)

    def leave(self, owner: str, *, most_extracting: int = ANY_NUMBER, now: float, anyway: bool = False) -> bool:
        """Say that a worker is going; False, and it stays, when something is due.

        One step, so that a hook that adds a job either finds a worker that will see it, or finds none."""
        with self._database.write(durable=False):
            if not anyway and self.due(most_extracting=most_extracting, now=now):
                return False
            self._run(sql.LEAVE, owner=owner)
            return True

    def workers(self, *, now: float) -> list[WorkerSeen]:
        """The workers that have been heard of lately."""
        return [WorkerSeen._make(row) for row in self._rows(sql.WORKERS, **_heard_of(now))]

    def live_lease(self, now: float) -> bool:
        """Is a worker there that will see a job added before this was asked?"""
        return bool(self.workers(now=now))

    # -- looking

    def due(self, *, most_extracting: int = ANY_NUMBER, now: float) -> bool:
        """Is there something that a worker could claim, or take back, now?"""
        return bool(self._rows(sql.DUE, **_heard_of(now), most_extracting=most_extracting))

    def memory_due(self, *, now: float) -> bool:
        """Does something wait that makes the memory of a project?"""
        return bool(self._rows(sql.MEMORY_DUE, now=now))

    def counts(self) -> dict[str, int]:
        """How many jobs there are by status."""
        counted = dict(self._rows(sql.COUNTS))
        return {status: counted.get(status, 0) for status in ("waiting", "running", "done", "dead")}

    def listed(self, status: str) -> list[Job]:
        """The jobs of a status, oldest first."""
        return [_job(row) for row in self._rows(sql.LISTED, status=status)]

    def prune(self, *, before: float) -> None:
        """Drop jobs that were done, or given up, before a time."""
        with self._database.write(durable=False):
            self._run(sql.PRUNE, before=before)

    def forget_watermarks(self, kind: str, *, before: float) -> None:
        """Drop the old watermarks of a kind whose keys do not come again."""
        with self._database.write(durable=False):
            self._run(sql.FORGET_WATERMARKS, kind=kind, before=before)

    def drop(self, kinds: Sequence[str], key: str) -> None:
        """Drop what waits, or was given up, under a key."""
        with self._database.write(durable=False):
            for kind in kinds:
                self._run(sql.DROP, kind=kind, key=key)

    def of_kinds(self, kinds: Sequence[str]) -> list[Job]:
        """The jobs of some kinds, oldest first."""
        return [_job(row) for kind in kinds for row in self._rows(sql.OF_KIND, kind=kind)]

    def _waiting(self, kind: str, key: str) -> Job | None:
        found = self._rows(sql.WAITING, kind=kind, key=key)
        return _job(found[0]) if found else None

    # -- statements with their values

    def _rows(self, statement: str, **values: object) -> list[tuple[Any, ...]]:
        return self._database.rows(statement, _storable(values))

    def _jobs(self, statement: str, **values: object) -> list[Job]:
        return [_job(row) for row in self._database.run(statement, _storable(values)).fetchall()]

    def _run(self, statement: str, **values: object) -> None:
        self._database.run(statement, _storable(values))

    def _changes(self, statement: str, **values: object) -> bool:
        return self._database.run(statement, _storable(values)).rowcount > 0


def _storable(values: Mapping[str, object]) -> dict[str, object]:
    return dict(zip(values, storable(tuple(values.values())), strict=True))


def _heard_of(now: float) -> dict[str, object]:
    """A lease holds between these."""
    return {"now": now, "never": now + LONGEST_LEASE_SECONDS}


def _claim_of(job: Job) -> dict[str, object]:
    """What only whoever claimed the job knows."""
    return {"job_id": job.job_id, "claim_token": job.claim_token}


def _job(row: tuple[Any, ...]) -> Job:
    return Job._make((*row[:3], _load(row[3]), *row[4:]))


def _dump(payload: Mapping[str, Any]) -> str:
    return dumps(payload, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _load(text: str) -> dict[str, Any]:
    """A payload; one that is none says nothing, and the job fails for want of it."""
    try:
        found = loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
