"""VS Code and the editors made from it: where they keep a user's data, and which folder a window had open."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from recollect.hosts.reading import dict_of, home_in, read_whole, str_of
from recollect.model.sessions import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def user_folders(names: Iterable[str], environ: Mapping[str, str], platform: str) -> list[str]:
    """The `User` folders of editors by the name of their data folder."""
    home = home_in(environ, platform)
    if platform == "win32":
        roots = [environ.get("APPDATA") or (os.path.join(home, "AppData", "Roaming") if home else "")]
    elif platform == "darwin":
        roots = [os.path.join(home, "Library", "Application Support") if home else ""]
    else:
        roots = [environ.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")]
        if home:
            # Flatpak keeps a config folder of its own.
            roots.append(os.path.join(home, ".var", "app", "com.visualstudio.code", "config"))
    return [os.path.join(root, name, "User") for root in roots if root for name in names]


def server_folders(names: Iterable[str], environ: Mapping[str, str], platform: str) -> list[str]:
    """The `User` folders on a machine that an editor reaches over the network, by their name below the home folder."""
    home = home_in(environ, platform)
    return [os.path.join(home, name, "data", "User") for name in names] if home else []


def folder_of_window(storage: str) -> str:
    """The folder that a window had open, from the `workspace.json` in its storage folder; empty when not one folder."""
    described = read_whole(os.path.join(storage, "workspace.json"))
    if isinstance(described, Skipped):
        return ""
    return path_in_uri(str_of(described.get("folder")) or str_of(dict_of(described.get("folder")).get("path")))


def path_in_uri(uri: str) -> str:
    """The path in a file or remote address of VS Code, as the machine where the folder is spells it."""
    found = re.match(r"(?P<scheme>[A-Za-z][\w+.-]*)://(?P<host>[^/]*)(?P<path>/.*)?$", uri)
    if found is None:
        return uri if os.path.isabs(uri) else ""
    host, path = unquote(found["host"]), unquote(found["path"] or "")
    if found["scheme"] == "file" and host.lower() in ("wsl.localhost", "wsl$"):
        return "/" + "/".join(path.split("/")[2:])
    if found["scheme"] == "file" and host:
        return f"\\\\{host}" + path.replace("/", "\\")
    if re.match(r"/[A-Za-z]:(/|$)", path) and found["scheme"] == "file":
        return path[1].upper() + path[2:].replace("/", "\\")
    if found["scheme"] in ("file", "vscode-remote", "vscode-vfs"):
        return path.rstrip("/") or path
    return ""
