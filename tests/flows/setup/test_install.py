"""Connecting hosts: what is written, what is left alone, and that an uninstall leaves every byte as it was."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import tempfile
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import FileError, Refused, UsageError
from recollect.files.home import Home, ensure_home
from recollect.files.launchers.hook_launcher import NAME as HOOK_NAME
from recollect.files.launchers.hook_launcher import hook_command, launcher_path
from recollect.files.launchers.mcp_launcher import NAME as MCP_NAME
from recollect.files.launchers.mcp_launcher import ensure_mcp_launcher, mcp_launcher_path
from recollect.flows.setup.install import (
    INSTALLABLE,
    apply,
    found_hosts,
    installer,
    plan,
    plan_removal,
    remove,
    write_files,
)
from recollect.flows.setup.installed import inspect
from recollect.hosts.installing import Site
from recollect.version import __version__
from tests.command_line import RECOLLECT, Run, clean_environment, process
from tests.configs import json_texts, toml_texts

FILES = {
    "claude-code": {".claude/settings.json", ".claude.json"},
    "codex": {".codex/hooks.json", ".codex/config.toml"},
    "copilot-cli": {".copilot/hooks/recollect.json", ".copilot/mcp-config.json"},
    "gemini-cli": {".gemini/settings.json"},
    "cursor": {".cursor/hooks.json", ".cursor/mcp.json"},
    "vscode": {".config/Code/User/mcp.json", ".copilot/hooks/recollect.json"},
    "opencode": {
        ".config/opencode/plugins/recollect.js",
        ".config/opencode/opencode.json",
        ".config/opencode/package-lock.json",
        ".config/opencode/node_modules/.recollect",
    },
    "pi": {".pi/agent/extensions/recollect.ts", ".pi/agent/mcp.json"},
}
PROJECT_FILES = {
    "claude-code": {".claude/settings.local.json", ".mcp.json"},
    "codex": {".codex/hooks.json", ".codex/config.toml"},
    "copilot-cli": {".github/hooks/recollect.json", ".mcp.json"},
    "gemini-cli": {".gemini/settings.json"},
    "cursor": {".cursor/hooks.json", ".cursor/mcp.json"},
    "vscode": {".vscode/mcp.json", ".github/hooks/recollect.json"},
    "opencode": {
        ".opencode/plugins/recollect.js",
        ".opencode/package-lock.json",
        ".opencode/node_modules/.recollect",
        "opencode.json",
    },
    "pi": {".pi/extensions/recollect.ts", ".pi/mcp.json"},
}
JSON_FILES = [
    path for paths in FILES.values() for path in sorted(paths) if path.endswith(".json") and "recollect" not in path
]


class Person:
    """Somebody with a home folder, a project and a Recollect home."""

    def __init__(self, folder: Path) -> None:
        self.user, self.project = folder / "user", folder / "project"
        for each in (self.user, self.project):
            each.mkdir()
        self.home = Home(str(folder / "home"))
        self.environ = {"HOME": str(self.user), "PATH": ""}

    def install(self, *hosts: str, project: bool = False, block: str = "") -> list[str]:
        where = str(self.project) if project else ""
        changes = plan(hosts, home=self.home, environ=self.environ, project=where, block=(str(self.project), block))
        return [change.path for change in apply(changes, home=self.home)]

    def install_files(self, *hosts: str) -> list[str]:
        """Install without making the launchers, which takes longer than all the rest."""
        ensure_home(self.home.root)
        changes = plan(hosts, home=self.home, environ=self.environ)
        return [change.path for change in write_files(changes, home=self.home)]

    def uninstall(self, *hosts: str, project: bool = False) -> list[str]:
        where = str(self.project) if project else ""
        done = remove(hosts, home=self.home, environ=self.environ, project=where, folder=str(self.project))
        return [change.path for change in done]

    def look(self, host: str, *, project: bool = False):
        where = str(self.project) if project else ""
        return inspect(host, home=self.home, environ=self.environ, project=where)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.user / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def snapshot(self) -> dict[str, object]:
        """Every file, folder and link with its bytes and permissions."""
        found: dict[str, object] = {}
        for folder in (self.user, self.project):
            for path in sorted(folder.rglob("*")):
                mode = stat.S_IMODE(path.lstat().st_mode)
                what = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
                found[str(path)] = (what, mode)
        return found


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def names(paths: list[str], folder: Path) -> set[str]:
    return {os.path.relpath(path, folder) for path in paths}


@pytest.mark.parametrize("host", INSTALLABLE)
def test_each_host_gets_its_files_and_an_uninstall_leaves_no_trace(person: Person, host: str) -> None:
    before = person.snapshot()
    assert names(person.install(host), person.user) == FILES[host]
    assert person.look(host).installed
    assert person.look(host).servers
    assert person.install(host) == [], "a second install finds nothing to do"
    person.uninstall(host)
    assert person.snapshot() == before
    assert not person.look(host).installed
    assert not (Path(person.home.root) / "installed.json").exists()


@pytest.mark.parametrize("host", INSTALLABLE)
def test_each_host_can_be_connected_in_one_project_alone(person: Person, host: str) -> None:
    before = person.snapshot()
    assert names(person.install(host, project=True), person.project) == PROJECT_FILES[host]
    assert person.look(host, project=True).where == ("project",)
    assert not person.look(host).installed
    person.uninstall(host)
    assert person.look(host, project=True).installed, "an uninstall for the user leaves the project alone"
    person.uninstall(host, project=True)
    assert person.snapshot() == before


def test_all_hosts_come_and_go_together(person: Person) -> None:
    before = person.snapshot()
    person.install(*INSTALLABLE)
    assert all(person.look(host).installed for host in INSTALLABLE)
    assert person.install(*INSTALLABLE) == []
    person.uninstall(*INSTALLABLE)
    assert person.snapshot() == before


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(st.sampled_from(JSON_FILES), json_texts(), max_size=4),
    st.one_of(st.none(), toml_texts()),
    st.permutations(INSTALLABLE),
)
def test_whatever_the_files_hold_an_uninstall_leaves_every_byte_as_it_was(files, config, hosts) -> None:
    with tempfile.TemporaryDirectory() as folder:
        person = Person(Path(folder))
        for name, text in files.items():
            person.write(name, text)
        if config is not None:
            person.write(".codex/config.toml", config)
        before = person.snapshot()
        person.install_files(*INSTALLABLE)
        assert person.install_files(*INSTALLABLE) == []
        for host in hosts:
            person.uninstall(host)
        assert person.snapshot() == before


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(json_texts(), st.booleans())
def test_what_the_user_wrote_meanwhile_stays_and_our_entries_go(text: str, again: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        person = Person(Path(folder))
        path = person.write(".claude/settings.json", text)
        person.install_files("claude-code")
        path.write_bytes(path.read_bytes() + b"\n// mine\n")
        if again:
            assert person.install_files("claude-code") == []
        person.uninstall("claude-code")
        left = path.read_bytes().decode()
        assert left.endswith("// mine\n")
        assert "recollect" not in left
        from recollect.files.edits.jsonc import parse

        now, then = parse(left), parse(text)
        assert now is not None
        assert then is not None
        assert now.value() == then.value()


def test_a_file_of_ours_to_which_the_user_added_something_stays_with_just_that(person: Person) -> None:
    person.install("cursor")
    path = person.user / ".cursor" / "hooks.json"
    document = json.loads(path.read_text())
    document["hooks"]["afterFileEdit"] = [{"command": "prettier"}]
    path.write_text(json.dumps(document))
    person.uninstall("cursor")
    assert json.loads(path.read_text()) == {"version": 1, "hooks": {"afterFileEdit": [{"command": "prettier"}]}}
    assert not (person.user / ".cursor" / "mcp.json").exists()


def test_a_file_that_cannot_be_understood_is_refused_and_nothing_is_touched(person: Person) -> None:
    person.write(".claude/settings.json", '{"model": "x"}')
    person.write(".codex/config.toml", "= broken")
    before = person.snapshot()
    with pytest.raises(FileError, match=r"config\.toml: it is not valid TOML.*nothing was changed"):
        person.install("claude-code", "codex")
    assert person.snapshot() == before
    for content in (b'{"hooks": ', b"\xff\xfe{\x00}\x00", b'{"hooks": 1}'):
        person.write(".claude/settings.json", content)
        with pytest.raises(FileError, match=r"settings\.json.*nothing was changed"):
            person.install("claude-code")
    assert not os.path.exists(person.home.root)


def test_a_write_that_fails_takes_the_earlier_ones_back(person: Person) -> None:
    person.write(".claude/settings.json", '{"model": "x"}')
    before = person.snapshot()
    # A folder where the second file has to go: planned as missing, then in the way.
    changes = plan(["claude-code"], home=person.home, environ=person.environ)
    (person.user / ".claude.json").mkdir()
    with pytest.raises(FileError):
        apply(changes, home=person.home)
    (person.user / ".claude.json").rmdir()
    assert person.snapshot() == before
    assert not (Path(person.home.root) / "installed.json").exists()


def test_a_file_that_the_host_rewrites_meanwhile_keeps_what_the_host_wrote(person: Person) -> None:
    path = person.write(".claude.json", '{"numStartups": 1}')
    changes = plan(["claude-code"], home=person.home, environ=person.environ)
    path.write_text('{"numStartups": 2, "tips": {}}')
    apply(changes, home=person.home)
    written = json.loads(path.read_text())
    assert written["numStartups"] == 2
    assert written["mcpServers"]["recollect"]["command"] == mcp_launcher_path(person.home)


def test_links_are_followed_and_permissions_stay(person: Person) -> None:
    target = person.write("dotfiles/claude.json", '{\n  "model": "x"\n}')
    target.chmod(0o640)
    (person.user / ".claude").mkdir()
    (person.user / ".claude" / "settings.json").symlink_to(target)
    before = person.snapshot()
    person.install("claude-code")
    assert (person.user / ".claude" / "settings.json").is_symlink()
    assert "recollect-hook" in target.read_text()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    person.uninstall("claude-code")
    assert person.snapshot() == before


def test_one_backup_of_each_file_is_kept_in_the_home(person: Person) -> None:
    person.write(".claude/settings.json", '{"model": "x"}')
    person.install("claude-code")
    person.install("claude-code")
    backups = list((Path(person.home.backups) / "hosts").iterdir())
    assert [backup.read_text() for backup in backups] == ['{"model": "x"}']


def test_without_our_records_the_entries_are_found_by_their_mark(person: Person) -> None:
    person.write(".claude/settings.json", '{\n  "model": "x",\n  "hooks": {}\n}\n')
    person.install("claude-code", "codex")
    (Path(person.home.root) / "installed.json").unlink()
    assert person.install("claude-code", "codex") == []
    (Path(person.home.root) / "installed.json").unlink()
    person.uninstall("claude-code", "codex")
    for path in person.user.rglob("*"):
        assert path.is_dir() or "recollect" not in path.read_text()


def test_without_the_home_no_file_of_ours_is_left_empty(person: Person) -> None:
    person.write(".codex/config.toml", 'model = "x"\n')
    before = {path: one for path, one in person.snapshot().items() if os.path.isfile(path)}
    person.install(*INSTALLABLE)
    shutil.rmtree(person.home.root)
    person.uninstall(*INSTALLABLE)
    assert {path: one for path, one in person.snapshot().items() if os.path.isfile(path)} == before
    assert not (person.user / ".config" / "opencode" / "node_modules").exists()
    assert not (person.user / ".config" / "opencode" / "plugins").exists()


def test_an_empty_folder_of_packages_does_not_keep_opencode_waiting_for_npm(person: Person) -> None:
    (person.user / ".config" / "opencode" / "node_modules").mkdir(parents=True)
    person.install("opencode")
    assert (person.user / ".config" / "opencode" / "package-lock.json").exists()


def test_uninstall_all_leaves_out_a_host_whose_file_is_broken(cli: Run, tmp_path: Path) -> None:
    for name in (".gemini", ".codex", ".cursor"):
        (tmp_path / "user" / name).mkdir(parents=True)
    broken, ours = tmp_path / "user/.gemini/settings.json", tmp_path / "user/.cursor/mcp.json"
    broken.write_text("{bad")
    assert cli("install", "all", "--yes").code == 1
    ours.write_text("{bad recollect-mcp")
    done = cli("uninstall", "all", "--yes")
    assert (done.code, broken.read_text()) == (1, "{bad")
    assert "Cursor was not disconnected: " in done.err
    assert "Gemini" not in done.out + done.err, "nothing of ours was ever in it"
    assert not (tmp_path / "user/.codex/hooks.json").exists()


def test_a_damaged_record_is_said_and_nothing_is_touched(person: Person) -> None:
    person.install("claude-code")
    before = person.snapshot()
    (Path(person.home.root) / "installed.json").write_text("{")
    with pytest.raises(FileError, match="damaged"):
        person.uninstall("claude-code")
    assert person.snapshot() == before


def test_vs_code_needs_no_hooks_of_its_own_where_claude_code_has_them(person: Person) -> None:
    assert names(person.install("claude-code", "vscode"), person.user) == {
        ".claude/settings.json", ".claude.json", ".config/Code/User/mcp.json",
    }  # fmt: skip
    assert person.look("vscode").where == ("user",)
    assert person.look("vscode").duplicates == ()


def test_what_two_hosts_share_stays_until_both_are_gone(person: Person) -> None:
    path = person.user / ".copilot" / "hooks" / "recollect.json"
    person.install("copilot-cli", "vscode")
    both = json.loads(path.read_text())["hooks"]
    assert list(both) == [
        "sessionStart",
        "userPromptTransformed",
        "preCompact",
        "agentStop",
        "sessionEnd",
        "PreCompact",
        "Stop",
    ]
    assert all(len(hooks) == 1 for hooks in both.values())
    person.uninstall("copilot-cli")
    left = {event: hooks for event, hooks in json.loads(path.read_text())["hooks"].items() if hooks}
    assert list(left) == ["sessionStart", "PreCompact", "Stop"]
    assert person.look("vscode").installed
    person.uninstall("vscode")
    assert not path.exists()
    assert not (person.user / ".copilot").exists()


def test_a_user_and_a_project_install_are_told_as_double(person: Person) -> None:
    person.install("cursor")
    person.install("cursor", project=True)
    look = person.look("cursor", project=True)
    assert look.where == ("user", "project")
    assert len(look.duplicates) == 2


def test_a_launcher_that_is_gone_or_of_another_home_is_told(person: Person) -> None:
    person.install("claude-code")
    assert person.look("claude-code").stale == ()
    os.unlink(launcher_path(person.home))
    assert person.look("claude-code").stale == (hook_command(person.home),)
    person.home = Home(person.home.root + "2")
    assert person.look("claude-code").stale


def test_codex_trust_is_read_from_what_codex_keeps(person: Person) -> None:
    person.install("codex")
    assert person.look("codex").trusted == "no"
    assert "/hooks" in person.look("codex").trust_step
    path = person.user / ".codex" / "hooks.json"
    labels = {"SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "PreToolUse": "pre_tool_use",
              "PreCompact": "pre_compact", "Stop": "stop", "SessionEnd": "session_end"}  # fmt: skip
    text = (person.user / ".codex" / "config.toml").read_text()
    for event, groups in json.loads(path.read_text())["hooks"].items():
        handler = {"async": False, **groups[0]["hooks"][0]}
        which = {name: groups[0][name] for name in groups[0] if name == "matcher"}
        identity = {"event_name": labels[event], "hooks": [handler], **which}
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        text += f'\n[hooks.state."{path}:{labels[event]}:0:0"]\ntrusted_hash = "sha256:{digest}"\n'
    person.write(".codex/config.toml", text)
    assert person.look("codex").trusted == "yes"
    person.write(".codex/config.toml", text.replace("sha256:", "sha256:0", 1))
    assert person.look("codex").trusted == "unknown"
    person.uninstall("codex")
    assert "mcp_servers" not in tomllib.loads((person.user / ".codex" / "config.toml").read_text())
    assert "trusted_hash" in (person.user / ".codex" / "config.toml").read_text(), "what Codex wrote is Codex's"


def test_our_plugin_is_seen_where_a_host_lists_it(person: Person) -> None:
    person.write(".claude/settings.json", '{"enabledPlugins": {"recollect@recollect": true}}')
    person.write(".codex/config.toml", '[plugins."recollect@recollect"]\nenabled = true\n')
    (person.user / ".copilot" / "installed-plugins" / "recollect" / "recollect").mkdir(parents=True)
    for host in ("claude-code", "codex", "copilot-cli"):
        assert "plugin" in person.look(host).where


def test_a_broken_file_of_a_host_is_a_problem_and_no_error(person: Person) -> None:
    for name in (".claude/settings.json", ".codex/config.toml", ".codex/hooks.json"):
        person.write(name, "{ = ")
    assert person.look("claude-code").problems
    assert person.look("codex").problems


def test_hooks_that_a_host_has_switched_off_are_told(person: Person) -> None:
    person.install("claude-code", "gemini-cli")
    assert not person.look("claude-code").problems
    for name, text in (
        (".claude/settings.json", '{"disableAllHooks": true}'),
        (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
    ):
        person.write(name, text)
    assert "disableAllHooks" in person.look("claude-code").problems[0].said
    assert "hooksConfig.enabled" in person.look("gemini-cli").problems[0].said


ROOTS: list[tuple[str, str, str]] = [
    ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
    ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
    ("codex", "CODEX_HOME", "hooks.json"),
    ("copilot-cli", "COPILOT_HOME", "hooks/recollect.json"),
    ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ("cursor", "CURSOR_CONFIG_DIR", "hooks.json"),
    ("vscode", "XDG_CONFIG_HOME", "Code/User/mcp.json"),
    ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/recollect.js"),
    ("opencode", "OPENCODE_CONFIG_DIR", "plugins/recollect.js"),
    ("pi", "PI_CODING_AGENT_DIR", "extensions/recollect.ts"),
]


@pytest.mark.parametrize(("host", "variable", "name"), ROOTS)
def test_a_folder_that_the_user_moved_is_followed(person: Person, host: str, variable: str, name: str) -> None:
    moved = person.user / "moved"
    person.environ[variable] = str(moved)
    assert str(moved / name) in person.install(host)


def test_opencode_settings_with_comments_are_the_ones_that_are_edited(person: Person) -> None:
    path = person.write(".config/opencode/opencode.jsonc", '{\n  // mine\n  "theme": "x",\n}\n')
    person.install("opencode")
    assert "// mine" in path.read_text()
    assert "recollect-mcp" in path.read_text()
    assert not (person.user / ".config/opencode/opencode.json").exists()


def needs_packages(lock: Path) -> bool:
    """Would opencode run npm in this folder, and every plugin wait for it? The rule is that of opencode 1.18."""
    if not (lock.parent / "node_modules").exists() or not lock.exists():
        return True
    return "@opencode-ai/plugin" not in json.loads(lock.read_text())["packages"][""]["dependencies"]


@pytest.mark.parametrize("folder", [".config/opencode", ".opencode"])
def test_opencode_installs_no_package_for_our_plugin(person: Person, folder: str) -> None:
    (person.user / folder / "bin").mkdir(parents=True)
    before = person.snapshot()
    person.install("opencode")
    assert not needs_packages(person.user / folder / "package-lock.json")
    person.uninstall("opencode")
    assert person.snapshot() == before


@pytest.mark.parametrize(
    "theirs",
    ["package.json", "bun.lock", "package-lock.json", "plugin/a.ts", "plugins/a.js", "tool/a.ts", "tools/a.js"],
)
def test_opencode_installs_packages_where_anything_of_the_user_may_need_them(person: Person, theirs: str) -> None:
    path = person.write(f".config/opencode/{theirs}", "{}\n")
    before = person.snapshot()
    person.install("opencode")
    assert needs_packages(person.user / ".config/opencode/package-lock.json") or theirs == "package-lock.json"
    assert path.read_text() == "{}\n"
    person.uninstall("opencode")
    assert person.snapshot() == before


def test_a_plugin_that_opencodes_settings_name_may_need_packages(person: Person) -> None:
    person.write(".config/opencode/opencode.json", '{"plugin": ["./mine.ts"]}')
    person.install("opencode")
    assert needs_packages(person.user / ".config/opencode/package-lock.json")


def test_a_tool_that_comes_later_gets_its_packages_after_the_next_install_at_the_latest(person: Person) -> None:
    before = person.snapshot()
    person.install("opencode")
    tool = person.write(".config/opencode/tools/mine.ts", 'import { tool } from "@opencode-ai/plugin"\n')
    assert names(person.install("opencode"), person.user / ".config/opencode") == {
        "package-lock.json",
        "node_modules/.recollect",
    }
    assert not (person.user / ".config/opencode/node_modules").exists()
    assert needs_packages(person.user / ".config/opencode/package-lock.json")
    tool.unlink()
    tool.parent.rmdir()
    person.uninstall("opencode")
    assert person.snapshot() == before


def test_packages_that_opencode_installed_after_all_stay(person: Person) -> None:
    person.install("opencode")
    lock = person.write(".config/opencode/package-lock.json", '{"packages": {"": {"dependencies": {"zod": "4"}}}}')
    package = person.write(".config/opencode/node_modules/zod/package.json", "{}")
    person.uninstall("opencode")
    assert "zod" in lock.read_text()
    assert package.exists()
    assert not (package.parent.parent / ".recollect").exists()


def test_somebody_elses_file_under_our_name_is_left_alone(person: Person) -> None:
    person.write(".config/opencode/plugins/recollect.js", "export const mine = 1\n")
    with pytest.raises(FileError, match="not ours"):
        person.install("opencode")


def test_a_server_that_the_user_tuned_keeps_what_they_added(person: Person) -> None:
    person.install("cursor")
    path = person.user / ".cursor" / "mcp.json"
    document = json.loads(path.read_text())
    document["mcpServers"]["recollect"]["env"] = {"X": "1"}
    path.write_text(json.dumps(document))
    assert person.install("cursor") == []


def test_commands_name_the_host_only_where_no_other_host_reads_the_file(person: Person) -> None:
    site = Site(person.environ, "linux", person.home)
    for host in INSTALLABLE:
        for wanted in installer(host).files(site):
            for entry in wanted.entries:
                if entry.how == "item":
                    own = f"--host {host}" in json.dumps(entry.value)
                    assert own == (host in ("codex", "gemini-cli", "cursor")), (host, entry)


def test_hosts_on_this_machine_are_found_by_their_folder_or_program(person: Person) -> None:
    assert found_hosts(person.environ, person.home) == []
    (person.user / ".codex").mkdir()
    tool = person.write("bin/gemini", "#!/bin/sh\n")
    tool.chmod(0o755)
    assert found_hosts({**person.environ, "PATH": str(tool.parent)}, person.home) == ["codex", "gemini-cli"]
    with pytest.raises(UsageError, match="--agents-md"):
        installer("goose")


def test_a_block_in_agents_md_is_written_renewed_and_removed(person: Person) -> None:
    path = person.project / "AGENTS.md"
    path.write_bytes(b"# Rules\r\n\r\nBe kind.")
    before = person.snapshot()
    person.install("goose", "aider", block="## Memory\n\n- one")
    assert b"<!-- recollect:begin -->\r\n## Memory\r\n" in path.read_bytes()
    person.install("goose", block="## Memory\n\n- two")
    assert b"- two" in path.read_bytes()
    assert path.read_bytes().count(b"recollect:begin") == 1
    person.uninstall("goose")
    assert b"- two" in path.read_bytes(), "another host still wants it"
    person.uninstall("aider")
    assert person.snapshot() == before


def test_a_block_is_not_written_through_a_link_that_leaves_the_repository(person: Person, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text("# Somebody else's rules\n")
    (person.project / "AGENTS.md").symlink_to(elsewhere)
    with pytest.raises(Refused, match="leaves"):
        person.install("goose", block="## Memory\n\n- one")
    assert elsewhere.read_text() == "# Somebody else's rules\n"


@pytest.mark.parametrize("host", INSTALLABLE)
@pytest.mark.parametrize("what", ["file", "folder", "dead link"])
def test_nothing_of_a_project_is_written_through_a_link_that_leaves_it(
    host: str, what: str, person: Person, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    changes = plan([host], home=person.home, environ=person.environ, project=str(person.project))
    path = Path(changes[0].path)
    assert path.is_relative_to(person.project)
    if what == "folder" and path.parent != person.project:
        top = person.project / path.relative_to(person.project).parts[0]
        top.symlink_to(elsewhere)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        if what == "file":
            (elsewhere / "settings.json").write_text("{}")
        path.symlink_to(elsewhere / "settings.json")
    before = sorted((each.name, each.read_bytes()) for each in elsewhere.iterdir())
    with pytest.raises(Refused, match="leaves"):
        person.install(host, project=True)
    ensure_home(person.home.root)
    with pytest.raises(Refused, match="leaves"):
        write_files(changes, home=person.home)
    assert sorted((each.name, each.read_bytes()) for each in elsewhere.iterdir()) == before


def test_a_link_inside_the_project_is_followed(person: Person) -> None:
    (person.project / "settings").mkdir()
    (person.project / ".claude").symlink_to("settings")
    person.install("claude-code", project=True)
    assert "recollect-hook" in (person.project / "settings" / "settings.local.json").read_text()


def test_a_block_is_not_written_into_the_files_of_git(person: Person) -> None:
    config = person.project / ".git" / "config"
    config.parent.mkdir(exist_ok=True)
    config.write_text("[core]\n\tbare = false\n")
    (person.project / "AGENTS.md").symlink_to(".git/config")
    with pytest.raises(Refused, match="leads into"):
        person.install("goose", block="## Memory\n\n- one")
    assert config.read_text() == "[core]\n\tbare = false\n"


def test_the_mcp_launcher_starts_this_program_in_its_home(person: Person) -> None:
    os.makedirs(person.home.bin)
    launcher = ensure_mcp_launcher(person.home)
    assert os.access(launcher, os.X_OK)
    done = subprocess.run(
        [launcher, "--help"], capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "recollect mcp" in done.stdout


def test_on_the_command_line_the_difference_comes_first_and_consent_is_needed(cli: Run, tmp_path: Path) -> None:
    settings_file = tmp_path / "user" / ".claude" / "settings.json"
    settings_file.parent.mkdir(parents=True)
    settings_file.write_text('{\n  "env": {"API_KEY": "sk-ant-api03-' + "a1B2" * 23 + 'x-AA"}\n}\n')
    dry = cli("install", "claude-code", "--dry-run")
    assert dry.code == 0
    assert "+++ " in dry.out
    assert "a1B2a1B2" not in dry.out, "secrets around the change are covered"
    assert "recollect-hook" not in settings_file.read_text()
    refused = cli("install", "claude-code")
    assert refused.code == 1
    assert "--yes" in refused.err
    done = cli("install", "claude-code", "--yes", "--json")
    assert [change["action"] for change in done.json["changes"]] == ["change", "create"]
    assert "Nothing to do" in cli("install", "claude-code").out
    assert cli("install", "emacs").code in (1, 2)
    assert cli("install", "goose").code in (1, 2)
    assert cli("uninstall", "claude-code", "--yes").code == 0
    assert "recollect" not in settings_file.read_text()


def test_agents_md_holds_what_was_typed_about_this_repository(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    process(
        "recollect remember 'This repository uses pnpm. <!-- recollect:end -->' && recollect profile set About 'Works on build tools.'",
        repository,
        environ,
    )
    assert process("recollect install goose --agents-md --yes", repository, environ).code == 0
    text = (repository / "AGENTS.md").read_text()
    assert "uses pnpm" in text
    assert "Works on build tools" in text
    assert text.count("<!-- recollect:end -->") == 1
    assert len(text) < 3_000
    assert process("recollect install goose --agents-md --yes", repository, environ).out.startswith("Nothing to do")
    assert process("recollect uninstall goose --yes", repository, environ).code == 0
    assert not (repository / "AGENTS.md").exists()


def test_a_plan_for_removal_changes_nothing(person: Person) -> None:
    person.install("claude-code")
    before = person.snapshot()
    found = plan_removal(["claude-code"], home=person.home, environ=person.environ)
    assert [change.is_needed for change in found] == [True, True]
    assert person.snapshot() == before


def test_vs_code_gets_its_own_hooks_where_claude_code_was_moved_or_lost_them(person: Person) -> None:
    person.environ["CLAUDE_CONFIG_DIR"] = str(person.user / "moved")
    assert str(person.user / ".copilot" / "hooks" / "recollect.json") in person.install("claude-code", "vscode")
    del person.environ["CLAUDE_CONFIG_DIR"]
    person.uninstall("vscode")
    person.install("claude-code", "vscode")
    assert not (person.user / ".copilot").exists()
    (person.user / ".claude" / "settings.json").write_text("{}")
    assert str(person.user / ".copilot" / "hooks" / "recollect.json") in person.install("vscode")


def test_megabytes_of_a_host_come_back_byte_for_byte(person: Person) -> None:
    projects = {f"/srv/{n}": {"history": [{"display": f"prompt {m}"} for m in range(40)]} for n in range(800)}
    text = json.dumps({"numStartups": 9, "projects": projects}, indent=2)
    path = person.write(".claude.json", text)
    assert len(text) > 1_500_000
    person.install("claude-code")
    assert json.loads(path.read_text())["mcpServers"]["recollect"]
    person.uninstall("claude-code")
    assert path.read_text() == text


def test_when_the_disk_refuses_a_file_the_others_are_as_they_were(person: Person) -> None:
    person.write(".claude/settings.json", '{"model": "x"}')
    person.write(".claude.json", json.dumps({"projects": {str(n): "x" * 90 for n in range(3_000)}}))
    before = person.snapshot()
    environ = clean_environment(Path(person.home.root), person.user)
    assert process("recollect install claude-code --yes", person.project, environ).code == 0
    assert process("recollect uninstall claude-code --yes", person.project, environ).code == 0
    limit = "ulimit -f 128 && recollect install claude-code codex --yes"
    done = process(limit, person.project, environ)
    assert done.code == 1
    assert "disk is full" in done.err
    assert person.snapshot() == before


@pytest.mark.slow
def test_an_install_that_is_killed_at_any_moment_can_be_taken_back(tmp_path: Path) -> None:
    for number, milliseconds in enumerate((60, 180, 300, 480)):
        (tmp_path / str(number)).mkdir()
        person = Person(tmp_path / str(number))
        person.write(".claude/settings.json", '{\n    // mine\n    "model": "x"\n}')
        person.write(".codex/config.toml", 'model = "x"')
        before = person.snapshot()
        environ = clean_environment(Path(person.home.root), person.user)
        command = [RECOLLECT, "install", *INSTALLABLE, "--yes"]
        with subprocess.Popen(command, env=environ, cwd=person.project, stdout=subprocess.DEVNULL) as started:
            time.sleep(milliseconds / 1000)
            started.kill()
        for _ in range(2):
            assert process([RECOLLECT, "install", *INSTALLABLE[:3], "--yes"], person.project, environ).code == 0
        assert process("recollect uninstall all --yes", person.project, environ).code == 0
        after = {path: what for path, what in person.snapshot().items() if not path.endswith(".recollect-tmp")}
        assert after == before


def test_after_an_upgrade_the_next_command_renews_both_launchers(person: Person) -> None:
    environ = clean_environment(Path(person.home.root), person.user)
    assert process("recollect install claude-code --yes", person.project, environ).code == 0
    settings_text = (person.user / ".claude" / "settings.json").read_text()
    current = {path.name: path.read_text() for path in Path(person.home.bin).iterdir() if path.suffix in ("", ".py")}
    for name, text in current.items():
        (Path(person.home.bin) / name).write_text(
            text.replace(f"Written by Recollect {__version__}", "Written by Recollect 0.0.1")
        )
    assert process("recollect list", person.project, environ).code == 0
    for name in (HOOK_NAME, MCP_NAME):
        assert (Path(person.home.bin) / name).read_text() == current[name]
    assert process("recollect install claude-code", person.project, environ).out.startswith("Nothing to do")
    assert (person.user / ".claude" / "settings.json").read_text() == settings_text, "the command never changes"


@pytest.mark.parametrize(
    ("host", "path", "event"),
    [
        ("claude-code", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("cursor", ".cursor/hooks.json", "preToolUse"),
    ],
)
def test_the_hook_before_a_tool_is_for_tools_that_touch_files_and_doctor_misses_it(
    person: Person, host: str, path: str, event: str
) -> None:
    person.install(host)
    document = json.loads((person.user / path).read_text())
    [hook] = document["hooks"][event]
    assert "Read|" in hook["matcher"]
    del document["hooks"][event]
    assert person.look(host).problems == ()
    person.write(path, json.dumps(document))
    [problem] = person.look(host).problems
    assert f"no hook for {event}" in problem.said
