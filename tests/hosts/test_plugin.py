"""The plugin folder: what five hosts find in it, held against what they publish and against `recollect install`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from recollect.files.home import Home
from recollect.flows.setup.install import apply, plan
from recollect.hosts.claude_code import install as claude_code
from recollect.hosts.codex import install as codex
from recollect.hosts.copilot_cli import install as copilot_cli
from recollect.hosts.cursor import install as cursor
from recollect.hosts.gemini_cli import install as gemini_cli
from recollect.version import __version__
from tests.command_line import clean_environment, process
from tests.host_schemas import CLAUDE_MARKETPLACE, CLAUDE_PLUGIN, CLAUDE_SETTINGS, COPILOT, GEMINI, HostTypes
from tests.paths import ROOT

PLUGIN = ROOT / "plugin"
MANIFESTS = (".claude-plugin/plugin.json", ".github/plugin/plugin.json", ".cursor-plugin/plugin.json")
HOOK_FILES = ("hooks/hooks.json", "hooks/copilot.json", "hooks/cursor.json")


def read(name: str, folder: Path = PLUGIN) -> Any:
    return json.loads((folder / name).read_text())


def commands(document: Any) -> list[str]:
    found = []
    for groups in document["hooks"].values():
        for group in groups:
            found += [handler["command"] for handler in group.get("hooks", [group])]
    return found


@pytest.mark.parametrize("name", MANIFESTS)
def test_every_manifest_says_the_same_and_what_it_names_is_there(name: str) -> None:
    manifest = read(name)
    first = read(MANIFESTS[0])
    assert {key: manifest[key] for key in first} == first
    assert manifest["version"] == __version__
    assert re.fullmatch(r"[a-z0-9-]{1,64}", manifest["name"])
    for key in ("hooks", "skills", "mcpServers"):
        if key in manifest:
            assert manifest[key].startswith("./")
            assert (PLUGIN / manifest[key]).exists()


def test_the_manifests_fit_what_claude_code_publishes(host_types: HostTypes) -> None:
    assert host_types.errors(CLAUDE_PLUGIN, "ClaudeCodePluginManifest", read(MANIFESTS[0])) == []
    hooks = read("hooks/hooks.json")["hooks"]
    with_hooks = {**read(MANIFESTS[0]), "hooks": hooks, "mcpServers": read(".mcp.json")["mcpServers"]}
    assert host_types.errors(CLAUDE_PLUGIN, "ClaudeCodePluginManifest", with_hooks) == []
    assert host_types.errors(CLAUDE_SETTINGS, "ClaudeCodeSettings", {"hooks": hooks}) == []
    for folder in (ROOT, PLUGIN):
        market = read(".claude-plugin/marketplace.json", folder)
        assert host_types.errors(CLAUDE_MARKETPLACE, "ClaudeCodePluginMarketplace", market) == []
    assert host_types.errors(CLAUDE_PLUGIN, "ClaudeCodePluginManifest", {"version": "1"}), "the check itself works"


@pytest.mark.parametrize("folder", [ROOT, PLUGIN])
def test_a_marketplace_leads_to_the_plugin(folder: Path) -> None:
    market = read(".claude-plugin/marketplace.json", folder)
    (entry,) = market["plugins"]
    assert entry["version"] == __version__
    manifest = read(MANIFESTS[0], folder / entry["source"])
    assert manifest["name"] == entry["name"]
    assert manifest["description"] == entry["description"]


def test_the_plugin_hooks_the_same_events_as_an_install() -> None:
    for name, host in zip(HOOK_FILES, (claude_code, copilot_cli, cursor), strict=True):
        assert list(read(name)["hooks"]) == [event for event, _ in host.EVENTS]
    # Codex reads the first file too, and rejects keys it does not know and more than three seconds at the end.
    shared = read(HOOK_FILES[0])
    assert set(shared) <= {"description", "hooks"}
    assert set(shared["hooks"]) <= set(codex.LABELS)
    assert shared["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] <= 3


def test_the_plugin_calls_what_the_command_line_has(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "user").mkdir()
    environ = clean_environment(tmp_path / "home", tmp_path / "user")
    assert set(commands(read(HOOK_FILES[0]))) == {"recollect hook"}
    assert set(commands(read(HOOK_FILES[1]))) == {"recollect hook --host copilot-cli"}
    assert set(commands(read(HOOK_FILES[2]))) == {"recollect hook --host cursor"}
    for name in HOOK_FILES:
        done = process(commands(read(name))[0], repository, environ, stdin="{}")
        assert done.code == 0
        assert isinstance(json.loads(done.out), dict)
    server = read(".mcp.json")["mcpServers"]["recollect"]
    assert process([server["command"], *server["args"], "--help"], repository, environ).code == 0


def test_the_skill_is_portable_and_names_only_what_exists() -> None:
    (path,) = PLUGIN.glob("skills/*/SKILL.md")
    _, front, body = path.read_text().split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.strip().splitlines())
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert fields["name"] == path.parent.name
    assert len(fields["description"]) <= 1024
    tools = {"memory_recall", "memory_read", "memory_write", "store_memory", "vote_memory"}
    assert set(re.findall(r"`((?:memory|store|vote)_\w+)`", body)) == tools
    from recollect.doors.cli.tree import COMMANDS

    assert set(re.findall(r"`recollect (\w+)", body)) <= set(COMMANDS)


def test_the_plugin_holds_no_path_of_a_machine() -> None:
    for path in [*PLUGIN.rglob("*"), ROOT / ".claude-plugin" / "marketplace.json"]:
        if path.is_file():
            assert not re.search(r"/(home|Users|root|work)/", path.read_text()), path


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A user folder into which every host was installed."""
    user = tmp_path / "user"
    user.mkdir()
    home = Home(str(tmp_path / "home"))
    for host in ("claude-code", "copilot-cli", "gemini-cli"):
        apply(plan([host], home=home, environ={"HOME": str(user)}), home=home)
    return user


def test_what_an_install_writes_fits_what_the_hosts_publish(installed: Path, host_types: HostTypes) -> None:
    settings = read(".claude/settings.json", installed)
    assert host_types.errors(CLAUDE_SETTINGS, "ClaudeCodeSettings", settings) == []
    server = read(".copilot/mcp-config.json", installed)["mcpServers"]["recollect"]
    assert host_types.errors(COPILOT, "MCPStdioServerConfig", server) == []
    gemini = read(".gemini/settings.json", installed)["hooks"]
    assert set(gemini) == {event for event, _ in gemini_cli.EVENTS}
    for groups in gemini.values():
        for group in groups:
            assert host_types.errors(GEMINI, "HookDefinition", group) == []


def test_the_events_of_an_install_are_events_of_the_hosts(host_types: HostTypes) -> None:
    for event, _ in gemini_cli.EVENTS:
        assert host_types.errors(GEMINI, "HookEventName", event) == []
    assert host_types.errors(GEMINI, "HookEventName", "BeforeAgents")
    hooks: dict[str, list[object]] = {event: [] for event, _ in claude_code.EVENTS}
    assert host_types.errors(CLAUDE_SETTINGS, "ClaudeCodeSettings", {"hooks": hooks}) == []
    source = "\n".join(
        f'/** @type {{import("{COPILOT}").SessionHooks["on{event[0].upper()}{event[1:]}"]}} */ let {event}'
        for event in ("sessionStart", "userPromptTransformed", "agentStop", "sessionEnd")
    )
    assert host_types.errors_in(source) == []
