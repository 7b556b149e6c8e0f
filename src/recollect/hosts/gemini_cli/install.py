"""What an install puts into Gemini CLI's settings."""

from __future__ import annotations

import os

from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import SERVER, Entry, Site, Wanted, hook_entries

HOST = "gemini-cli"
PROGRAM = "gemini"
TRUST = "Hooks of a project run once its folder is trusted in Gemini CLI."
# Gemini CLI counts in milliseconds.
EVENTS = (
    ("SessionStart", 10_000),
    ("BeforeAgent", 5_000),
    ("PreCompress", 10_000),
    ("AfterAgent", 10_000),
    ("SessionEnd", 5_000),
)


def root(site: Site) -> str:
    """The folder of settings."""
    return os.path.join(site.environ.get("GEMINI_CLI_HOME") or site.user, ".gemini")


def files(site: Site) -> list[Wanted]:
    """Hooks and the MCP server, both in the settings."""
    path = site.below(".gemini", "settings.json") if site.project else os.path.join(root(site), "settings.json")
    hooks = hook_entries(
        (event, {"type": "command", "name": SERVER, "command": site.hook(HOST), "timeout": milliseconds})
        for event, milliseconds in EVENTS
    )
    server = {"command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    return [
        Wanted(HOST, path, "hooks", entries=hooks),
        Wanted(HOST, path, "MCP server", entries=(Entry("key", ("mcpServers", SERVER), server),)),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks."""
    folders = [root(site), *([os.path.join(project, ".gemini")] if project else [])]
    return [os.path.join(folder, "settings.json") for folder in folders]
