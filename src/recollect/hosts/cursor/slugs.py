"""Folders of projects are named after the project's path with every separator as a dash: the disk says which it was."""

from __future__ import annotations

import os
import re

_MAX_LISTINGS = 300


def folder_of_slug(slug: str) -> str:
    """The one folder on this disk whose path makes this name; empty when there is none, or more than one."""
    words = _slug(slug)
    if not words:
        return ""
    roots = [("/", words)]
    drive = re.match(r"([A-Za-z])-(.+)", words)
    if os.name == "nt" and drive:
        roots = [(f"{drive[1].upper()}:\\", drive[2])]
    found: set[str] = set()
    budget = _MAX_LISTINGS
    while roots and budget > 0:
        budget -= 1
        folder, rest = roots.pop()
        for name in _folders_in(folder):
            part = _slug(name)
            if part and rest == part:
                found.add(os.path.join(folder, name))
            elif part and rest.startswith(f"{part}-"):
                roots.append((os.path.join(folder, name), rest[len(part) + 1 :]))
    return found.pop() if len(found) == 1 and not roots else ""


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_dir()]
    except OSError:
        return []
