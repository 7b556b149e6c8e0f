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


def test_a_block_in_agents_md_stays_until_the_last_host_that_asked_for_it_is_gone(cli: Run, user: Path) -> None:
    block = Path.cwd() / "AGENTS.md"
    cli("install", "goose", "--agents-md", "--yes")
    also = cli("install", "aider", "--agents-md", "--yes")
    assert (
        also.err == f"The block in {block} is for Aider and goose: it stays until you have uninstalled all of them.\n"
    )
    cli("install", "claude-code", "--agents-md", "--yes")
    assert cli("uninstall", "goose", "--dry-run").out == "0 files would change; nothing was written.\n"
    gone = cli("uninstall", "goose", "--yes")
    assert gone.out == "Removed Recollect from goose: 0 files changed.\n"
    assert gone.err == f"The block in {block} stays: Aider and Claude Code asked for it too.\n"
    assert cli("uninstall", "goose", "--yes").out == "Recollect is not installed in goose.\n"
    assert "stays: Aider asked for it too" in cli("uninstall", "claude-code", "--yes").err
    assert block.exists()
    assert cli("uninstall", "aider", "--yes").err == ""
    assert not block.exists()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("claude", "claude-code"), ("copilot", "copilot-cli"), ("vs-code", "vscode"), ("Claude Code", "claude-code")],
)
def test_a_host_that_is_called_almost_so_is_offered(cli: Run, typed: str, meant: str) -> None:
    said = f'"{typed}" is not a supported host. Did you mean `{meant}`?'
    for words in (
        ["install", typed],
        ["uninstall", typed],
        ["install", "--never", typed],
        ["preview", "--host", typed],
    ):
        done = cli(*words)
        assert done.code == 2
        assert said in done.err
    assert "Did you mean" not in cli("install", "xyzzy").err


def test_other_hosts_are_offered_only_where_some_were_named(cli: Run, user: Path) -> None:
    (user / ".claude" / "settings.json").write_text("{bad")
    for command in ("install", "uninstall"):
        if command == "uninstall":
            (user / ".claude" / "settings.json").write_text('{bad "recollect-hook"')
        assert cli(command, "claude-code", "--yes").err.endswith("nothing was changed. Fix the file.\n")
        assert cli(command, "claude-code", "cursor", "--yes").err.endswith(
            "Fix the file, or name only the other hosts.\n"
        )


def test_vs_codes_note_is_true_before_anything_is_written_too(cli: Run, user: Path) -> None:
    said = "VS Code also runs the hooks in Claude Code's settings, so it only needs the MCP server.\n"
    for more in ("--dry-run", "--yes"):
        assert said in cli("install", "claude-code", "vscode", more).err


def test_agents_without_hooks_are_told_of_the_mcp_server_and_not_looked_for(cli: Run, user: Path) -> None:
    step = "Add the MCP server (`recollect mcp`) to cline_mcp_settings.json by hand."
    refused = cli("install", "cline")
    assert (refused.code, step in refused.err) == (2, True)
    assert cli("install", "cline", "--agents-md", "--yes").err == f"Cline: {step}\n"
    assert "by hand" not in cli("install", "aider").err


# -- in one project


def test_a_host_that_joins_a_block_is_said_to_be_added_to_it(cli: Run, user: Path) -> None:
    cli("install", "claude-code", "--project", "--agents-md", "--yes")
    block = str(Path.cwd() / "AGENTS.md")
    would = cli("install", "aider", "--agents-md", "--dry-run")
    assert would.out == f"Aider would be added to the block in {block}; nothing was written.\n"
    assert f"The block in {block} would be for Aider and Claude Code: it stays" in would.err
    done = cli("install", "aider", "--agents-md", "--yes")
    assert done.out == f"Added Aider to the block in {block}.\n"
    assert f"The block in {block} is for Aider and Claude Code: it stays" in done.err
    assert cli("install", "aider", "--agents-md", "--yes").out == "Nothing to do: Aider is already connected.\n"


def test_of_two_hosts_only_the_one_that_joins_the_block_is_said_to_be_added(cli: Run, user: Path) -> None:
    cli("install", "aider", "--agents-md", "--yes")
    done = cli("install", "aider", "goose", "--agents-md", "--yes")
    assert done.out == f"Added goose to the block in {Path.cwd() / 'AGENTS.md'}.\n"


def test_a_host_that_only_reads_another_ones_project_files_is_not_said_to_be_connected(cli: Run, user: Path) -> None:
    cli("install", "claude-code", "opencode", "--project", "--yes")
    done = cli("uninstall", "cursor", "--yes")
    assert done.out == "Recollect is not installed in Cursor.\n"
    assert "Still connected" not in done.err
    [command] = re.findall("`recollect (.+?)`", done.err)
    assert command == "uninstall claude-code --project"
    assert cli(*shlex.split(command), "--yes").code == 0
    assert cli("uninstall", "cursor", "--yes").err == ""
    left = cli("uninstall", "all", "--dry-run").err
    assert "Still connected in this project: opencode. Remove with `recollect uninstall opencode --project`." in left


# -- a file that is broken


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n', "line 5 is not valid JSON: the file ends before a closing }"),
        ('{"a": 1', "line 1 is not valid JSON: the file ends before a closing }"),
        ('{"a":\n', "line 1 is not valid JSON: the file ends before a closing }"),
        ('{"a": [1,\n', "line 1 is not valid JSON: the file ends before a closing ]"),
        ('{"a": [1, 2}', "line 1 is not valid JSON: there is a } where a ] is expected"),
        ('{"a": 1\n "b": 2}', "line 2 is not valid JSON: a comma is missing"),
        ('{"a" 1}', "line 1 is not valid JSON: a colon is missing"),
        ('{"a": "1}\n', "line 1 is not valid JSON: a string is not closed on this line"),
        ("{} /* ours", "line 1 is not valid JSON: a comment is not closed"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_what_is_wrong_in_which_line(text: str, said: str, cli: Run, user: Path) -> None:
    settings = user / ".claude" / "settings.json"
    settings.write_text(text)
    done = cli("install", "claude-code", "--yes")
    assert (done.code, f"{settings}: {said}" in done.err) == (1, True), done.err
    assert settings.read_text() == text
