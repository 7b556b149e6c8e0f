"""`recollect memory` and `recollect read`: what past sessions of a project left, as a person sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codex_logs import CodexLog
from tests.command_line import Run
from tests.conftest import git

RULE = "We use pnpm here, not npm."


@pytest.fixture
def up(cli: Run, tmp_path: Path, repository: Path) -> Run:
    """A home after `up`, which writes the files whatever the age of a session."""
    CodexLog(tmp_path / "user", str(repository), 1, day="2024-10-05").typed(f"No, {RULE[0].lower()}{RULE[1:]}").write()
    done = cli("up", "--no-serve", "--json")
    assert done.json["projects"] == 1
    return cli


def test_up_writes_the_files_and_the_commands_show_them(up: Run) -> None:
    status = up("memory", "status", "--json").json
    assert status["files"] == ["MEMORY.md", "memory_summary.md"]
    assert status["enabled"] is False
    viewed = up("memory", "view")
    assert "# Memory Guidance" in viewed.out
    assert RULE in viewed.out
    assert "recollect settings set memories.enabled true" in viewed.err
    assert up("read", "memory://root").out.startswith("v1\n")
    text = up("read", "memory://root/MEMORY.md").out
    [block] = [line[5:-4] for line in text.splitlines() if line.startswith("<!-- m-")]
    one = up("read", f"memory://root/MEMORY.md#{block}", "--json").json
    assert one["text"].startswith("### Package manager")


def test_nothing_yet_and_addresses_that_lead_out_are_one_sentence_each(cli: Run) -> None:
    for words in (("memory", "view"), ("read", "memory://root"), ("read", "memory://root/../config.toml")):
        done = cli(*words)
        assert done.code in (1, 2)
        assert done.err.count("\n") == 1 or "Usage" in done.err
    assert "never" in cli("memory", "status").out


def test_it_says_why_sessions_left_nothing_instead_of_asking_to_rebuild_again(
    cli: Run, tmp_path: Path, repository: Path
) -> None:
    git(repository, "remote", "remove", "origin")
    for number in range(3):
        CodexLog(tmp_path / "user", str(repository), number).typed(f"No, {RULE[0].lower()}{RULE[1:]}").write()
    cli("import")
    native = cli("session", "list", "--json").json[0]["id"]
    assert cli("session", "private", native).code == 0
    told = "3 sessions were skipped: 2 in a temporary folder, 1 private."
    done = cli("memory", "rebuild", "--now")
    assert told in done.out + done.err
    for words in (("memory", "view"), ("read", "memory://root"), ("memory", "status")):
        shown = cli(*words)
        assert told in shown.out + shown.err, words
        assert "rebuild --now" not in shown.out + shown.err, words
    assert cli("memory", "status", "--json").json["why_empty"] == told


def test_clearing_asks_and_can_be_undone_and_a_rebuild_brings_it_back(up: Run) -> None:
    assert up("memory", "clear").code == 1, "there is no terminal to ask on"
    assert up("memory", "clear", "--yes", "--json").json == {"cleared": ["github.com/owner/app"]}
    assert up("memory", "view").code == 1
    assert up("memory", "undo", "--json").json == {"restored": "what was cleared"}
    assert RULE in up("memory", "view").out
    up("memory", "reset", "--all", "--yes")
    assert up("memory", "enqueue", "--json").json == {"sessions": 1, "status": "waiting"}
    assert up("memory", "rebuild", "--now", "--json").json["sessions"] == 1
    assert RULE in up("memory", "view").out


def test_an_agent_may_look_and_rebuild_but_not_clear(up: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert up("memory", "view").code == 0
    for words in (("clear", "--yes"), ("undo",)):
        refused = up("memory", *words)
        assert refused.code == 1
        assert "needs a person" in refused.err


def test_a_config_yml_in_the_home_turns_it_on_and_config_toml_goes_before_it(up: Run, tmp_path: Path) -> None:
    file = tmp_path / "home" / "config.yml"
    file.write_text("memories:\n  enabled: true\n  maxRolloutAgeDays: 7\n")
    assert up("memory", "status", "--json").json["enabled"] is True
    assert up("settings", "get", "memories.max_rollout_age_days").out.strip().startswith("7")
    up("settings", "set", "memories.enabled", "false")
    assert up("memory", "status", "--json").json["enabled"] is False
    file.write_text("memories:\n  enabled: [\n")
    broken = up("memory", "status")
    assert broken.code == 1
    assert "config.yml" in broken.err
    file.write_text("memories:\n  enable: true\n")
    assert "line 2" in up("memory", "status").err
