"""What a person narrows stays narrow: matches elsewhere, what was left out, layers, and repositories by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codex_logs import CodexLog
from tests.command_line import Run
from tests.conftest import make_repository


@pytest.fixture
def elsewhere(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path) -> Path:
    """Another repository, without a remote, that knows where logs go."""
    folder = make_repository(tmp_path / "mill", remote="")
    monkeypatch.chdir(folder)
    cli("remember", "The mill sends its logs to Loki.")
    monkeypatch.chdir(repository)
    return folder


def test_matches_elsewhere_are_those_that_the_same_filters_find(cli: Run, elsewhere: Path) -> None:
    asked = "where does the mill send its logs?"
    assert "1 match in another repository" in cli("recall", asked).err
    for narrow in (("--tag", "nosuch"), ("--layer", "L2")):
        assert "another repository" not in cli("recall", asked, *narrow).err
        assert cli("recall", "--all", asked, *narrow, "--json").json["entries"] == []


def test_nothing_is_left_out_that_was_not_asked_for(cli: Run) -> None:
    cli("remember", "The release notes are written by Ada on Fridays.")
    asked = ("recall", "who writes the minutes of the board on Mondays, and who reads the notes?", "--json")
    assert [one["why"] for one in cli(*asked).json["left_out"]] == ["below the relevance floor"]
    assert cli(*asked, "--tag", "nosuch").json["left_out"] == []


def test_knowledge_alone_brings_no_past_sessions(cli: Run, tmp_path: Path, repository: Path) -> None:
    log = CodexLog(tmp_path / "user", str(repository), 1).typed(
        "Shall deploys go to Render or Fly? Let us take Render."
    )
    log.answered("Deploys go to Render from now on.").write()
    cli("up", "--no-serve")
    asked = ("recall", "what did we decide about deploys last week?", "--json")
    assert {one["layer"] for one in cli(*asked, "--layer", "L1,L2").json["entries"]} == {"L2"}
    assert {one["layer"] for one in cli(*asked, "--layer", "L1").json["entries"]} <= {"L1"}


def test_a_repository_without_a_remote_is_named_by_its_folder(cli: Run, elsewhere: Path, repository: Path) -> None:
    listed = cli("list", "--repository", "mill", "--json").json
    assert [one["content"] for one in listed] == ["The mill sends its logs to Loki."]


def test_what_is_not_found_here_is_looked_for_elsewhere(cli: Run, elsewhere: Path, tmp_path: Path) -> None:
    CodexLog(tmp_path / "user", str(elsewhere), 1).typed("Mend the windows store listing.").answered("Done.").write()
    cli("import")
    assert "Look in every repository with --all." in cli("session", "list", "--about", "windows store").err
    assert "windows store" in cli("session", "list", "--all", "--about", "windows store").out
    assert "Name its session, too" in cli("why", "--turn", "3").err


def test_undo_after_a_rejection_names_the_way_back(cli: Run, elsewhere: Path, repository: Path) -> None:
    cli("remember", "CI runs on Buildkite.")
    (repository / "CLAUDE.md").write_text("- Use tabs in Go files.\n")
    cli("import", "--from", "claude-md")
    [waiting] = cli("pending", "--json").json
    cli("reject", waiting["id"])
    told = cli("undo").err
    assert "The last thing you did was reject w_" in told
    assert f"bring it back with `recollect undo w_{waiting['id'][-8:]}`" in told
    assert "(remember: “CI runs on Buildkite.”)" in told
    assert cli("undo", waiting["id"]).code == 0
    assert len(cli("pending", "--json").json) == 1
    assert cli("undo").code == 0
