"""The pipeline in the background: what a session start leaves, many workers, lost leases, faults and kills."""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.errors import NotFound, RecollectError
from recollect.files import artifacts
from recollect.files.logs.worker_log import NAME
from recollect.flows.autonomous.consolidate import consolidate
from recollect.model.commits import GitEvidence
from recollect.model.jobs import CONSOLIDATE, EXTRACT, MEMORIES
from recollect.worker import Worker
from recollect.worker_runs import LeaseLost
from tests.codex_logs import CodexLog
from tests.conftest import Clock, make_repository
from tests.hook_calls import heard
from tests.hook_calls import session_start as start_call
from tests.processes import Child, in_child
from tests.session_answers import reply

HERE = "github.com/owner/app"
FEW, SESSIONS = 3, 12
NOON = 1_791_201_600.0  # 2026-10-05, 12:00 UTC: three hours after the sessions below


class Shed:
    """A home with sessions of one project, and workers."""

    def __init__(self, tmp_path: Path, clock: Clock, sessions: int = FEW) -> None:
        self.user, self.home_path, self.clock = tmp_path / "user", tmp_path / "home", clock
        self.repository = make_repository(tmp_path / "app")
        self.environ = {
            "HOME": str(self.user),
            "RECOLLECT_HOME": str(self.home_path),
            "RECOLLECT_MEMORIES__ENABLED": "true",
        }
        for number in range(sessions):
            log = CodexLog(self.user, str(self.repository), number)
            log.typed(f"No, service number {number} listens on port {8000 + number} in this repository, never 80.")
            log.answered("Noted down.").write()
        clock.now = NOON + 86_400
        with self.open() as memory:
            memory.sessions.import_logs(memory.sessions.logs()[0])
            memory.sessions.digest()

    def open(self, **more: str) -> Recollect:
        return Recollect.open(folder=str(self.repository), environ={**self.environ, **more}, clock=self.clock)

    def leave(self) -> None:
        """What a session start leaves."""
        with self.open() as memory:
            memory.opened.store.jobs.add(MEMORIES, "", {"cwd": str(self.repository)}, now=self.clock())

    def work(self, **more: str) -> None:
        shift = Worker({**self.environ, **more}, clock=self.clock).once()
        assert (shift.failed, shift.why) == (0, "")

    def text(self, name: str = "MEMORY.md") -> str:
        with self.open() as memory:
            return artifacts.read(artifacts.current_folder(memory.artifacts.project), name)

    def log(self) -> list[dict[str, object]]:
        path = self.home_path / "logs" / NAME
        found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        return [one for one in found if one.get("kind") in (MEMORIES, EXTRACT, CONSOLIDATE)]


@pytest.fixture
def shed(tmp_path: Path, clock: Clock) -> Shed:
    return Shed(tmp_path, clock)


@pytest.fixture
def crowded(tmp_path: Path, clock: Clock) -> Shed:
    return Shed(tmp_path, clock, SESSIONS)


# -- at the start of a session


@pytest.mark.parametrize("is_on", [True, False])
def test_a_session_start_leaves_what_is_due_to_a_worker_only_when_it_is_switched_on(shed: Shed, is_on: bool) -> None:
    call = start_call("claude-code", shed.repository)
    more = {"RECOLLECT_MEMORIES__ENABLED": str(is_on).lower()}
    said = heard(call, shed.home_path, shed.user, host="claude-code", now=shed.clock(), limit=30.0, **more)
    assert said.answered.start_worker is is_on
    with shed.open() as memory:
        assert [job.kind for job in memory.opened.store.jobs.listed("waiting")] == ([MEMORIES] if is_on else [])


def test_what_a_person_asked_for_is_done_at_the_next_session_start_with_the_background_off(shed: Shed) -> None:
    shed.environ["RECOLLECT_MEMORIES__ENABLED"] = "false"
    with shed.open() as memory:
        memory.artifacts.enqueue()
    off = {"RECOLLECT_MEMORIES__ENABLED": "false"}
    call = start_call("claude-code", shed.repository)
    said = heard(call, shed.home_path, shed.user, host="claude-code", now=shed.clock(), limit=30.0, **off)
    assert said.answered.start_worker
    shed.work()
    assert "port 8001" in shed.text()


