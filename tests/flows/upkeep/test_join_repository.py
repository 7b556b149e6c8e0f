"""A repository that is named better once git or ssh was asked keeps its memory, and hooks follow."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recollect import Agent, Recollect
from recollect.files.git.lookups import kept_answers
from recollect.files.repositories import identify
from recollect.worker import Worker
from tests import hook_calls
from tests.conftest import Clock, git, make_repository


class Desk:
    """A person's folder and home, opened as commands open them and seen as hooks see them."""

    def __init__(self, tmp_path: Path, clock: Clock) -> None:
        self.user, self.clock = tmp_path / "user", clock
        self.user.mkdir()
        self.environ = {"HOME": str(self.user), "RECOLLECT_HOME": str(tmp_path / "home")}

    def open(self, folder: Path) -> Recollect:
        return Recollect.open(folder=str(folder), environ=self.environ, clock=self.clock)

    def seen_by_hook(self, folder: Path) -> str:
        with self.open(self.user) as memory:
            known, lookup = memory.opened.store.repositories.identities(), kept_answers(memory.home)
            return identify(str(folder), home=str(self.user), known=known, lookup=lookup).repository


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Desk:
    return Desk(tmp_path, clock)


def test_what_was_kept_under_an_alias_of_ssh_is_joined_by_the_worker_and_hooks_follow(desk: Desk, tmp_path) -> None:
    folder = make_repository(tmp_path / "app", remote="git@job:owner/app.git")
    with desk.open(folder) as memory:
        memory.remember("The staging database is called marmot.")
        assert memory.repository.repository == "job/owner/app"
    (desk.user / ".ssh").mkdir()
    (desk.user / ".ssh" / "config").write_text("Host job\n  HostName github.com\n")
    assert desk.seen_by_hook(folder) == "job/owner/app"
    with desk.open(desk.user) as memory:
        memory.opened.store.jobs.add("check_citations", "here", {"cwd": str(folder)}, now=desk.clock())
    assert Worker(desk.environ, clock=desk.clock).once().done == 2  # and the upkeep of the day
    assert desk.seen_by_hook(folder) == "github.com/owner/app"
    with desk.open(folder) as memory:
        assert [entry.repository for entry in memory.entries.list()] == ["github.com/owner/app"]
        assert memory.opened.store.repositories.canonical("job/owner/app") == "github.com/owner/app"


def test_two_clones_without_a_remote_are_one_repository_in_hooks_too(desk: Desk, tmp_path) -> None:
    first = make_repository(tmp_path / "first", remote="")
    second = tmp_path / "second"
    shutil.copytree(first, second)
    assert desk.seen_by_hook(first) == f"path:{first / '.git'}", "before any command was there"
    names = set()
    for folder in (first, second, first):
        with desk.open(folder) as memory:
            names.add(memory.repository.repository)
    assert names == {f"root:{git(first, 'rev-parse', 'HEAD')}"} == {desk.seen_by_hook(first), desk.seen_by_hook(second)}


def test_a_hook_knows_a_repository_without_remote_from_imported_sessions(desk: Desk, tmp_path) -> None:
    folder = make_repository(tmp_path / "alone", remote="")
    log = desk.user / ".claude" / "projects" / "-alone" / "5f0f3f9a-0000-4000-8000-000000000001.jsonl"
    log.parent.mkdir(parents=True)
    line = (
        '{"type":"user","sessionId":"5f0f3f9a-0000-4000-8000-000000000001","cwd":"%s","uuid":"u1",'
        '"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"We use pnpm here, never npm."}}\n'
    )
    log.write_text(line % folder)
    with desk.open(desk.user) as memory:
        past = memory.sessions
        logs, _ = past.logs(hosts=["claude-code"])
        assert past.import_logs(logs).sessions == 1
    assert desk.seen_by_hook(folder) == f"root:{git(folder, 'rev-parse', 'HEAD')}"


def test_what_was_typed_before_a_repository_was_named_still_counts_as_typed(desk: Desk, tmp_path) -> None:
    folder = make_repository(tmp_path / "app", remote="")
    with desk.open(desk.user):
        pass  # a home, and nothing about this repository
    said = hook_calls.prompt("codex", folder, "Remember that our deploys go out on Tuesdays only.", session="s1")
    hook_calls.heard(said, tmp_path / "home", desk.user, host="codex", now=desk.clock())
    with desk.open(folder) as memory:
        assert memory.repository.repository.startswith("root:")
        outcome = memory.writes(Agent()).memory_write("add", "L1", "Our deploys go out on Tuesdays only.")
        assert memory.entries.get(outcome.entry_id).origin == "typed", outcome
