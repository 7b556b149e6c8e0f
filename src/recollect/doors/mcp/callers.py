"""Who calls: the client's name, the host it stands for, and the folder it works in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME = 60
# What clients call themselves, in lower case, by how the name begins; the longer beginnings first.
HOSTS = (
    ("claude-code", "claude-code"),
    ("claude code", "claude-code"),
    ("codex", "codex"),
    ("copilot", "copilot-cli"),
    ("github-copilot", "copilot-cli"),
    ("github copilot", "copilot-cli"),
    ("gemini-cli", "gemini-cli"),
    ("cursor", "cursor"),
    ("visual studio code", "vscode"),
    ("vscode", "vscode"),
    ("opencode", "opencode"),
    ("pi-coding-agent", "pi"),
    ("goose", "goose"),
    ("cline", "cline"),
)


class Caller(Record):
    """One client, as its calls are understood."""

    client: str = ""
    host: str = ""
    folder: str = ""


def host_of(client: str) -> str:
    """The host that a client's name stands for; empty for one we do not know."""
    name = client.strip().lower()
    return next((host for beginning, host in HOSTS if name.startswith(beginning)), "")


def printable(name: str) -> str:
    """A client's name for a line that a person reads: short, and in one line."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())[:LONGEST_NAME]


def folder_of(roots: Sequence[str]) -> str:
    """The first of the client's roots that is a folder here; empty when none is."""
    return next((folder for folder in map(_path, roots) if folder), "")


def _path(address: str) -> str:
    """The folder that a file address names; empty for any other address, and for what is not a folder here."""
    try:
        parts = urlsplit(address)
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            return ""
        path = url2pathname(parts.path) if os.name == "nt" else unquote(parts.path)
        return os.path.abspath(path) if os.path.isabs(path) and os.path.isdir(path) else ""
    except (ValueError, OSError):
        return ""
