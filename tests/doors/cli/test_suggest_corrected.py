"""A correction reaches the file that still says what it replaced, and what was applied is undone where it belongs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import git
from tests.terminals import Terminal


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "app"
    root.mkdir()
    git(root, "init", "--quiet")
    return root


def suggested(cli: Run) -> dict[str, dict[str, str]]:
    """What is suggested, by what it says."""
    cli("suggest", "reconcile")
    return {one["fact"]: one for one in cli("suggest", "list", "--json").json}


def test_a_line_that_says_what_was_corrected_is_replaced(cli: Run, repository: Path) -> None:
    lines = ("Deploys go to Heroku.", "The database is MySQL.", "This repository uses pnpm, not npm.")
    file = repository / "AGENTS.md"
    file.write_text("".join(("# Notes\n\n", *(f"- {one}\n" for one in lines))))
    for line in lines:
        cli("remember", line)
    cli("correct", "We moved from Heroku to Render.")
    cli("correct", "We moved from MySQL to Postgres.")
    cli("correct", "We moved from pnpm to bun.")
    found = suggested(cli)
    assert {one["action"] for one in found.values()} == {"merge"}
    for one in found.values():
        assert "corrects a line there" in cli("suggest", "show", one["id"]).out
    git(repository, "add", "--all")
    git(repository, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "Notes")
    done = cli("suggest", "apply", "--all", "--yes")
    assert "not committed" not in done.err, "only its own first write made the file differ"
    assert file.read_text().splitlines()[2:] == [
        "- Deploys go to Render (formerly Heroku).",
        "- The database is Postgres (formerly MySQL).",
        "- This repository uses bun (formerly pnpm), not npm.",
    ]


def test_a_line_is_replaced_by_a_statement_that_gives_only_the_old_name(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("- The database is MySQL.\n")
    cli("remember", "The database is Postgres (formerly MySQL).")
    [one] = suggested(cli).values()
    assert (one["action"], one["diff"].count("\n-- The database is MySQL.")) == ("merge", 1)


def test_a_line_that_says_more_than_what_was_corrected_is_decided_by_a_person(cli: Run, repository: Path) -> None:
    file = repository / "AGENTS.md"
    file.write_text("- Deploys go to Heroku; tag the release first.\n")
    cli("remember", "Deploys go to Heroku.")
    cli("correct", "We moved from Heroku to Render.")
    [one] = suggested(cli).values()
    assert one["action"] == "conflict"
    done = cli("suggest", "apply", "--all", "--yes")
    assert f"1 left: it contradicts a line; see `recollect suggest show g_{one['id'][-8:]}`." in done.err
    assert file.read_text() == "- Deploys go to Heroku; tag the release first.\n"


def test_another_value_for_a_line_contradicts_it_and_does_not_stand_beside_it(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("- Deploys go to Heroku.\n- The queue is drained at night.\n")
    cli("remember", "Deploys go to Render.")
    [one] = suggested(cli).values()
    assert (one["action"], one["diff"].count("\n-- Deploys go to Heroku.")) == ("conflict", 1)


def test_undo_after_an_applied_suggestion_names_its_undo_and_keeps_the_memory(cli: Run, repository: Path) -> None:
    (repository / "AGENTS.md").write_text("# Notes\n\n- Tests run with pytest.\n")
    cli("remember", "Deploys go to Render.")
    [one] = suggested(cli).values()
    cli("suggest", "apply", one["id"], "--yes")
    done = cli("undo")
    assert (done.code, done.out) == (1, "")
    assert f"`recollect suggest undo g_{one['id'][-8:]}`" in done.err
    assert "`recollect undo 1` undoes the change before it (remember: “Deploys go to Render.”)." in done.err
    assert [entry["status"] for entry in cli("list", "--json").json] == ["active"]
    cli("suggest", "undo", one["id"])
    assert cli("undo").code == 0


def test_undo_without_an_id_stays_in_this_repository(
    cli: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    cli("remember", "Deploys go to Render.")
    monkeypatch.chdir(other)
    done = cli("undo")
    assert done.code == 1
    assert f"The latest change (remember) is in {repository}; undo it with `recollect undo 1`." in done.err
    cli("remember", "Queues run on Kafka.")
    monkeypatch.chdir(repository)
    cli("remember", "Tests run with pytest.")
    monkeypatch.chdir(other)
    done = cli("undo")
    assert "Queues run on Kafka." in done.err
    assert "A newer change (remember) of another repository still holds; undo it with `recollect undo 3`." in done.err
    done = cli("undo", "3")
    assert f"“Tests run with pytest.” (in {repository})" in done.err


def test_a_list_of_every_repository_counts_and_names_what_it_shows(
    cli: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "AGENTS.md").write_text("# Notes\n\n- Tests run with pytest.\n")
    cli("remember", "Deploys go to Render.")
    assert len(suggested(cli)) == 1
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    monkeypatch.chdir(other)
    assert " 0 pending" in cli("suggest", "list").err
    listed = cli("suggest", "list", "--all")
    assert " 1 pending" in listed.err
    assert listed.out.split("\t")[-1].strip() == str(repository)
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "list", "--all"], other, environ, columns=200)
    terminal.end()
    assert f"Add to AGENTS.md, under Notes in {repository}" in " ".join(terminal.shown.split())


def test_an_unknown_suggestion_is_named_as_such_before_anything_else(cli: Run, repository: Path) -> None:
    assert "There is no suggestion 'nope'" in cli("suggest", "apply", "nope").err


def test_a_script_is_shown_the_list_of_others_for_the_same_place_not_a_line_that_applies_them(
    cli: Run, repository: Path
) -> None:
    (repository / "AGENTS.md").write_text("# Notes\n\n- Tests run with pytest.\n")
    cli("remember", "Deploys go to Render.")
    cli("remember", "Queues run on Kafka.")
    one, _ = suggested(cli).values()
    done = cli("suggest", "apply", one["id"], "--yes")
    assert "1 more suggestion for the same place; see `recollect suggest list`." in done.err
