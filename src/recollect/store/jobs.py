"""Jobs: one row each, claimed by a lease. Every method is a write of its own, or part of the one around it."""

from __future__ import annotations

import json
import os

from recollect.model.jobs import LEASE_SECONDS, MOST_ATTEMPTS, Job, WorkerSeen, wait_seconds
from recollect.store.rows import storable
from recollect.store.statements import jobs as sql
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.store.database import Database

LONGEST_ERROR = 500
# A lease that ends later than this was written by a clock that went wrong; nobody waits for it.
LONGEST_LEASE_SECONDS = 3_600.0
ENDED = "the worker ended in the middle of it"


class Jobs:
    """What the worker has to do, and which workers there are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, kind: str, key: str, payload: Mapping[str, Any], *, now: float) -> None:
        """Leave work. One that waits under the same kind and key is renewed: what is new in the payload holds.

        Work that arrives while the same is being done is done again afterwards."""
        with self._database.write(durable=False):
            waiting = self._waiting(kind, key)
            if waiting is not None:
                known = {name: value for name, value in payload.items() if value not in (None, "")}
                payload = {**waiting.payload, **known}
                self._database.run(sql.RENEW_PAYLOAD, (_dump(payload), now, waiting.job_id))
                return
            job_id = ids.make_id(ids.JOB, now, os.urandom(10))
            self._database.run(sql.ADD, storable((job_id, kind, key, _dump(payload), now, now, now)))

    def claim(self, owner: str, *, lease_seconds: float = LEASE_SECONDS, now: float) -> Job | None:
        """Take the job that has been due longest, or None; never one whose kind and key somebody is working on."""
        # IMMEDIATE: two workers that both read first would both claim.
        with self._database.write(durable=False):
            self._take_back(now=now)
            found = self._select(sql.NEXT, (now,))
            if not found:
                return None
            self._database.run(sql.CLAIM, (owner, now + lease_seconds, now, found[0].job_id))
            return self._select(sql.GET, (found[0].job_id,))[0]

    def renew(self, job: Job, *, lease_seconds: float = LEASE_SECONDS, now: float) -> bool:
        """Keep a claimed job; False when it is no longer ours."""
        return self._end(job, sql.RENEW, (now + lease_seconds, now))

    def finish(self, job: Job, *, now: float) -> bool:
        """The job is done; False when it is no longer ours."""
        return self._end(job, sql.FINISH, (now,))

    def fail(self, job: Job, why: str, *, now: float) -> bool:
        """Try it again later, or never when it has failed too often; False when it is no longer ours."""
        with self._database.write(durable=False):
            if not self._end(job, sql.TOUCH, (now,)):
                return False
            self._put_back(job, why, due=now + wait_seconds(job.attempts), now=now)
            return True

    def _end(self, job: Job, statement: str, values: tuple[object, ...]) -> bool:
        # The attempt too: a job that was taken back and claimed anew by the same worker is another claim.
        with self._database.write(durable=False):
            done = self._database.run(statement, (*values, job.job_id, job.lease_owner, job.attempts))
            return done.rowcount > 0

    def _take_back(self, *, now: float) -> None:
        """What was claimed by somebody who has not been heard of since waits again."""
        for job in self._select(sql.LEFT, (now, now + LONGEST_LEASE_SECONDS)):
            self._put_back(job, ENDED, due=now, now=now)

    def _put_back(self, job: Job, why: str, *, due: float, now: float) -> None:
        """A running job waits again, or is dead; one that waits under the same key already takes its place."""
        dead = job.attempts >= MOST_ATTEMPTS
        twin = self._waiting(job.kind, job.key)
        if twin is not None and not dead:
            self._database.run(sql.DELETE, (job.job_id,))
            attempts = sorted((twin.attempts, job.attempts))[-1]
            later = sorted((twin.due, due))[-1]
            self._database.run(sql.TAKE_PLACE, storable((attempts, later, why[:LONGEST_ERROR], now, twin.job_id)))
            return
        status = "dead" if dead else "waiting"
        self._database.run(sql.PUT_BACK, storable((status, due, why[:LONGEST_ERROR], now, job.job_id)))

    def revive(self, *, now: float) -> int:
        """Try again what was given up; returns how many jobs."""
        with self._database.write(durable=False):
            dead = self.listed("dead")
            for job in dead:
                self._database.run(sql.DELETE, (job.job_id,))
                self.add(job.kind, job.key, job.payload, now=now)
            return len(dead)

    # -- workers

    def arrive(self, owner: str, *, lease_seconds: float = LEASE_SECONDS, now: float) -> bool:
        """Say that a worker is there, or still there; False when another one was there first."""
        with self._database.write(durable=False):
            self._database.run(sql.DROP_LOST_WORKERS, (now, now + LONGEST_LEASE_SECONDS))
            if any(worker.owner != owner for worker in self.workers(now=now)):
                return False
            self._database.run(sql.ARRIVE, (owner, now, now + lease_seconds))
            return True

    def leave(self, owner: str, *, now: float, anyway: bool = False) -> bool:
        """Say that a worker is going; False, and it stays, when something is due.

        One step, so that a hook that adds a job either finds a worker that will see it, or finds none."""
        with self._database.write(durable=False):
            if not anyway and self.due(now=now):
                return False
            self._database.run(sql.LEAVE, (owner,))
            return True

    def workers(self, *, now: float) -> list[WorkerSeen]:
        """The workers that have been heard of lately."""
        rows = self._database.rows(sql.WORKERS, (now, now + LONGEST_LEASE_SECONDS))
        return [WorkerSeen._make(row) for row in rows]

    def live_lease(self, now: float) -> bool:
        """Is a worker there that will see a job added before this was asked?"""
        return bool(self.workers(now=now))

    # -- looking

    def due(self, *, now: float) -> bool:
        """Is there something that a worker could claim, or take back, now?"""
        return bool(self._database.rows(sql.DUE, (now, now, now + LONGEST_LEASE_SECONDS)))

    def counts(self) -> dict[str, int]:
        """How many jobs there are by status."""
        counted = dict(self._database.rows(sql.COUNTS))
        return {status: counted.get(status, 0) for status in ("waiting", "running", "done", "dead")}

    def listed(self, status: str) -> list[Job]:
        """The jobs of a status, oldest first."""
        return self._select(sql.LISTED, (status,))

    def prune(self, *, before: float) -> None:
        """Drop jobs that were done, or given up, before a time."""
        with self._database.write(durable=False):
            self._database.run(sql.PRUNE, (before,))

    def _waiting(self, kind: str, key: str) -> Job | None:
        found = self._select(sql.WAITING, storable((kind, key)))
        return found[0] if found else None

    def _select(self, statement: str, values: tuple[object, ...]) -> list[Job]:
        rows = self._database.rows(statement, values)
        return [Job._make((*row[:3], _load(row[3]), *row[4:])) for row in rows]


def _dump(payload: Mapping[str, Any]) -> str:
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _load(text: str) -> dict[str, Any]:
    """A payload; one that is none says nothing, and the job fails for want of it."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
