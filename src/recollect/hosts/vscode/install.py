"""What an install puts into VS Code's files. It runs the hooks of Claude Code and of Copilot CLI too, so that its own
are only written where theirs are not: into Copilot's folder, under the names that VS Code gives them."""

from __future__ import annotations

import os

from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.copilot_cli import install as copilot_cli
from recollect.hosts.installing import SERVER, Entry, Site, Wanted
from recollect.hosts.workspaces import user_folders

HOST = "vscode"
PROGRAM = "code"
TRUST = "Hooks run once the folder is trusted in VS Code."
EDITORS = ("Code", "Code - Insiders", "VSCodium")
# The first in Copilot's spelling, which VS Code reads as its own: one entry serves both.
EVENTS = (("sessionStart", 10), ("PreCompact", 10), ("Stop", 10))


def root(site: Site) -> str:
    """The profile of the editor that is there, or the one that is most common."""
    folders = user_folders(EDITORS, site.environ, site.platform)
    return next((folder for folder in folders if os.path.isdir(folder)), folders[0] if folders else "")


def files(site: Site) -> list[Wanted]:
    """The MCP server, and hooks where Claude Code's settings have none."""
    found = []
    if not site.hooked.intersection(claude_files(site, site.project)):
        entries = copilot_cli.shared_entries(site, EVENTS)
        found.append(Wanted(HOST, copilot_cli.hook_file(site), "hooks", entries=entries))
    server = {"type": "stdio", "command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    servers = site.below(".vscode", "mcp.json") if site.project else os.path.join(root(site), "mcp.json")
    return [*found, Wanted(HOST, servers, "MCP server", entries=(Entry("key", ("servers", SERVER), server),))]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks, as far as they can be ours."""
    return list(dict.fromkeys([*claude_files(site, project), *copilot_cli.reads(site, project)]))


def claude_files(site: Site, project: str) -> list[str]:
    """Claude Code's settings, where other hosts look for them: wherever Claude Code itself may have been moved to."""
    names = ("settings.json", "settings.local.json") if project else ()
    own = os.path.join(site.user, ".claude", "settings.json")
    return [own, *(os.path.join(project, ".claude", name) for name in names)]
