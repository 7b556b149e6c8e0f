"""What an install puts into Claude Code's files. Other hosts read its settings too: the hook finds out who called."""

from __future__ import annotations

import os

from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import FILE_TOOLS, SERVER, Entry, Site, Wanted, hook_entries

HOST = "claude-code"
PROGRAM = "claude"
TRUST = ""
EVENTS = (
    ("SessionStart", 10),
    ("UserPromptSubmit", 5),
    ("PreToolUse", 5),
    ("PreCompact", 10),
    ("Stop", 10),
    ("SessionEnd", 5),
)


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(site.user, ".claude")


def settings(site: Site) -> str:
    """The file with the hooks. In a project the personal one: the command names a path of this machine."""
    return site.below(".claude", "settings.local.json") if site.project else os.path.join(root(site), "settings.json")


def files(site: Site) -> list[Wanted]:
    """Hooks, and the MCP server for this user or for the project."""
    command = site.hook()
    commands = ((event, {"type": "command", "command": command, "timeout": s}) for event, s in EVENTS)
    hooks = hook_entries(commands, matchers={"PreToolUse": FILE_TOOLS})
    server = {"type": "stdio", "command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    return [
        Wanted(HOST, settings(site), "hooks", entries=hooks),
        Wanted(HOST, _servers(site), "MCP server", entries=(Entry("key", ("mcpServers", SERVER), server),)),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks."""
    own = [os.path.join(root(site), "settings.json")]
    names = ("settings.json", "settings.local.json") if project else ()
    return own + [os.path.join(project, ".claude", name) for name in names]


def _servers(site: Site) -> str:
    if site.project:
        return site.below(".mcp.json")
    return os.path.join(site.environ.get("CLAUDE_CONFIG_DIR") or site.user, ".claude.json")
