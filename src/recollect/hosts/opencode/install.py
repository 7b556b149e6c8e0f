"""What an install puts into opencode's files: a small plugin that starts the hook, the MCP server, and what keeps it
from installing packages for a plugin that needs none."""

from __future__ import annotations

import os

from recollect.files.launchers.hook_launcher import launcher_path
from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import SERVER, Entry, Site, Wanted
from recollect.hosts.opencode import packages
from recollect.shims import shim

HOST = "opencode"
PROGRAM = "opencode"
TRUST = ""
PLUGIN_FILE = "recollect.js"


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("OPENCODE_CONFIG_DIR") or _usual_root(site)


def files(site: Site) -> list[Wanted]:
    """The plugin as a file of its own; the server in the settings, of which there may be two spellings."""
    plugins = site.below(".opencode", "plugins") if site.project else os.path.join(root(site), "plugins")
    text = shim("opencode.js", launcher_path(site.home, platform=site.platform))
    server = {"type": "local", "command": [mcp_launcher_path(site.home, platform=site.platform)], "enabled": True}
    return [
        Wanted(HOST, os.path.join(plugins, PLUGIN_FILE), "plugin", kind="whole", text=text),
        Wanted(HOST, _config(site), "MCP server", entries=(Entry("key", ("mcp", SERVER), server),)),
        *packages.files(_folders(site), PLUGIN_FILE),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every place of our plugin."""
    folders = [root(site), *([os.path.join(project, ".opencode")] if project else [])]
    return [os.path.join(folder, "plugins", PLUGIN_FILE) for folder in folders]


def held_up(site: Site, project: str) -> list[str]:
    """Folders where something may need packages that our files keep opencode from installing."""
    folders = [*_folders(site), *([os.path.join(project, ".opencode")] if project else [])]
    return [path for path in folders if packages.is_ours(path) and packages.needs_packages(path, PLUGIN_FILE)]


def _folders(site: Site) -> dict[str, bool]:
    """The folders where opencode installs packages, and whether it reads each; those of a project are the project's."""
    if site.project:
        return {site.below(".opencode"): True}
    programs = os.path.join(site.user, ".opencode")
    return {_usual_root(site): True, root(site): True, programs: os.path.isdir(programs)}


def _usual_root(site: Site) -> str:
    config = site.environ.get("XDG_CONFIG_HOME") or os.path.join(site.user, ".config")
    return os.path.join(config, "opencode")


def _config(site: Site) -> str:
    if not site.project and site.environ.get("OPENCODE_CONFIG"):
        return site.environ["OPENCODE_CONFIG"]
    folder = site.project or root(site)
    with_comments = os.path.join(folder, "opencode.jsonc")
    return with_comments if os.path.exists(with_comments) else os.path.join(folder, "opencode.json")
