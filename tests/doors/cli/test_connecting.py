"""What install, uninstall, doctor and status say to a person about the agents on their machine."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import Run


@pytest.fixture
def user(cli: Run, tmp_path: Path) -> Path:
    """The folder of somebody who has Claude Code, Copilot CLI and Cursor."""
    for name in (".claude", ".copilot", ".cursor"):
        (tmp_path / "user" / name).mkdir()
    return tmp_path / "user"


def findings(cli: Run) -> dict[str, tuple[str, str]]:
    """What doctor found, with the remedies."""
    return {one["check"]: (one["detail"], one["remedy"]) for one in cli("doctor", "--json").json}


def test_the_remedy_for_a_hook_that_runs_twice_names_the_host_whose_file_it_is(cli: Run, user: Path) -> None:
    cli("install", "all", "--yes")
    cli("install", "claude-code", "--project", "--yes")
    found = findings(cli)
    twice = [name for name in found if name.endswith("twice")]
    assert twice == ["claude-code twice", "copilot-cli twice", "cursor twice"]
    [command] = {re.findall("`recollect (.+?)`", found[name][1])[0] for name in twice}
    assert cli(*shlex.split(command), "--yes").out.endswith("Removed Recollect from Claude Code: 2 files changed.\n")
    assert not [name for name in findings(cli) if name.endswith("twice")]


def test_a_launcher_that_is_gone_is_renewed_in_the_file_that_names_it(cli: Run, user: Path) -> None:
    cli("install", "claude-code", "--project", "--yes")
    settings = Path(".claude", "settings.local.json")
    settings.write_text(settings.read_text().replace("bin/recollect-hook", "gone/recollect-hook"))
    [remedy] = {remedy for name, (_, remedy) in findings(cli).items() if name.endswith("launcher") and remedy}
    assert remedy == "Run `recollect install claude-code --project`."
    cli("install", "claude-code", "--project", "--yes")
    assert "cursor launcher" not in findings(cli)


def test_a_host_that_still_reads_anothers_settings_is_said_to_run_through_them(cli: Run, user: Path) -> None:
    settings = str(user / ".claude" / "settings.json")
    cli("install", "all", "--yes")
    assert settings in findings(cli)["cursor"][0], "its own hooks and those of Claude Code"
    for _ in range(2):  # and again when there is nothing left to do
        done = cli("uninstall", "cursor", "--yes")
        assert done.err == (
            f"Cursor still runs Recollect: it also reads {settings}, which was written for Claude Code. "
            "Remove that with `recollect uninstall claude-code`.\n"
        )
    through = f"connected (user), but only because it runs the hooks in Claude Code's settings: {settings}"
    assert findings(cli)["cursor"][0] == through
    assert cli("status", "--json").json["connected_through"] == {"cursor": ["claude-code"]}
    assert "cursor (through claude-code)" in cli().out
    cli("install", "--never", "cursor")
    assert "cursor" not in cli().out
    assert cli("uninstall", "claude-code", "--yes").err == ""
    assert cli("status", "--json").json["connected_through"] == {}


def test_a_host_left_out_that_is_connected_in_a_project_is_removed_there(cli: Run, user: Path) -> None:
    cli("install", "cursor", "--project", "--yes")
    remedy = "Remove it with `recollect uninstall cursor --project`."
    assert cli("install", "--never", "cursor").err.endswith(f"cursor is still connected. {remedy}\n")
    assert findings(cli)["cursor"][1] == remedy


def test_a_host_left_out_that_has_only_the_mcp_server_of_its_own_is_removed_by_its_name(cli: Run, user: Path) -> None:
    (user / ".config" / "Code" / "User").mkdir(parents=True)
    cli("install", "claude-code", "vscode", "--yes")
    cli("install", "--never", "vscode")
    assert findings(cli)["vscode"][1] == "Remove it with `recollect uninstall vscode`."


def test_untrusted_hooks_are_called_so_wherever_connections_are_listed(cli: Run, user: Path) -> None:
    (user / ".codex").mkdir()
    cli("install", "codex", "--yes")
    assert "connected  codex (not trusted)\n" in cli().out
