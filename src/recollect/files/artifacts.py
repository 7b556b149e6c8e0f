"""Artifacts: MEMORY.md, memory_summary.md and skills of one project. A folder per version, and one pointer.

Nothing outside is read, no link is followed, and the pointer is the only thing that is ever replaced."""

from __future__ import annotations

import os
import re
import time

from recollect.errors import FileError, NotFound, OutsideRoot
from recollect.files.trees import is_inside
from recollect.files.writing import STALE_SECONDS, make_private_directory, sync_directory, translated, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

TOP = ("MEMORY.md", "memory_summary.md")
SKILLS, SKILL = "skills", "SKILL.md"
BASELINE = "baseline.json"
VERSIONS, CURRENT, CLEARED = "versions", "current", "cleared"
SKILL_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
LARGEST_BYTES = 4_000_000
_VERSION = re.compile(r"\d{6,12}")
_STAGED = ".staged-"
MENDS = "`recollect memory rebuild --now` repairs it."


def project_folder(projects: str, repository: str) -> str:
    """Where the artifacts of a repository are: a readable name, and a hash so that no two share a folder."""
    import hashlib

    name = re.sub(r"[^a-z0-9]+", "-", repository.lower()).strip("-")[-40:].strip("-") or "user"
    return os.path.join(projects, f"{name}-{hashlib.sha256(repository.encode()).hexdigest()[:12]}")


# -- reading


def version(project: str, pointer: str = CURRENT) -> str:
    """The version that a pointer names; empty when there is none."""
    path = os.path.join(project, pointer)
    if os.path.islink(path):
        raise OutsideRoot(f"{path} is a link; nothing is read. {MENDS}")
    try:
        name = _read(path).strip()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise FileError(f"{path} could not be read: {error.strerror or error}.") from error
    if not _VERSION.fullmatch(name):
        raise OutsideRoot(f"{path} is damaged and does not name a version. {MENDS}")
    return name


def current_folder(project: str) -> str:
    """The folder of the current version; the project's own, where files were put into it by hand."""
    name = version(project)
    _require_no_link(project, name)
    return version_folder(project, name) if name else project


def _require_no_link(project: str, name: str) -> None:
    """Nobody leads us out of the folder of a project, or to another one's, by a link on the way to a version."""
    versions = os.path.join(project, VERSIONS)
    for path in (project, versions, *((os.path.join(versions, name),) if name else ())):
        if os.path.islink(path):
            raise OutsideRoot(f"{path} is a link; nothing is read or written there.")


def version_folder(project: str, name: str) -> str:
    """The folder of a version."""
    return os.path.join(project, VERSIONS, name)


def has_version(project: str, name: str) -> bool:
    """Is this version still there?"""
    folder = version_folder(project, name)
    return bool(_VERSION.fullmatch(name)) and os.path.isdir(folder) and not os.path.islink(folder)


def names(folder: str) -> list[str]:
    """The artifacts that exist, as paths with forward slashes. FileError when a folder cannot be listed: that is not
    the same as an empty one."""
    found = [name for name in TOP if _is_file(folder, name)]
    try:
        listed = sorted(os.listdir(os.path.join(folder, SKILLS)))
    except (FileNotFoundError, NotADirectoryError):
        listed = []
    except OSError as error:
        raise FileError(f"{folder} cannot be listed: {error.strerror or error}.") from error
    for name in listed:
        path = f"{SKILLS}/{name}/{SKILL}"
        if SKILL_NAME.fullmatch(name) and _is_file(folder, path):
            found.append(path)
    return found


def read(folder: str, name: str) -> str:
    """The text of an artifact. NotFound when there is none, OutsideRoot when its path leads elsewhere."""
    parts = name.split("/")
    is_skill = len(parts) == 3 and parts[0] == SKILLS and SKILL_NAME.fullmatch(parts[1]) and parts[2] == SKILL
    if name not in (*TOP, BASELINE) and not is_skill:
        raise NotFound(f"There is no artifact named {name[:80]!r}; memory://root lists them.")
    path = os.path.join(folder, *parts)
    if not os.path.lexists(path):
        raise NotFound(f"{name} has not been written for this project yet.")
    if not _is_confined(folder, parts):
        raise OutsideRoot(f"{name} leads out of its folder; it is not read.")
    try:
        return _read(path)
    except OSError as error:
        raise FileError(f"{name} could not be read: {error.strerror or error}.") from error


def read_all(folder: str) -> dict[str, str]:
    """Every artifact by name, and the baseline where there is one."""
    found = [*names(folder), *([BASELINE] if _is_file(folder, BASELINE) else [])]
    return {name: read(folder, name) for name in found}


