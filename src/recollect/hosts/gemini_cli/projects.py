"""Which folder a Gemini CLI session belongs to: the log does not say, its place does."""

from __future__ import annotations

import hashlib
import os

from recollect.hosts.reading import dict_of, read_head, read_whole


def project_root(path: str) -> str:
    """The root of the project whose folder in `tmp/` holds this log; empty when nothing names it."""
    folder = os.path.dirname(os.path.abspath(path))
    while os.path.basename(folder) != "chats":
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    project = os.path.dirname(folder)
    noted = read_head(os.path.join(project, ".project_root")).decode("utf-8", "replace").strip()
    return noted or _listed(os.path.dirname(os.path.dirname(project)), os.path.basename(project))


def parent_session(path: str) -> str:
    """The session that started the sub-agent whose log this is: its folder's name."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    return "" if folder == "chats" else folder


def _listed(home: str, short: str) -> str:
    """The root that the host's list maps to this short id, or whose hash it is."""
    listed = read_whole(os.path.join(home, "projects.json"))
    projects = dict_of(listed.get("projects")) if isinstance(listed, dict) else {}
    for root, name in projects.items():
        if name == short or hashlib.sha256(root.encode("utf-8", "replace")).hexdigest() == short:
            return root
    return ""
