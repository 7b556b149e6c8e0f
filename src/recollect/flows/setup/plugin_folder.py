"""Where a server works that was started in the folder of our plugin: where the session of the host does, or nowhere."""

from __future__ import annotations

import json
import os
import sys

from recollect.errors import Refused
from recollect.hosts.copilot_cli.logs import session_folder
from recollect.settings import agent_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = os.path.join(".claude-plugin", "plugin.json")
NAME = "recollect"
UNKNOWN = (
    "The server was started in the folder of the plugin and cannot tell which repository this session works in, so "
    "nothing was read or stored; the user can run `recollect install copilot-cli` and remove the plugin."
)


def working_folder(folder: str, environ: Mapping[str, str]) -> str:
    """The folder to work in for a server that was started in this one; Refused when that is the plugin's own, and the
    session in the environment leads nowhere."""
    if not is_plugin(folder):
        return folder
    found = session_folder(agent_session(environ), environ, sys.platform)
    if not found:
        raise Refused(UNKNOWN)
    return found


def is_plugin(folder: str) -> bool:
    """Is this the folder of our plugin?"""
    try:
        with open(os.path.join(folder, MANIFEST), encoding="utf-8") as file:
            manifest = json.load(file)
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("name") == NAME
