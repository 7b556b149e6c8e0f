"""What the history of a repository says, within its limits, and never by running what its configuration names."""

from __future__ import annotations

import os
from pathlib import Path

from recollect.files.git import history
from recollect.files.git.evidence import evidence_of, git_evidence
from recollect.model.commits import Commit, GitEvidence
from tests.conftest import git


def commit(folder: Path, message: str, **texts: str) -> str:
    """Write files and commit them; returns the name of the commit."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


def test_commits_come_with_their_message_time_and_files_and_a_revert_says_of_what(repository) -> None:
    name = commit(repository, "Cache the prices\n\nThe page took two seconds.", cache="1\n", käse="1\n")
    git(repository, "revert", "--no-edit", "HEAD")
    found = git_evidence(str(repository / ".git"))
    assert [one.subject for one in found.commits] == ['Revert "Cache the prices"', "Cache the prices", "first"]
    cached = found.commits[1]
    assert (cached.name, cached.body, cached.paths) == (name, "The page took two seconds.", ("cache.py", "käse.py"))
    assert cached.at > 1_700_000_000
    [revert] = found.reverts
    assert (revert.subject, revert.of, revert.paths) == ("Cache the prices", name, ("cache.py", "käse.py"))


def test_files_that_change_together_are_told_and_sweeps_are_not() -> None:
    pair = [Commit("Ada", f"Work {n}", ("api.py", "docs/api.md")) for n in range(4)]
    alone = [Commit("Ada", f"More {n}", ("api.py",)) for n in range(9)]
    sweep = [Commit("Ada", f"Format {n}", tuple(f"f{m}.py" for m in range(30))) for n in range(5)]
    [found] = evidence_of([*pair, *alone, *sweep]).together
    assert (found.paths, found.times, found.of) == (("api.py", "docs/api.md"), 4, 4)
    assert not evidence_of(pair[:2]).together


def test_the_style_of_messages_is_told_where_nearly_all_have_it_and_bots_have_no_say() -> None:
    people = [Commit("Ada", f"fix: thing {n}") for n in range(20)]
    bots = [Commit("renovate[bot]", "Bump it")] * 50
    found = evidence_of([*people, *bots])
    assert "Conventional Commits" in found.style
    assert len(found.commits) == 20
    assert not evidence_of(people[:19]).style


def test_nothing_that_the_configuration_names_is_run(repository, tmp_path) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    (repository / ".gitattributes").write_text("*.py diff=x filter=x\n")
    commit(repository, "More", a="1\n")
    for name in ("core.fsmonitor", "gpg.program", "diff.external", "diff.x.textconv", "core.pager", "filter.x.clean"):
        git(repository, "config", name, str(program))
    git(repository, "config", "log.showSignature", "true")
    assert len(git_evidence(str(repository / ".git")).commits) == 2
    assert not mark.exists()


def test_a_history_that_is_too_long_is_cut_at_a_whole_commit(repository, monkeypatch) -> None:
    for number in range(4):
        commit(repository, f"Work {number}\n\n{'word ' * 200}", a=f"{number}\n")
    monkeypatch.setattr(history, "LIMIT_BYTES", 3_000)
    assert [one.subject for one in git_evidence(str(repository / ".git")).commits] == ["Work 3", "Work 2"]


def test_without_git_or_a_repository_there_is_no_evidence(tmp_path, repository, monkeypatch) -> None:
    assert git_evidence(str(tmp_path / "nothing")) == git_evidence("") == GitEvidence()
    monkeypatch.setitem(os.environ, "PATH", str(tmp_path))
    assert git_evidence(str(repository / ".git")) == GitEvidence()
