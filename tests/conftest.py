"""A home, a repository and a memory for every test; nothing of the machine's own is touched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from recollect import Recollect
from tests.histories import OWN_LOGS, laws_ran_on

# How long an example takes says more about the machine than about the program; speed is measured in benchmarks.
settings.register_profile("any machine", deadline=None, max_examples=50)
settings.load_profile("any machine")

pytest_plugins = ["tests.command_line", "tests.host_schemas"]

QUIET_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which sessions the laws of compaction were held against."""
    terminalreporter.write_line(laws_ran_on(OWN_LOGS))


class Clock:
    """A clock that moves only when told."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += days * 86_400


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, without the machine's own settings."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **QUIET_GIT}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def make_repository(folder: Path, *, remote: str = "git@github.com:owner/app.git") -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    (folder / "README.md").write_text("# app\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a remote."""
    return make_repository(tmp_path / "app")


OpenMemory = Callable[..., Recollect]


@pytest.fixture
def open_memory(tmp_path: Path, clock: Clock) -> Iterator[OpenMemory]:
    """Open a memory in a folder; the same home unless told otherwise."""
    opened: list[Recollect] = []

    def open_in(folder: Path | None = None, *, home: str = "home", **environ: str) -> Recollect:
        memory = Recollect.open(
            str(tmp_path / home),
            folder=str(folder or tmp_path),
            environ={"HOME": str(tmp_path / "user"), **environ},
            clock=clock,
        )
        opened.append(memory)
        return memory

    (tmp_path / "user").mkdir()
    yield open_in
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory: OpenMemory, repository: Path) -> Recollect:
    """A memory opened inside the repository."""
    return open_memory(repository)


def contents(memory: Recollect, query: str, **options: object) -> list[str]:
    """What recall brings for a query."""
    return [one.entry.content for one in memory.recall(query, **options).entries]  # type: ignore[arg-type]
