"""Jobs: left by hooks, claimed by leases, never lost, never done by two at a time."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from recollect.errors import RecollectError
from recollect.files import spool
from recollect.flows.hooks.enqueue import enqueue, take_in_jobs
from recollect.model.jobs import LEASE_SECONDS, MOST_ATTEMPTS, Job, wait_seconds
from recollect.store.database import Database
from recollect.store.jobs import ENDED, LONGEST_LEASE_SECONDS
from recollect.store.migrations import available, statements
from recollect.store.statements import schema
from recollect.store.store import Store, open_store
from tests.processes import Child, in_child

NOW = 1_790_000_000.0
KIND = "session_end"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "recollect.db"), now=NOW)


def claimed(store: Store, owner: str = "w1", now: float = NOW) -> Job:
    job = store.jobs.claim(owner, now=now)
    assert job is not None
    return job


def test_a_job_is_claimed_with_what_its_hook_said(store: Store) -> None:
    store.jobs.add(KIND, "claude-code:s1", {"transcript": "/logs/s1.jsonl", "cwd": "/w/ärger"}, now=NOW)
    job = claimed(store)
    assert (job.kind, job.key, job.status, job.attempts) == (KIND, "claude-code:s1", "running", 1)
    assert job.payload == {"transcript": "/logs/s1.jsonl", "cwd": "/w/ärger"}
    assert store.jobs.finish(job, now=NOW)
    assert store.jobs.claim("w1", now=NOW) is None
    assert store.jobs.counts() == {"waiting": 0, "running": 0, "done": 1, "dead": 0}


def test_ten_stops_of_one_session_are_one_job_and_keep_what_only_an_earlier_one_knew(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {"transcript": "/logs/s1.jsonl", "event": "stop"}, now=NOW)
    for _ in range(9):
        store.jobs.add(KIND, "codex:s1", {"transcript": None, "event": "session_end"}, now=NOW + 1)
    job = claimed(store, now=NOW + 2)
    assert job.payload == {"transcript": "/logs/s1.jsonl", "event": "session_end"}
    assert store.jobs.claim("w2", now=NOW + 2) is None


def test_work_that_arrives_while_the_same_is_done_is_done_again_afterwards(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    first = claimed(store)
    store.jobs.add(KIND, "codex:s1", {}, now=NOW + 1)
    store.jobs.add(KIND, "codex:s1", {}, now=NOW + 2)
    assert store.jobs.claim("w2", now=NOW + 3) is None
    store.jobs.finish(first, now=NOW + 4)
    second = claimed(store, now=NOW + 5)
    assert second.job_id != first.job_id
    store.jobs.finish(second, now=NOW + 6)
    assert store.jobs.claim("w1", now=NOW + 7) is None


def test_what_a_killed_worker_had_claimed_is_claimed_again_when_its_lease_is_over(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    lost = claimed(store)
    assert store.jobs.claim("w2", now=NOW + LEASE_SECONDS - 1) is None
    taken = claimed(store, "w2", now=NOW + LEASE_SECONDS)
    assert (taken.job_id, taken.attempts, taken.error) == (lost.job_id, 2, ENDED)
    assert not store.jobs.renew(lost, now=NOW + LEASE_SECONDS)
    assert not store.jobs.finish(lost, now=NOW + LEASE_SECONDS)
    assert not store.jobs.fail(lost, "late", now=NOW + LEASE_SECONDS)
    assert store.jobs.finish(taken, now=NOW + LEASE_SECONDS)


def test_a_renewed_lease_keeps_the_job(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    job = claimed(store)
    assert store.jobs.renew(job, now=NOW + LEASE_SECONDS - 1)
    assert store.jobs.claim("w2", now=NOW + LEASE_SECONDS + 1) is None
    assert store.jobs.finish(job, now=NOW + LEASE_SECONDS + 2)


def test_a_lease_from_a_clock_that_ran_ahead_keeps_nobody_waiting(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    ahead = NOW + 400 * 86_400
    claimed(store, now=ahead)
    store.jobs.arrive("w1", now=ahead)
    assert not store.jobs.live_lease(NOW)
    assert claimed(store, "w2").attempts == 2
    assert ahead - NOW > LONGEST_LEASE_SECONDS


def test_a_failed_job_waits_longer_each_time_and_is_given_up_at_last(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    now, waits = NOW, []
    for attempt in range(1, MOST_ATTEMPTS + 1):
        job = claimed(store, now=now)
        assert job.attempts == attempt
        assert store.jobs.fail(job, f"broken {attempt}", now=now)
        assert store.jobs.claim("w1", now=now) is None
        waits.append(wait_seconds(attempt))
        now += wait_seconds(attempt)
    assert waits == sorted(waits)
    assert waits[0] < waits[-1]
    assert store.jobs.claim("w1", now=now + 90_000) is None
    [dead] = store.jobs.listed("dead")
    assert dead.error == f"broken {MOST_ATTEMPTS}"
    store.jobs.add(KIND, "codex:s1", {}, now=now)
    assert claimed(store, now=now).attempts == 1


def test_a_failure_while_the_same_waits_again_leaves_one_job_with_its_attempts(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    job = claimed(store)
    store.jobs.add(KIND, "codex:s1", {"event": "stop"}, now=NOW + 1)
    store.jobs.fail(job, "broken", now=NOW + 2)
    assert store.jobs.counts() == {"waiting": 1, "running": 0, "done": 0, "dead": 0}
    assert store.jobs.claim("w1", now=NOW + 3) is None
    again = claimed(store, now=NOW + 2 + wait_seconds(1))
    assert (again.attempts, again.payload, again.error) == (2, {"event": "stop"}, "broken")


def test_old_jobs_are_dropped_and_waiting_ones_stay(store: Store) -> None:
    for key in ("a", "b"):
        store.jobs.add(KIND, key, {}, now=NOW)
    store.jobs.finish(claimed(store), now=NOW)
    store.jobs.prune(before=NOW + 1)
    assert store.jobs.counts() == {"waiting": 1, "running": 0, "done": 0, "dead": 0}


def test_a_worker_goes_only_when_nothing_is_due(store: Store) -> None:
    store.jobs.arrive("w1", now=NOW)
    assert store.jobs.live_lease(NOW)
    store.jobs.add(KIND, "a", {}, now=NOW)
    assert not store.jobs.leave("w1", now=NOW)
    store.jobs.finish(claimed(store), now=NOW)
    assert store.jobs.leave("w1", now=NOW)
    assert not store.jobs.live_lease(NOW)
    store.jobs.arrive("w2", now=NOW)
    assert not store.jobs.live_lease(NOW + LEASE_SECONDS)


def test_any_number_of_workers_is_there_until_each_of_them_leaves(store: Store) -> None:
    for number, owner in enumerate(("w1", "w2", "w3")):
        store.jobs.arrive(owner, now=NOW + number)
    assert [worker.owner for worker in store.jobs.workers(now=NOW + 3)] == ["w1", "w2", "w3"]
    store.jobs.leave("w2", now=NOW + 3)
    assert [worker.owner for worker in store.jobs.workers(now=NOW + 3)] == ["w1", "w3"]
    store.jobs.remain("w3", now=NOW + 50)
    assert [worker.owner for worker in store.jobs.workers(now=NOW + LEASE_SECONDS + 1)] == ["w3"]


def test_a_late_sign_of_life_does_not_bring_back_a_worker_that_has_left(store: Store) -> None:
    store.jobs.arrive("w1", now=NOW)
    store.jobs.remain("w1", now=NOW + 50)
    assert store.jobs.live_lease(NOW + LEASE_SECONDS + 1)
    assert store.jobs.leave("w1", now=NOW + 51)
    store.jobs.remain("w1", now=NOW + 51)
    assert not store.jobs.live_lease(NOW + 51), "a hook would leave its job to somebody who is gone"


def test_a_claim_that_was_lost_stays_lost_when_the_same_worker_claims_again(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    lost = claimed(store)
    again = claimed(store, now=NOW + LEASE_SECONDS)
    assert (again.job_id, again.lease_owner) == (lost.job_id, lost.lease_owner)
    assert not store.jobs.renew(lost, now=NOW + LEASE_SECONDS)
    assert not store.jobs.finish(lost, now=NOW + LEASE_SECONDS)
    assert store.jobs.renew(again, now=NOW + LEASE_SECONDS)


def test_a_job_of_the_version_before_is_claimed_after_the_migration(tmp_path: Path) -> None:
    path = str(tmp_path / "recollect.db")
    database = Database(path)
    for step in [one for one in available() if one.number <= 6]:
        with database.write():
            database.run(schema.CREATE_RECORD)
            for statement in statements(step.sql):
                database.run(statement)
            database.run("INSERT INTO migrations VALUES (?, ?, ?, 1)", (step.number, step.name, step.checksum))
            database.run(f"PRAGMA user_version = {step.number}")
    with database.write():
        for key, status in (("waits", "waiting"), ("runs", "running")):
            database.run(
                "INSERT INTO jobs (job_id, kind, job_key, payload, status, due, created, updated, lease_until) "
                "VALUES (?, ?, ?, '{}', ?, ?, ?, ?, ?)",
                (f"j_{key}", KIND, key, status, NOW, NOW, NOW, NOW + LEASE_SECONDS),
            )
    database.close()
    store = open_store(path, now=NOW)
    assert claimed(store).key == "waits"
    assert store.jobs.claim("w2", now=NOW) is None, "whoever claimed it before the migration may still be at it"
    assert claimed(store, now=NOW + LEASE_SECONDS).job_id in ("j_runs", "j_waits")


# -- input versions and watermarks


def test_input_that_was_processed_is_not_processed_again(store: Store) -> None:
    assert store.jobs.add("extract", "s1", {}, input_version=4, now=NOW)
    assert not store.jobs.add("extract", "s1", {}, input_version=4, now=NOW), "it waits already"
    job = claimed(store)
    assert not store.jobs.add("extract", "s1", {}, input_version=4, now=NOW), "somebody is at it"
    store.jobs.finish(job, now=NOW)
    store.jobs.prune(before=NOW + 1)
    assert store.jobs.watermark("extract", "s1") == 4
    for version in (3, 4):
        assert not store.jobs.add("extract", "s1", {}, input_version=version, now=NOW)
    assert store.jobs.claim("w1", now=NOW) is None
    assert store.jobs.add("extract", "s1", {}, input_version=5, now=NOW)
    assert store.jobs.add("extract", "s2", {}, input_version=4, now=NOW), "each key has a watermark of its own"
    assert store.jobs.add("consolidate", "s1", {}, input_version=4, now=NOW), "and each kind"


def test_newer_input_starts_the_attempts_over_and_does_not_wait(store: Store) -> None:
    store.jobs.add("extract", "s1", {"log": "a"}, input_version=1, now=NOW)
    now = NOW
    for attempt in range(1, MOST_ATTEMPTS):
        store.jobs.fail(claimed(store, now=now), "broken", now=now)
        now += wait_seconds(attempt)
    store.jobs.add("extract", "s1", {"cwd": "/w"}, input_version=2, now=now - 1)
    job = claimed(store, now=now - 1)
    assert (job.attempts, job.input_version, job.error, job.payload) == (1, 2, "", {"log": "a", "cwd": "/w"})


def test_input_that_was_given_up_is_left_again_only_when_it_is_newer_or_somebody_asks(store: Store) -> None:
    store.jobs.add("extract", "s1", {}, input_version=1, now=NOW)
    now = NOW
    for attempt in range(1, MOST_ATTEMPTS + 1):
        store.jobs.fail(claimed(store, now=now), "broken", now=now)
        now += wait_seconds(attempt)
    assert not store.jobs.add("extract", "s1", {}, input_version=1, now=now)
    assert store.jobs.add("extract", "s1", {}, input_version=2, now=now)
    store.jobs.finish(claimed(store, now=now), now=now)
    store.jobs.revive(now=now)
    assert store.jobs.claim("w1", now=now) is None, "what was given up has been processed with the newer input"


def test_the_failures_of_old_input_do_not_count_against_newer_input(store: Store) -> None:
    store.jobs.add("extract", "s1", {}, input_version=1, now=NOW)
    job = claimed(store)
    store.jobs.add("extract", "s1", {}, input_version=2, now=NOW)
    store.jobs.fail(job, "broken", now=NOW)
    newer = claimed(store)
    assert (newer.input_version, newer.attempts) == (2, 1)
    assert store.jobs.counts() == {"waiting": 0, "running": 1, "done": 0, "dead": 0}


def test_a_watermark_never_goes_back_and_newer_input_that_was_seen_counts(store: Store) -> None:
    store.jobs.add("extract", "s1", {}, input_version=2, now=NOW)
    job = claimed(store)
    store.jobs.add("extract", "s1", {}, input_version=6, now=NOW)
    store.jobs.finish(job, input_version=7, now=NOW)
    assert store.jobs.watermark("extract", "s1") == 7
    assert store.jobs.counts()["waiting"] == 0, "what waited is done already"
    with store.write():
        store.database.run(
            "INSERT INTO jobs (job_id, kind, job_key, payload, input_version, due, created, updated) "
            "VALUES ('j_old', 'extract', 's1', '{}', 3, 0, 0, 0)"
        )
    assert store.jobs.finish(claimed(store), now=NOW)
    assert store.jobs.watermark("extract", "s1") == 7


def test_success_without_output_is_success(store: Store) -> None:
    for key, output in (("some", True), ("none", False)):
        store.jobs.add("extract", key, {}, input_version=1, now=NOW)
        store.jobs.finish(claimed(store), output=output, now=NOW)
    assert {job.key: job.outcome for job in store.jobs.listed("done")} == {"some": "output", "none": "nothing"}
    assert store.jobs.watermark("extract", "none") == 1


def test_the_input_version_survives_the_spool(store: Store, tmp_path: Path) -> None:
    for version in (2, 3, 1):
        enqueue(
            "extract", "s1", {}, input_version=version, store=None, spool_folder=str(tmp_path), wait_seconds=0, now=NOW
        )
    take_in_jobs(store, spool_folder=str(tmp_path), now=NOW)
    assert claimed(store).input_version == 3


def test_the_schema_itself_refuses_a_second_running_job_under_a_key(store: Store) -> None:
    store.jobs.add(KIND, "codex:s1", {}, now=NOW)
    claimed(store)
    with pytest.raises(RecollectError), store.write():
        store.database.run(
            "INSERT INTO jobs (job_id, kind, job_key, payload, status, due, created, updated) "
            f"VALUES ('j_2', '{KIND}', 'codex:s1', '{{}}', 'running', 0, 0, 0)"
        )


def test_a_job_that_finds_the_database_locked_is_spooled_and_taken_in(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    folder.mkdir()

    def leave(wait: float) -> bool:
        other = open_store(store.database.path, now=NOW, wait_seconds=0.05)
        return enqueue(
            KIND, "codex:s1", {"cwd": "/w"}, store=other, spool_folder=str(folder), wait_seconds=wait, now=NOW
        )

    with store.write():
        assert in_child(lambda: None if leave(0.01) else os._exit(3)) == 0
    assert store.jobs.counts()["waiting"] == 0
    assert spool.waiting(str(folder), name=spool.JOBS) > 0
    (folder / "jobs.jsonl").open("a").write('{"kind": "session_end", "ke')
    assert take_in_jobs(store, spool_folder=str(folder), now=NOW) == 1
    assert claimed(store).payload == {"cwd": "/w"}
    assert spool.waiting(str(folder), name=spool.JOBS) == 0


def test_without_a_database_a_job_is_spooled(tmp_path: Path, store: Store) -> None:
    assert enqueue(KIND, "a", {}, store=None, spool_folder=str(tmp_path), wait_seconds=0.01, now=NOW)
    assert take_in_jobs(store, spool_folder=str(tmp_path), now=NOW) == 1
    assert not enqueue(KIND, "a", {}, store=None, spool_folder=str(tmp_path / "no"), wait_seconds=0.01, now=NOW)


def test_a_storm_of_hooks_and_workers_in_processes_loses_nothing_and_never_overlaps(
    store: Store, tmp_path: Path
) -> None:
    """Four processes add jobs of six sessions while three claim: never two at one session, nothing left over."""
    path, end = store.database.path, time.monotonic() + 3.0

    def hook(number: int) -> None:
        mine = open_store(path, now=NOW)
        for turn in range(40):
            mine.jobs.add(KIND, f"s{turn % 6}", {"from": number, "turn": turn}, now=time.time())

    def worker(number: int, out: int) -> None:
        mine = open_store(path, now=NOW)
        while time.monotonic() < end or mine.jobs.due(now=time.time()):
            job = mine.jobs.claim(f"w{number}", now=time.time())
            if job is None:
                time.sleep(0.002)
                continue
            began = time.monotonic()
            time.sleep(0.003)
            os.write(out, (json.dumps([job.key, began, time.monotonic(), job.payload]) + "\n").encode())
            assert mine.jobs.finish(job, now=time.time())

    workers = [Child(lambda out, number=number: worker(number, out)) for number in range(3)]  # type: ignore[misc]
    hooks = [Child(lambda _, number=number: hook(number)) for number in range(4)]  # type: ignore[misc]
    for child in hooks:
        child.read()
        assert child.wait() == 0
    runs = [json.loads(line) for child in workers for line in child.read().splitlines()]
    assert [child.wait() for child in workers] == [0, 0, 0]
    counts = store.jobs.counts()
    assert counts == {"waiting": 0, "running": 0, "done": len(runs), "dead": 0}
    assert {key for key, *_ in runs} == {f"s{number}" for number in range(6)}
    for key in {key for key, *_ in runs}:
        spans = sorted((began, ended) for other, began, ended, _ in runs if other == key)
        assert all(one[1] <= next_[0] for one, next_ in itertools.pairwise(spans)), key


class JobsMachine(RuleBasedStateMachine):
    """Against a model: what was added is done after it was added, once at a time, or dead after five attempts."""

    folder = tempfile.TemporaryDirectory(prefix="recollect-jobs-")

    @initialize()
    def begin(self) -> None:
        self.store = open_store(os.path.join(self.folder.name, "recollect.db"), now=NOW)
        with self.store.write(durable=False):
            self.store.database.run("DELETE FROM jobs")
            self.store.database.run("DELETE FROM job_watermarks")
        self.version = 0
        self.marks = dict.fromkeys("abc", 0)
        self.now = NOW
        self.wanted: set[str] = set()  # keys with work that no finished claim has covered
        self.held: dict[str, tuple[Job, float]] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()

    def alive(self, key: str) -> bool:
        return key in self.held and self.held[key][1] > self.now

    @rule(key=st.sampled_from("abc"))
    def add(self, key: str) -> None:
        self.store.jobs.add(KIND, key, {}, now=self.now)
        self.wanted.add(key)

    @rule(key=st.sampled_from("abc"))
    def add_newer_input(self, key: str) -> None:
        self.version += 1
        self.store.jobs.add(KIND, key, {}, input_version=self.version, now=self.now)
        self.wanted.add(key)

    @rule(key=st.sampled_from("abc"))
    def add_processed_input(self, key: str) -> None:
        if self.marks[key]:
            assert not self.store.jobs.add(KIND, key, {}, input_version=self.marks[key], now=self.now)

    @rule(owner=st.sampled_from(["w1", "w2"]))
    def claim(self, owner: str) -> None:
        before = {key for key in "abc" if self.alive(key)}
        job = self.store.jobs.claim(owner, now=self.now)
        if job is not None:
            assert job.key not in before
            assert not job.input_version or job.input_version > self.marks[job.key]
            self.held[job.key] = (job, self.now + LEASE_SECONDS)
            self.wanted.discard(job.key)

    @rule(key=st.sampled_from("abc"), how=st.sampled_from(["finish", "fail", "renew"]))
    def end(self, key: str, how: str) -> None:
        if key not in self.held:
            return
        job, until = self.held[key]
        if how == "renew":
            if self.store.jobs.renew(job, now=self.now):
                self.held[key] = (job, self.now + LEASE_SECONDS)
            else:
                assert until <= self.now
            return
        ours = (
            self.store.jobs.finish(job, now=self.now)
            if how == "finish"
            else self.store.jobs.fail(job, "broken", now=self.now)
        )
        assert ours or until <= self.now
        del self.held[key]

    @rule(seconds=st.sampled_from([1, 30, 61, 4_000]))
    def wait(self, seconds: int) -> None:
        self.now += seconds

    @invariant()
    def nothing_is_lost_and_nothing_doubled(self) -> None:
        if not hasattr(self, "store"):
            return
        waiting = [job.key for job in self.store.jobs.listed("waiting")]
        running = [job.key for job in self.store.jobs.listed("running")]
        assert len(waiting) == len(set(waiting))
        assert len(running) == len(set(running))
        assert self.wanted <= set(waiting)
        marks = {key: self.store.jobs.watermark(KIND, key) for key in "abc"}
        assert all(marks[key] >= self.marks[key] for key in "abc")
        self.marks = marks


TestJobsMachine = JobsMachine.TestCase
TestJobsMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
