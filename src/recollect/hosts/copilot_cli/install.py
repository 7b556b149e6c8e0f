"""What an install puts into Copilot CLI's files. VS Code reads the same hooks: the hook finds out who called."""

from __future__ import annotations

import os

from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import SERVER, Entry, Site, Wanted, hook_entries

HOST = "copilot-cli"
PROGRAM = "copilot"
TRUST = "Hooks of a project run once its folder is trusted in Copilot CLI."
HOOK_FILE = "recollect.json"
# Spelled like this, the fields come in camelCase; memory can only be added at userPromptTransformed.
EVENTS = (("sessionStart", 10), ("userPromptTransformed", 5), ("preCompact", 10), ("agentStop", 10), ("sessionEnd", 5))


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("COPILOT_HOME") or os.path.join(site.user, ".copilot")


def hook_file(site: Site) -> str:
    """A file of our own in the folder of hooks."""
    folder = site.below(".github", "hooks") if site.project else os.path.join(root(site), "hooks")
    return os.path.join(folder, HOOK_FILE)


def shared_entries(site: Site, events: tuple[tuple[str, int], ...]) -> tuple[Entry, ...]:
    """Hooks in the form that Copilot CLI and VS Code both read."""
    key = "powershell" if site.platform == "win32" else "bash"
    hooks = ((event, {"type": "command", key: site.hook(), "timeoutSec": seconds}) for event, seconds in events)
    return (Entry("default", ("version",), 1), *hook_entries(hooks, nested=False))


def files(site: Site) -> list[Wanted]:
    """Hooks in a file of our own, and the MCP server for this user or for the project."""
    command = mcp_launcher_path(site.home, platform=site.platform)
    # In a project the file is Claude Code's too, which knows no `tools` and calls the kind stdio.
    server: dict[str, object] = {"type": "stdio", "command": command, "args": []}
    if not site.project:
        server = {"type": "local", "command": command, "args": [], "tools": ["*"]}
    servers = site.below(".mcp.json") if site.project else os.path.join(root(site), "mcp-config.json")
    return [
        Wanted(HOST, hook_file(site), "hooks", entries=shared_entries(site, EVENTS)),
        Wanted(HOST, servers, "MCP server", entries=(Entry("key", ("mcpServers", SERVER), server),)),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks, as far as they can be ours."""
    found = [os.path.join(root(site), "hooks", HOOK_FILE)]
    if project:
        found.append(os.path.join(project, ".github", "hooks", HOOK_FILE))
        found += [os.path.join(project, ".claude", name) for name in ("settings.json", "settings.local.json")]
    return found