def test_a_worker_that_stays_looks_for_what_is_due_when_it_begins(shed: Shed) -> None:
    """`recollect serve` has one."""

    class OneRound(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            self.set()
            return True

    Worker(shed.environ, clock=shed.clock).stay(OneRound())
    assert "port 8001" in shed.text()


def test_a_session_that_still_goes_on_is_left_for_later(shed: Shed) -> None:
    CodexLog(shed.user, str(shed.repository), 99, day="2026-10-06").typed("We use pnpm here, not npm.").write()
    with shed.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
    shed.leave()
    shed.work()
    assert "port 8001" in shed.text()
    assert "pnpm" not in shed.text(), "something happened in it within the last twelve hours"
    shed.clock.pass_days(1)
    shed.leave()
    shed.work()
    assert "pnpm" in shed.text()


def test_sessions_beyond_the_cap_wait_for_the_next_startup(shed: Shed) -> None:
    shed.environ["RECOLLECT_MEMORIES__MAX_ROLLOUTS_PER_STARTUP"] = "2"
    for expected in (2, 3):
        shed.leave()
        shed.work()
        with shed.open() as memory:
            assert memory.opened.store.extractions.count(HERE)[0] == expected


def test_what_was_processed_is_not_processed_again_until_it_changes(shed: Shed) -> None:
    shed.leave()
    shed.work()
    done = len([one for one in shed.log() if one["kind"] == EXTRACT])
    shed.leave()
    shed.work()
    assert len([one for one in shed.log() if one["kind"] == EXTRACT]) == done == FEW


def test_a_session_that_leaves_nothing_is_recorded_as_done(tmp_path: Path, clock: Clock) -> None:
    shed = Shed(tmp_path, clock, sessions=0)
    CodexLog(shed.user, str(shed.repository), 1).typed("run the tests").answered("All pass.").write()
    with shed.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
    shed.leave()
    shed.work()
    with shed.open() as memory:
        [job] = [job for job in memory.opened.store.jobs.listed("done") if job.kind == EXTRACT]
        assert job.outcome == "nothing"
        assert memory.opened.store.jobs.watermark(EXTRACT, job.key) > 0
        with pytest.raises(NotFound):
            memory.artifacts.view()


def test_another_projects_sessions_are_never_mixed_in(shed: Shed, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    CodexLog(shed.user, str(other), 50).typed("We use pnpm here, not npm.").write()
    with shed.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
    shed.leave()
    shed.work()
    assert "pnpm" not in shed.text()
    project = artifacts.project_folder(str(shed.home_path / "projects"), "github.com/owner/other")
    assert "pnpm" in artifacts.read(artifacts.current_folder(project), "MEMORY.md")


# -- many workers


def test_eight_workers_at_once_process_each_session_exactly_once(crowded: Shed) -> None:
    """And one startup takes more sessions than run at once."""
    shed = crowded
    shed.leave()
    children = [Child(lambda _: shed.work()) for _ in range(8)]
    assert [child.wait() for child in children] == [0] * 8
    shed.work()
    keys = [str(one["key"]) for one in shed.log() if one["kind"] == EXTRACT and one["what"] == "job done"]
    assert len(keys) == len(set(keys)) == SESSIONS
    assert not [one for one in shed.log() if one["what"] != "job done"]
    assert all(f"port {8000 + number}" in shed.text() for number in range(SESSIONS))


def test_a_worker_that_lost_its_lease_publishes_nothing(shed: Shed) -> None:
    shed.leave()
    shed.work()
    before = shed.text("baseline.json")
    with shed.open() as memory:
        version = artifacts.version(memory.artifacts.project)

        def lost() -> None:
            raise LeaseLost("taken over")

        with pytest.raises(LeaseLost):
            consolidate(HERE, memory.opened, forced=True, require_ours=lost)
        assert artifacts.version(memory.artifacts.project) == version
        assert sorted(os.listdir(os.path.join(memory.artifacts.project, "versions")))[-1] == version
    assert shed.text("baseline.json") == before


def give_up(shed: Shed) -> None:
    """A consolidation that failed until it was given up."""
    with shed.open() as memory:
        jobs = memory.opened.store.jobs
        jobs.add(CONSOLIDATE, HERE, {"repository": HERE}, now=shed.clock())
        for _ in range(5):
            job = jobs.claim("w", now=shed.clock())
            assert job
            jobs.fail(job, "broken", now=shed.clock())
            shed.clock.now += 4_000
        assert "dead" in [job.status for job in jobs.of_kinds((CONSOLIDATE,))]


def test_a_consolidation_that_was_given_up_is_taken_up_when_somebody_asks(shed: Shed) -> None:
    give_up(shed)
    with shed.open() as memory:
        memory.artifacts.enqueue()
    shed.work()
    assert "port 8002" in shed.text()


def test_a_hand_edit_is_taken_up_although_a_consolidation_was_given_up(shed: Shed) -> None:
    shed.leave()
    shed.work()
    give_up(shed)
    with shed.open() as memory:
        project = memory.artifacts.project
        before = artifacts.version(project)
        file = Path(artifacts.current_folder(project)) / "MEMORY.md"
        file.write_text(file.read_text() + "\n## Notes\n\n### Mine\n\nAsk Ada before a release.\n")
    shed.leave()
    shed.work()
    assert artifacts.version(project) != before
    assert "Ask Ada before a release." in shed.text()
    assert "port 8002" in shed.text()


# -- what it costs


def answers(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "script.json"
    path.write_text(json.dumps([{"say": reply()}] * 50))
    return {"RECOLLECT_MODELS__DEFAULT": f"scripted:{path}"}


def test_the_background_leaves_a_share_of_the_days_tokens_to_the_person(shed: Shed, tmp_path: Path) -> None:
    model = {**answers(tmp_path), "RECOLLECT_MODELS__DAY_TOKENS": "1000", "RECOLLECT_MEMORIES__MAX_DAY_SHARE": "0"}
    shed.leave()
    Worker({**shed.environ, **model}, clock=shed.clock).once()
    with shed.open(**model) as memory:
        assert memory.models.ledger.spent_today() == 0
        failed = [job for job in memory.opened.store.jobs.of_kinds((EXTRACT,)) if job.error]
        assert len(failed) == FEW
        assert "kept for you" in failed[0].error


def test_a_model_consolidates_again_only_after_the_cooldown_and_nothing_is_lost(shed: Shed, tmp_path: Path) -> None:
    from recollect.flows.autonomous.background import consolidate_in_background

    shed.leave()
    shed.work()
    with shed.open(**answers(tmp_path)) as memory:
        baseline = Path(artifacts.current_folder(memory.artifacts.project)) / "baseline.json"
        held = json.loads(baseline.read_text())
        baseline.write_text(json.dumps({**held, "made_by": "scripted:x", "at": shed.clock()}))
        done = consolidate_in_background({"repository": HERE}, memory.opened, require_ours=lambda: None)
        assert done.why == "cooling down"
        [job] = [one for one in memory.opened.store.jobs.listed("waiting") if one.kind == CONSOLIDATE]
        assert job.due == shed.clock() + 6 * 3_600
        assert memory.opened.store.jobs.claim("w", now=shed.clock()) is None


# -- faults


STEPS = ("replace", "rename", "mkdir", "symlink", "unlink")  # what somebody who reads afterwards can see
WRITES = ("open", "replace", "rename", "mkdir", "symlink", "fsync", "unlink", "write")


class Faults:
    """Counts the file operations of a process, and lets one of them fail, or be the last."""

    def __init__(self, nth: int, then: Callable[[], None], names: tuple[str, ...] = WRITES) -> None:
        self.nth, self.then, self.count = nth, then, 0
        self.originals = {name: getattr(os, name) for name in names}

    def __enter__(self) -> Faults:
        for name, original in self.originals.items():
            setattr(os, name, self._counting(original))
        return self

    def __exit__(self, *_: object) -> None:
        for name, original in self.originals.items():
            setattr(os, name, original)

    def _counting(self, original: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            self.count += 1
            if self.count == self.nth:
                self.then()
            return original(*args, **kwargs)

        return call


def full() -> None:
    raise OSError(errno.ENOSPC, "full")


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def ready(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Shed:
    """One version published, and one more thing said since; git is asked elsewhere."""
    monkeypatch.setattr("recollect.flows.autonomous.gathering.git_evidence", lambda _: GitEvidence())
    shed = Shed(tmp_path, clock, sessions=2)
    shed.leave()
    shed.work()
    CodexLog(shed.user, str(shed.repository), 7).typed("We use pnpm here, not npm.").write()
    with shed.open() as memory:
        memory.sessions.import_logs(memory.sessions.logs()[0])
        session = next(one for one, _ in memory.sessions.listed() if one.native_id.endswith("000000000007"))
        from recollect.flows.autonomous.extract import extract

        extract(session, memory.opened)
    return shed


def whole(project: str, old: dict[str, str], new: dict[str, str]) -> bool:
    """Is what can be read now one of the two sets, the new one?"""
    now = artifacts.read_all(artifacts.current_folder(project))
    now.pop("baseline.json")
    assert now in (old, new)
    return now == new


def sets(shed: Shed) -> tuple[dict[str, str], dict[str, str]]:
    """The set that is there, and the one that the next consolidation makes; everything is as it was afterwards."""
    with shed.open() as memory:
        folder = artifacts.current_folder(memory.artifacts.project)
        old = artifacts.read_all(folder)
        version = artifacts.version(memory.artifacts.project)
        consolidate(HERE, memory.opened)
        new = artifacts.read_all(artifacts.current_folder(memory.artifacts.project))
        artifacts.point(memory.artifacts.project, version)
    for one in (old, new):
        one.pop("baseline.json")
    assert old != new
    return old, new


def test_whichever_file_operation_fails_the_old_set_or_the_new_one_is_there(ready: Shed) -> None:
    old, new = sets(ready)
    nth = 0
    with ready.open() as memory:
        project, version = memory.artifacts.project, artifacts.version(memory.artifacts.project)
        while True:
            nth += 1
            with Faults(nth, full) as faults:
                try:
                    consolidate(HERE, memory.opened)
                except (RecollectError, OSError):
                    pass
            if faults.count < nth:
                break
            whole(project, old, new)
            artifacts.point(project, version)
        assert nth > 15
        consolidate(HERE, memory.opened)
    assert whole(project, old, new), "after all that the next one works"


def test_a_worker_killed_at_any_step_leaves_the_old_set_or_the_new_one(ready: Shed) -> None:
    old, new = sets(ready)
    with ready.open() as memory:
        project, version = memory.artifacts.project, artifacts.version(memory.artifacts.project)

        opened = memory.opened

        def work(nth: int) -> None:
            with Faults(nth, kill, STEPS):
                consolidate(HERE, opened)

        nth, ended = 0, -1
        while ended != 0:
            nth += 1
            ended = in_child(lambda: work(nth))  # noqa: B023 - it runs at once
            whole(project, old, new)
            artifacts.point(project, version)
    assert nth > 5
    with ready.open() as memory:
        consolidate(HERE, memory.opened)
    assert whole(project, old, new)


def test_what_killed_processes_left_is_removed_later(ready: Shed) -> None:
    with ready.open() as memory:
        versions = Path(memory.artifacts.project) / "versions"
        (versions / ".staged-old").mkdir()
        os.utime(versions / ".staged-old", (1, 1))
        (versions / ".staged-new").mkdir()
        (versions / "000040").mkdir()
        before = artifacts.version(memory.artifacts.project)
        consolidate(HERE, memory.opened)
        assert sorted(one.name for one in versions.iterdir()) == [".staged-new", before, "000041"]
