"""Suggestions whose facts or files changed since they were made, as a person meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.writes.actors import Agent
from tests.command_line import RECOLLECT, Run, clean_environment
from tests.conftest import git
from tests.terminals import Terminal

PORT = "The API listens on port 8123."
LINTER = "Run the linter before each push."
HOSTING = "The API is deployed to fly.io."
DEPLOY = "Deploy with fly deploy from main."


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("# Project\n\n## Conventions\n\n- Use pnpm.\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def suggested(cli: Run, *facts: str) -> list[str]:
    """The ids of the suggestions made from these facts."""
    for fact in facts:
        assert cli("remember", fact, "--scope", "here").code == 0
    cli("suggest", "reconcile")
    made = {one["fact"]: one["id"] for one in cli("suggest", "list", "--json").json}
    return [made[fact] for fact in facts]


def waiting(cli: Run) -> list[str]:
    """What the list shows, which is what everything else counts."""
    facts = [one["fact"] for one in cli("suggest", "list", "--json").json]
    assert cli("status", "--json").json["suggestions"] == len(facts)
    assert f"{len(facts)} pending" in cli("suggest", "list").err
    return facts


def test_a_corrected_fact_is_no_longer_suggested_and_comes_back_when_that_is_undone(cli: Run, repository: Path) -> None:
    [name] = suggested(cli, PORT)
    cli("correct", "The API listens on port 9000.")
    assert waiting(cli) == []
    assert "suggestion" not in cli("review").err
    refused = cli("suggest", "apply", name, "--yes")
    assert refused.code == 1
    assert "was corrected or forgotten since" in refused.err
    assert "8123" not in (repository / "AGENTS.md").read_text()
    assert "was corrected or forgotten since" in cli("suggest", "show", name).out
    cli("undo")
    assert waiting(cli) == [PORT]
    cli("correct", "The API listens on port 9000.")
    cli("suggest", "reconcile")
    assert waiting(cli) == ["The API listens on port 9000."]


def test_a_forgotten_fact_is_no_longer_suggested_even_in_ones_own_words(cli: Run, repository: Path) -> None:
    [name] = suggested(cli, PORT)
    assert cli("suggest", "edit", name, "The API always listens on port 8123.").code == 0
    [entry] = cli("list", "--json").json
    cli("forget", entry["id"])
    assert waiting(cli) == []
    cli("suggest", "reconcile")
    assert waiting(cli) == []
    assert cli("suggest", "apply", "--all", "--yes").code == 0
    assert "8123" not in (repository / "AGENTS.md").read_text()


def test_an_edited_suggestion_is_placed_again_after_another_was_applied(cli: Run, repository: Path) -> None:
    first, second, third = suggested(cli, PORT, LINTER, DEPLOY)
    cli("suggest", "edit", first, "The API always listens on port 8123.")
    applied = cli("suggest", "apply", second, "--yes")
    assert "see `recollect suggest list`" in applied.err
    assert cli("suggest", "apply", first, "--yes").code == 0
    assert cli("suggest", "edit", third, "Deploy with `fly deploy`, from main only.").code == 0
    assert cli("suggest", "apply", third, "--yes").code == 0
    lines = (repository / "AGENTS.md").read_text().splitlines()
    assert lines[4:] == [
        "- Use pnpm.",
        f"- {LINTER}",
        "- The API always listens on port 8123.",
        "- Deploy with `fly deploy`, from main only.",
    ]


def test_a_file_edited_as_a_whole_is_edited_again_from_how_it_is_now(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    first, second = suggested(cli, PORT, LINTER)
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed \'s/port 8123/port 8123, in `api.toml`/\' "$1" > "$1.new" && mv "$1.new" "$1"\n')
    editor.chmod(0o755)
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm", EDITOR=str(editor))

    def edited() -> None:
        assert Terminal([RECOLLECT, "suggest", "edit", first], repository, environ).end() == 0

    edited()
    cli("suggest", "apply", second, "--yes")
    stuck = cli("suggest", "apply", first, "--yes")
    assert stuck.code == 1
    assert f"recollect suggest edit {first}" in stuck.err
    edited()
    assert cli("suggest", "apply", first, "--yes").code == 0
    assert (
        (repository / "AGENTS.md").read_text().endswith(f"- {LINTER}\n- The API listens on port 8123, in `api.toml`.\n")
    )


def test_how_it_was_before_is_not_written_into_a_file(cli: Run, repository: Path) -> None:
    suggested(cli, "We deploy to Render now, not to Fly.io anymore.")
    cli("suggest", "apply", "--all", "--yes")
    assert (repository / "AGENTS.md").read_text().endswith("- Use pnpm.\n- We deploy to Render.\n")


def test_nobody_is_asked_about_what_was_applied_and_a_no_is_answered(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    first, second = suggested(cli, PORT, LINTER)
    cli("suggest", "apply", first, "--yes")
    environ = clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")
    terminal = Terminal([RECOLLECT, "suggest", "apply", first], repository, environ)
    assert terminal.end() == 1
    assert "was applied already" in terminal.shown
    assert "[y/N]" not in terminal.shown
    terminal = Terminal([RECOLLECT, "suggest", "apply", second], repository, environ)
    terminal.until("[y/N]")
    terminal.press("n\n")
    assert terminal.end() == 0
    assert "Nothing was written." in terminal.shown
    terminal = Terminal([RECOLLECT, "review"], repository, environ)
    terminal.until("q quit")
    terminal.press("l")
    assert terminal.end() == 0
    assert "Applied 0" not in terminal.shown


def test_shared_facts_follow_each_command(cli: Run, repository: Path) -> None:
    shared = repository / ".github" / "memories" / "facts.json"
    cli("settings", "set", "sharing.facts", "true")
    assert f"Wrote {shared.relative_to(repository)}" in cli("remember", PORT, "--scope", "here").err
    assert PORT in shared.read_text()
    assert "Wrote" not in cli("remember", "I like short answers.", "--scope", "everywhere").err
    cli("correct", "The API listens on port 9000.")
    assert "8123" not in shared.read_text()
    assert "9000" in shared.read_text()


def test_a_suggestion_says_that_an_agent_stored_its_fact_and_what_the_cited_file_says(
    cli: Run, repository: Path, tmp_path: Path
) -> None:
    (repository / "README.md").write_text("# Shop\n")
    (repository / "server.py").write_text("port = 8123  # where the API listens\n")
    with Recollect.open(environ=clean_environment(tmp_path / "home", tmp_path / "user")) as memory:
        agent = memory.writes(Agent("claude-code"))
        for fact, file in ((HOSTING, "README.md"), (PORT, "server.py")):
            stored = agent.store_memory("app", fact, f"{file}:1", "It is often needed.")
            assert stored.status == "stored", stored
            for reason in ("It is right.", "It still is."):
                memory.vote(stored.entry_id, "up", reason)
    said = {}
    cli("suggest", "reconcile")
    for one in cli("suggest", "list", "--json").json:
        said[one["fact"]] = cli("suggest", "show", one["id"]).out
    for fact in (HOSTING, PORT):
        assert "From: an agent; nobody typed it\n" in said[fact], said[fact]
    assert "From: README.md:1 (cited: README.md:1 does not mention" in said[HOSTING]
    assert "From: server.py:1\n" in said[PORT]


def test_a_suggestion_of_a_typed_fact_names_no_agent(cli: Run, repository: Path) -> None:
    [name] = suggested(cli, LINTER)
    assert "agent" not in cli("suggest", "show", name).out.replace("AGENTS.md", "")
