"""The sample sessions with small git repositories for their three projects, imported once."""

from __future__ import annotations

import shutil
from pathlib import Path

from recollect import Recollect
from recollect.flows.autonomous.artifacts import build
from recollect.flows.setup.up import bring_in
from tests.conftest import git, make_repository
from tests.paths import SOURCE

PROJECTS = ("saltmarsh-shop", "saltmarsh-infra", "quayside-billing")
SHOP, INFRA, BILLING = (f"github.com/example-org/{name}" for name in PROJECTS)


def make_sample_home(folder: Path) -> dict[str, str]:
    """A home with the sample in it, and its artifacts; returns its environment."""
    code = folder / "code"
    for name in PROJECTS:
        _history(make_repository(code / name, remote=f"git@github.com:example-org/{name}.git"))
    logs = folder / "logs"
    shutil.copytree(SOURCE / "sample", logs)
    for path in logs.rglob("*"):
        if path.is_file():
            path.write_text(path.read_text().replace("/home/ada/code", str(code)))
    environ = {"HOME": str(folder / "user"), "RECOLLECT_HOME": str(folder / "home")}
    with Recollect.open(folder=str(code / "saltmarsh-shop"), environ=environ) as memory:
        bring_in(memory.sessions, memory.opened, paths=(str(logs),), say_found=lambda _: None, progress=lambda *_: None)
        for repository in (SHOP, INFRA, BILLING):
            build(repository, memory.opened)
    return environ


def _history(repository: Path) -> None:
    """Three commits that change two files together, and one that was taken back."""
    for number in range(3):
        (repository / "schema.sql").write_text(f"-- {number}\n")
        (repository / "models.py").write_text(f"# {number}\n")
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", f"feat: step {number}")
    (repository / "cache.py").write_text("# cache\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "feat: cache the totals")
    git(repository, "revert", "--no-edit", "HEAD")
