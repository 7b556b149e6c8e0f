"""What an install puts into Cursor's files."""

from __future__ import annotations

import os

from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import SERVER, Entry, Site, Wanted, hook_entries

HOST = "cursor"
PROGRAM = "cursor"
TRUST = ""
EVENTS = (
    ("sessionStart", 10),
    ("beforeSubmitPrompt", 5),
    ("preToolUse", 5),
    ("preCompact", 10),
    ("stop", 10),
    ("sessionEnd", 5),
)
FILE_TOOLS = "Read|Write|Edit|Delete"


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("CURSOR_CONFIG_DIR") or os.path.join(site.user, ".cursor")


def files(site: Site) -> list[Wanted]:
    """Hooks and the MCP server, each in its file."""
    folder = site.below(".cursor") if site.project else root(site)
    commands = ((event, {"command": site.hook(HOST), "timeout": s}) for event, s in EVENTS)
    hooks = hook_entries(commands, nested=False, matchers={"preToolUse": FILE_TOOLS})
    server = {"command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    servers = os.path.join(folder, "mcp.json")
    return [
        Wanted(HOST, os.path.join(folder, "hooks.json"), "hooks", entries=(Entry("default", ("version",), 1), *hooks)),
        Wanted(HOST, servers, "MCP server", entries=(Entry("key", ("mcpServers", SERVER), server),)),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks; Claude Code's settings are among them."""
    found = [os.path.join(root(site), "hooks.json"), os.path.join(site.user, ".claude", "settings.json")]
    if project:
        found.append(os.path.join(project, ".cursor", "hooks.json"))
        found += [os.path.join(project, ".claude", name) for name in ("settings.json", "settings.local.json")]
    return found
