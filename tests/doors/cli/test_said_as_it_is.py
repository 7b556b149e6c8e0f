"""Screens that say what is so: numbers with their reach, figures with their meaning, rows that fit the screen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recollect import Recollect
from recollect.flows.writes.actors import Agent
from recollect.model.drafts import Draft
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.conftest import git, make_repository
from tests.doors.cli.test_newcomers_again import shown
from tests.suggestions.test_mended_flows import make_app

AGENTS = """# Shopfront

## Commands

- Run `npm test` before you push.
- Build with `npm run build`.

## Conventions

- Keep functions short.
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "user").mkdir(exist_ok=True)
    return clean_environment(tmp_path / "home", tmp_path / "user", TERM="xterm")


def suggested(cli: Run, app: Path, monkeypatch: pytest.MonkeyPatch, *facts: str) -> dict[str, dict[str, str]]:
    """The suggestions made in a repository from these facts, by fact."""
    monkeypatch.chdir(app)
    for fact in facts:
        assert cli("remember", fact, "--scope", "here").code == 0
    cli("suggest", "reconcile")
    return {one["fact"]: one for one in cli("suggest", "list", "--json").json}


def test_a_line_that_runs_a_tool_which_a_fact_rules_out_is_a_conflict_and_stays(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(tmp_path / "shop", {"AGENTS.md": AGENTS})
    never, slow = "Use pnpm in this repository, never npm.", "Never use npm to publish from a laptop."
    made = suggested(cli, app, monkeypatch, never, slow)
    assert (made[never]["action"], made[slow]["action"]) == ("conflict", "add")
    assert "the line “Run `npm test` before you push.” uses what it rules out" in made[never]["why"]
    assert "\n-- " not in made[never]["diff"], "the line stays: what becomes of it is for a person to decide"
    cli("suggest", "apply", "--all", "--yes")
    assert never not in (app / "AGENTS.md").read_text()


def test_what_a_command_does_goes_under_the_commands(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path / "shop", {"AGENTS.md": AGENTS.replace("npm", "make")})
    [one] = suggested(cli, app, monkeypatch, "`pnpm test` runs the tests.").values()
    assert "the nearest heading is Commands" in one["why"]


def test_what_waits_says_which_suggestions_are_of_other_repositories(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = make_app(tmp_path / "shop", {"AGENTS.md": AGENTS})
    other = make_repository(tmp_path / "other", remote="git@github.com:owner/other.git")
    suggested(cli, shop, monkeypatch, "Log messages name the request.")
    monkeypatch.chdir(other)
    status = cli("status", "--json").json
    assert (status["suggestions"], status["suggestions_elsewhere"]) == (0, 1)
    assert "waiting    1 suggestion in other repositories\n" in cli().out
    monkeypatch.chdir(shop)
    assert "waiting    1 suggestion\n" in cli().out


def test_compactions_that_agents_made_are_not_counted_as_ours(environ: dict[str, str], tmp_path: Path) -> None:
    done = process([RECOLLECT, "up", "--sample", "--no-serve", "--json"], tmp_path, environ)
    home = json.loads(done.out)["home"]
    happened = json.loads(process([RECOLLECT, "status", "--json", "--home", home], tmp_path, environ).out)["happened"]
    assert happened["compactions"] == happened["host_compactions"] > 0
    page = shown(["status", "--home", home], tmp_path, environ)
    assert "by your agents seen in their logs" in " ".join(page.split())
    assert "compacted" not in page


def test_check_on_a_terminal_breaks_its_lines_between_words(environ: dict[str, str], tmp_path: Path) -> None:
    app = tmp_path / "shop"
    app.mkdir()
    (app / "AGENTS.md").write_text("# Shop\n\n- The rules of the old checkout are in `src/legacy/checkout.ts`.\n")
    (app / "src/legacy").mkdir(parents=True)
    (app / "src/legacy/checkout.ts").write_text("1\n")
    git(app, "init", "-q")
    git(app, "add", "-A")
    git(app, "commit", "-qm", "one")
    git(app, "rm", "-q", "src/legacy/checkout.ts")
    git(app, "commit", "-qm", "two")
    page = shown(["check"], app, environ)
    assert "gone  AGENTS.md:3 path src/legacy/checkout.ts\n    deleted in" in page, page
    assert "\t" not in page
    assert max(map(len, page.splitlines())) <= 80


def test_settings_name_their_default_and_where_a_value_comes_from(
    cli: Run, environ: dict[str, str], tmp_path: Path
) -> None:
    cli("settings", "set", "recall.max_entries", "5")
    page = shown(["settings", "list"], tmp_path, environ)
    assert page.splitlines()[0].split() == ["setting", "value", "default"]
    page = shown(["settings", "get", "recall.max_tokens"], tmp_path, {**environ, "RECOLLECT_RECALL__MAX_TOKENS": "300"})
    assert "Set by environment variable RECOLLECT_RECALL__MAX_TOKENS." in " ".join(page.split())


@pytest.mark.parametrize("command", ["get", "set", "unset"])
def test_a_shell_completes_the_names_of_settings(environ: dict[str, str], tmp_path: Path, command: str) -> None:
    words = f"recollect settings {command} recall.max"
    environ = {**environ, "_RECOLLECT_COMPLETE": "fish_complete", "COMP_WORDS": words, "COMP_CWORD": "recall.max"}
    assert "plain,recall.max_entries" in process([RECOLLECT], tmp_path, environ, afresh=True).out


def test_an_imported_text_that_is_only_a_secret_is_skipped_with_the_reason(cli: Run, tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 23 + "x-AA"
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"memory": f"api key is {key}"}, {"memory": "The queue is called kiwi."}]))
    for typed, count in (((), "waiting"), (("--typed",), "stored")):
        done = cli("import", "--from", "mem0", str(file), *typed, "--json").json
        assert done[count] == 1
        assert "That says nothing without the secret" in done["skipped"][0]["why"]
    assert [one["content"] for one in cli("list", "--json", "--all").json] == ["The queue is called kiwi."]


def test_an_agent_does_not_store_what_is_only_a_secret(tmp_path: Path, repository: Path) -> None:
    with Recollect.open(str(tmp_path / "home"), folder=str(repository), environ={"HOME": str(tmp_path)}) as memory:
        said = f"My API key is sk-ant-api03-{'a1B2' * 23}x-AA"
        outcome = memory.writes(Agent(client="Codex", session="s1")).store(Draft(said, scope="user"))
        assert (outcome.status, "nothing without the secret" in outcome.why) == ("refused", True)


def test_the_name_that_was_guessed_for_an_import_is_not_shown_as_one_that_somebody_gave(
    cli: Run, environ: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("- Never edit generated files by hand.\n")
    cli("import", "--from", "claude-md", str(file))
    said = " ".join(shown(["pending"], repository, environ).split())
    assert "from Claude Code's rules" in said, said
    assert "named" not in said
    assert "found under" not in said
