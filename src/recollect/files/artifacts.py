"""Artifacts: MEMORY.md, memory_summary.md and skills of one project, files below the home. Nothing outside is read."""

from __future__ import annotations

import os
import re

from recollect.errors import FileError, NotFound, OutsideRoot
from recollect.files.trees import is_inside

TOP = ("MEMORY.md", "memory_summary.md")
SKILLS, SKILL = "skills", "SKILL.md"
SKILL_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
LARGEST_BYTES = 4_000_000


def project_folder(projects: str, repository: str) -> str:
    """Where the artifacts of a repository are: a readable name, and a hash so that no two share a folder."""
    import hashlib

    name = re.sub(r"[^a-z0-9]+", "-", repository.lower()).strip("-")[-40:].strip("-") or "user"
    return os.path.join(projects, f"{name}-{hashlib.sha256(repository.encode()).hexdigest()[:12]}")


def names(folder: str) -> list[str]:
    """The artifacts that exist, as paths with forward slashes."""
    found = [name for name in TOP if _is_file(folder, name)]
    skills = os.path.join(folder, SKILLS)
    for name in sorted(os.listdir(skills)) if os.path.isdir(skills) else []:
        path = f"{SKILLS}/{name}/{SKILL}"
        if SKILL_NAME.fullmatch(name) and _is_file(folder, path):
            found.append(path)
    return found


def read(folder: str, name: str) -> str:
    """The text of an artifact. NotFound when there is none, OutsideRoot when its path leads elsewhere."""
    parts = name.split("/")
    is_skill = len(parts) == 3 and parts[0] == SKILLS and SKILL_NAME.fullmatch(parts[1]) and parts[2] == SKILL
    if name not in TOP and not is_skill:
        raise NotFound(f"There is no artifact of the name {name[:80]!r}; memory://root lists what there is.")
    path = os.path.join(folder, *parts)
    if not os.path.exists(path):
        raise NotFound(f"{name} has not been written for this project yet.")
    if not is_inside(os.path.realpath(folder), os.path.realpath(path)):
        raise OutsideRoot(f"{name} leads out of its folder; it is not read.")
    try:
        with open(path, "rb") as file:
            return file.read(LARGEST_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise FileError(f"{name} could not be read: {error.strerror or error}.") from error


def _is_file(folder: str, name: str) -> bool:
    path = os.path.join(folder, *name.split("/"))
    return os.path.isfile(path) and is_inside(os.path.realpath(folder), os.path.realpath(path))
