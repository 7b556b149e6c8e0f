"""The daily upkeep: a command that changes something leaves it to a worker, and waits for nobody."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from recollect.files.home import Home
from recollect.store.store import Store, open_store
from tests.command_line import RECOLLECT, Run, clean_environment, process

Started = list[tuple[str, str]]


@pytest.fixture
def started(cli: Run, monkeypatch: pytest.MonkeyPatch) -> Started:
    """The workers that commands in this process wanted to start: which Python, and in which home."""
    found: Started = []

    def note(python: str, home: Home) -> None:
        found.append((python, home.root))

    monkeypatch.setattr("recollect.files.worker_process.start_worker", note)
    return found


def store_of(home: Path) -> Store:
    return open_store(str(home / "recollect.db"), now=time.time())


def test_the_first_change_of_a_day_starts_a_worker_and_no_other_does(
    cli: Run, started: Started, tmp_path: Path
) -> None:
    assert cli("list").code == 0
    assert started == [], "looking changes nothing"
    assert cli("remember", "The deploy target is Fly.io.").code == 0
    assert started == [(sys.executable, str(tmp_path / "home"))]
    assert cli("remember", "The staging database is called otter.").code == 0
    assert len(started) == 1
    store = store_of(tmp_path / "home")
    assert {job.kind for job in store.jobs.listed("waiting")} == {"upkeep", "check_citations"}
    with store.write():
        store.database.run("UPDATE jobs SET job_key = '2026-11-01'")
    assert cli("remember", "The linter is called ruff.").code == 0
    assert len(started) == 2, "on another day it is due again"


def test_a_worker_that_is_there_does_it(cli: Run, started: Started, tmp_path: Path) -> None:
    cli("list")
    store = store_of(tmp_path / "home")
    store.jobs.arrive("somebody", now=time.time())
    assert cli("remember", "The deploy target is Fly.io.").code == 0
    assert started == []
    assert {job.kind for job in store.jobs.listed("waiting")} == {"upkeep", "check_citations"}


def test_memory_that_is_switched_off_starts_no_worker(cli: Run, started: Started) -> None:
    cli("settings", "set", "enabled", "false")
    assert cli("remember", "The deploy target is Fly.io.").code == 0
    assert started == []


def test_a_worker_that_cannot_be_started_is_no_concern_of_the_command(
    cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(python: str, home: Home) -> None:
        raise PermissionError("no more processes")

    monkeypatch.setattr("recollect.files.worker_process.start_worker", refused)
    done = cli("remember", "The deploy target is Fly.io.")
    assert done.code == 0
    assert "processes" not in done.err


def test_the_worker_that_a_command_starts_outlives_it_and_makes_the_safety_copy(
    repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    del environ["PYTHONPATH"]  # what keeps other tests from leaving a worker behind
    assert process([RECOLLECT, "remember", "The deploy target is Fly.io."], repository, environ).code == 0
    store = store_of(tmp_path / "home")
    until = time.monotonic() + 60
    while store.jobs.counts()["done"] < 2 or store.jobs.live_lease(time.time()):
        assert time.monotonic() < until, store.jobs.listed("waiting")
        time.sleep(0.1)
    assert sorted(job.kind for job in store.jobs.listed("done")) == ["check_citations", "upkeep"]
    assert os.listdir(tmp_path / "home" / "backups")
