"""A host that starts the server of a plugin starts it in the plugin's folder: that is no place to store anything in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from recollect import Recollect
from tests.conftest import git
from tests.mcp_clients import environment_of, over_stdio, said
from tests.paths import ROOT

FACT = {
    "subject": "package manager",
    "fact": "This repository uses pnpm.",
    "citations": ["README.md"],
    "reason": "npm breaks the lock file",
}
SESSION = "0c5ff9ab-1111-4222-8333-444455556666"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plugin as Copilot CLI installs it; its folder may lie inside a repository of its own."""
    folder = tmp_path / "user" / ".copilot" / "installed-plugins" / "recollect" / "recollect"
    shutil.copytree(ROOT / "plugin", folder)
    git(folder, "init", "-q")
    return folder


def store(plugin: Path, tmp_path: Path, **more: str):
    async def talk(client):
        return await client.call_tool("store_memory", FACT), await client.call_tool("memory_recall", {"query": "pnpm"})

    return over_stdio(plugin, environment_of(tmp_path, **more), "legacy", talk)


def test_the_session_of_copilot_leads_from_the_plugins_folder_to_the_repository(plugin, tmp_path, repository) -> None:
    state = tmp_path / "user" / ".copilot" / "session-state" / SESSION
    state.mkdir(parents=True)
    (state / "workspace.yaml").write_text(f"id: {SESSION}\ncwd: {repository}\nbranch: main\n")
    stored, found = store(plugin, tmp_path, COPILOT_AGENT_SESSION_ID=SESSION)
    assert not stored.is_error, said(stored)
    [entry] = found.structured_content["entries"]
    assert entry["citations"][0]["path"] == "README.md"
    with Recollect.open(folder=str(repository), environ=environment_of(tmp_path)) as memory:
        assert memory.entries.get(entry["id"]).repository == "github.com/owner/app"


@pytest.mark.parametrize("session", ["", SESSION, "../../etc"])
def test_a_plugin_that_cannot_tell_the_repository_stores_nothing_and_says_why(plugin, tmp_path, session) -> None:
    stored, found = store(plugin, tmp_path, COPILOT_AGENT_SESSION_ID=session)
    assert stored.is_error
    assert found.is_error
    assert "started in the folder of the plugin" in said(stored)
    assert "recollect install copilot-cli" in said(stored)
