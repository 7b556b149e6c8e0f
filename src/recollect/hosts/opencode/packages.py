"""Why opencode installs nothing for our plugin, which needs no package.

In each of its folders of settings opencode installs `@opencode-ai/plugin` from npm, and every plugin waits for that:
most of a minute the first time, and longer without a network. It installs nothing where `node_modules` is there and the
lock names the package. Both are made here, but only where nothing else can need a package; the plugin takes them away
once something does."""

from __future__ import annotations

import json
import os

from recollect.hosts.installing import SHIM_MARK, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "opencode"
WHAT = "no packages"
LOCK_FILE = "package-lock.json"
EMPTY_FILE = os.path.join("node_modules", ".recollect")
WHY = f"{SHIM_MARK}, so that opencode does not wait for npm. Delete it if a tool or plugin of yours needs packages."
# The mark stands where npm writes anew, should it ever install something here: then the file is no longer ours.
_ROOT = {"description": WHY, "dependencies": {"@opencode-ai/plugin": "*"}}
LOCK = json.dumps({"lockfileVersion": 3, "requires": True, "packages": {"": _ROOT}}, indent=2) + "\n"
EMPTY = WHY + "\n"

PACKAGES = ("package.json", "bun.lock", "bun.lockb")
SETTINGS = ("opencode.json", "opencode.jsonc", "config.json")
CODE = ("plugin", "plugins", "tool", "tools")


def files(folders: Mapping[str, bool], plugin: str) -> list[Wanted]:
    """The two files of each folder, without a text where they are not to be. A folder comes with whether opencode reads
    it; `plugin` is the name of our own."""
    found = []
    for folder, is_read in folders.items():
        wanted = is_read and not needs_packages(folder, plugin) and (is_ours(folder) or _is_free(folder))
        for name, text in ((LOCK_FILE, LOCK), (EMPTY_FILE, EMPTY)):
            path = os.path.join(folder, name)
            found.append(Wanted(HOST, path, WHAT, kind="whole", text=text if wanted else ""))
    return found


def needs_packages(folder: str, plugin: str) -> bool:
    """May anything in this folder, besides our plugin, import a package?"""
    if any(os.path.lexists(os.path.join(folder, name)) for name in PACKAGES):
        return True
    if any(name != plugin for code in CODE for name in _names(os.path.join(folder, code))):
        return True
    return any('"plugin"' in _text(os.path.join(folder, name)) for name in SETTINGS)


def is_ours(folder: str) -> bool:
    """Do our files keep opencode from installing anything here?"""
    return SHIM_MARK in _text(os.path.join(folder, LOCK_FILE))


def _is_free(folder: str) -> bool:
    packages = os.path.join(folder, "node_modules")
    is_empty = os.path.isdir(packages) and not _names(packages)
    return not os.path.lexists(os.path.join(folder, LOCK_FILE)) and (is_empty or not os.path.lexists(packages))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
