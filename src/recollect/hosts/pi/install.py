"""What an install puts into pi's files: a small extension that starts the hook, and the MCP server."""

from __future__ import annotations

import os

from recollect.files.launchers.hook_launcher import launcher_path
from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import SERVER, Entry, Site, Wanted
from recollect.shims import shim

HOST = "pi"
PROGRAM = "pi"
TRUST = "Extensions and servers of a project load once it is trusted in pi."
EXTENSION_FILE = "recollect.ts"


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("PI_CODING_AGENT_DIR") or os.path.join(site.user, ".pi", "agent")


def files(site: Site) -> list[Wanted]:
    """The extension as a file of its own; the server for versions of pi that speak MCP (0.99 and later)."""
    folder = site.below(".pi") if site.project else root(site)
    text = shim("pi.ts", launcher_path(site.home, platform=site.platform))
    server = {"command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    servers = os.path.join(folder, "mcp.json")
    return [
        Wanted(HOST, os.path.join(folder, "extensions", EXTENSION_FILE), "extension", kind="whole", text=text),
        Wanted(HOST, servers, "MCP server", entries=(Entry("key", ("mcpServers", SERVER), server),)),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every place of our extension."""
    folders = [root(site), *([os.path.join(project, ".pi")] if project else [])]
    return [os.path.join(folder, "extensions", EXTENSION_FILE) for folder in folders]