def every_text(project: str) -> list[str]:
    """What stands in any version that is still there."""
    folders = [version_folder(project, name) for name in _versions(project) if has_version(project, name)]
    return [text for folder in folders for name, text in read_all(folder).items() if name != BASELINE]


# -- publishing


def stage(project: str, files: Mapping[str, str]) -> str:
    """Write a whole set beside the versions; returns its folder. On a failure nothing is left of it."""
    _require_no_link(project, "")
    staged = os.path.join(project, VERSIONS, _STAGED + os.urandom(6).hex())
    make_private_directory(staged)
    try:
        for name, text in files.items():
            write_atomic(staged, name, text)
    except BaseException:
        discard(staged)
        raise
    return staged


def publish(project: str, staged: str) -> str:
    """Let a staged set be the current one; returns its version. Until the pointer is replaced, the old one is."""
    versions = os.path.join(project, VERSIONS)
    try:
        name = f"{max([0, *(int(one) for one in _versions(project))]) + 1:06}"
        os.rename(staged, os.path.join(versions, name))
        sync_directory(versions)
        point(project, name)
    except OSError as error:
        discard(staged)
        raise translated(error, versions) from error
    return name


def point(project: str, name: str, pointer: str = CURRENT) -> None:
    """Let a pointer name this version, in one step. A file, not a link: a home that is copied keeps its own."""
    write_atomic(project, pointer, name + "\n")


def put_away(project: str) -> None:
    """Nothing is current any more; what was can be brought back."""
    name = version(project)
    if name:
        point(project, name, CLEARED)
        _remove(os.path.join(project, CURRENT))


def bring_back(project: str) -> bool:
    """What was put away is current again; False when there is nothing."""
    name = version(project, CLEARED)
    if not has_version(project, name):
        return False
    point(project, name)
    _remove(os.path.join(project, CLEARED))
    return True


def mend(project: str) -> None:
    """Forget pointers that are damaged: the newest version is current then, where there is one. For whoever writes
    everything anew, or clears it."""
    for pointer in (CURRENT, CLEARED):
        try:
            version(project, pointer)
        except OutsideRoot:
            _remove(os.path.join(project, pointer))
            there = [name for name in _versions(project) if has_version(project, name)]
            if pointer == CURRENT and there:
                point(project, max(there))


def prune(project: str, *, keep: tuple[str, ...]) -> None:
    """Remove versions that are neither current nor kept for undo, and what a killed process staged.

    Nothing is removed when the folder cannot be listed, or nothing says what is current."""
    held = {*filter(None, (version(project), *keep))}
    if not held:
        return
    try:
        listed = os.listdir(os.path.join(project, VERSIONS))
    except OSError:
        return
    for name in listed:
        path = os.path.join(project, VERSIONS, name)
        if (_VERSION.fullmatch(name) and name not in held) or (name.startswith(_STAGED) and _is_stale(path)):
            discard(path)


def forget_cleared(project: str) -> None:
    """What was put away can no longer be brought back."""
    name = version(project, CLEARED)
    if name:
        if name != version(project):
            discard(version_folder(project, name))
        _remove(os.path.join(project, CLEARED))
    if not version(project):
        for name in _versions(project):
            discard(version_folder(project, name))


def discard(folder: str) -> None:
    """Remove a folder of ours; what cannot be removed is left for the next pass."""
    import shutil  # not above: a hook reads artifacts, and removes none

    shutil.rmtree(folder, ignore_errors=True)


def _versions(project: str) -> list[str]:
    try:
        listed = os.listdir(os.path.join(project, VERSIONS))
    except FileNotFoundError:
        return []
    return [name for name in listed if _VERSION.fullmatch(name)]


def _is_stale(path: str) -> bool:
    """Was it left by somebody who is long gone?"""
    try:
        return time.time() - os.lstat(path).st_mtime > STALE_SECONDS
    except OSError:
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise translated(error, path) from error


def _read(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(LARGEST_BYTES).decode("utf-8", "replace")


def _is_confined(folder: str, parts: list[str]) -> bool:
    """Inside by its name and in fact, with no link on the way."""
    path = folder
    for part in parts:
        path = os.path.join(path, part)
        if os.path.islink(path):
            return False
    return is_inside(os.path.realpath(folder), os.path.realpath(path))


def _is_file(folder: str, name: str) -> bool:
    parts = name.split("/")
    return os.path.isfile(os.path.join(folder, *parts)) and _is_confined(folder, parts)
