"""What the default branch holds at a path, read from `.git` as files: bounded, so that a turn may ask."""

from __future__ import annotations

import os

from recollect.files.git.config import main_remote, read_settings
from recollect.files.git.objects import BLOB, TREE, Objects
from recollect.files.git.refs import commit_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.model.repositories import Repository

_FOLDER, _SUBMODULE, _LINK = b"40000", b"160000", b"120000"
_FAILURES = (OSError, ValueError, IndexError, RecursionError)


def default_refs(repository: Repository) -> list[str]:
    """What the default branch is called, as last fetched and here; nothing where that is not known."""
    if not repository.common_directory or not repository.default_branch:
        return []
    remote, _ = main_remote(read_settings(os.path.join(repository.common_directory, "config")))
    places = [f"refs/remotes/{remote}", "refs/heads"] if remote else ["refs/heads"]
    return [f"{place}/{repository.default_branch}" for place in places]


def default_commits(repository: Repository) -> list[str]:
    """The commits that the default branch stands for, as last fetched and here; nothing where that is not known."""
    found = [commit_of(repository.common_directory, ref) for ref in default_refs(repository)]
    return list(dict.fromkeys(commit for commit in found if commit))


def blob_at(common_directory: str, commit: str, path: str, *, late: Callable[[], bool] = lambda: False) -> str | None:
    """The name of what a commit has at a path, empty when it has nothing there; None when that cannot be told: objects
    that were not fetched, a submodule or a link on the way, or it took too long."""
    try:
        with Objects(os.path.join(common_directory, "objects"), late=late) as objects:
            return _walk(objects, commit, os.fsencode(path).split(b"/"), late)
    except _FAILURES:
        return None


def content_of(
    common_directory: str, blob: str, *, limit_bytes: int, late: Callable[[], bool] = lambda: False
) -> bytes | None:
    """What a file holds, by the name that git gave it; None when it is larger, not here, or it took too long."""
    try:
        with Objects(os.path.join(common_directory, "objects"), late=late) as objects:
            return objects.read(bytes.fromhex(blob), BLOB, limit_bytes=limit_bytes)
    except _FAILURES:
        return None


def _walk(objects: Objects, commit: str, parts: list[bytes], late: Callable[[], bool]) -> str | None:
    here = bytes.fromhex(commit)
    header = objects.commit(here).split(b"\n", 1)[0]
    name = bytes.fromhex(header.removeprefix(b"tree ").decode("ascii"))
    for place, part in enumerate(parts, 1):
        if late():
            return None
        mode, name = _entry(objects.read(name, TREE), part, len(here))
        if not mode or place == len(parts):
            return name.hex()
        if mode in (_SUBMODULE, _LINK):
            return None
        if mode != _FOLDER:
            return ""
    return None


def _entry(tree: bytes, wanted: bytes, size: int) -> tuple[bytes, bytes]:
    """Mode and name of what a tree has under a name; both empty when it has nothing."""
    # No entry without these bytes; with them it may still be chance, as names of objects are any bytes.
    if b" " + wanted + b"\0" not in tree:
        return b"", b""
    at = 0
    while at < len(tree):
        blank = tree.index(b" ", at)
        end = tree.index(b"\0", blank)
        if tree[blank + 1 : end] == wanted:
            return tree[at:blank], tree[end + 1 : end + 1 + size]
        at = end + 1 + size
    return b"", b""
