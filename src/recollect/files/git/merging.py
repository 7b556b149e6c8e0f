"""Three texts into one, as git merges them; and how a file stands with git. Starts git, so only for who has time."""

from __future__ import annotations

import os
import shutil
import tempfile

from recollect.errors import FileError
from recollect.files.git.process import run, run_git

LIMIT_SECONDS = 5.0
MOST_LOOKED_AT = 500  # commits in which something may have been deleted
UNTRACKED, DIRTY, IGNORED, CLEAN = "untracked", "dirty", "ignored", "clean"


def merged(ours: str, base: str, theirs: str) -> str | None:
    """Both changes of a base in one text; None when they touch the same lines, or git cannot be asked."""
    try:
        place = tempfile.mkdtemp(prefix="recollect-merge-")
    except OSError as error:
        raise FileError(f"There is no folder to merge in: {error}") from error
    try:
        names = [os.path.join(place, name) for name in ("ours", "base", "theirs")]
        for name, text in zip(names, (ours, base, theirs), strict=True):
            with open(name, "wb") as file:
                file.write(text.encode())
        printed = run(["git", "merge-file", "-p", "-q", *names], limit_seconds=LIMIT_SECONDS)
    except OSError as error:
        raise FileError(f"The texts could not be merged: {error}") from error
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return None if printed is None else printed.decode()


def standing(root: str, path: str) -> str:
    """How a file stands with git: untracked, dirty, ignored or clean; empty where git does not say."""
    printed = _in_tree(root, "status", "--porcelain", "--ignored", "-z", "--", path)
    if printed is None:
        return ""
    match printed[:2]:
        case b"!!":
            return IGNORED
        case b"??":
            return UNTRACKED
        case b"":
            return CLEAN
        case _:
            return DIRTY


def deletions(root: str, paths: list[str]) -> dict[str, str]:
    """Which of these paths the repository once had and deleted, each with a word on when."""
    if not paths:
        return {}
    form = "--format=%x01%h, %cs"
    arguments = (
        "log",
        f"-n{MOST_LOOKED_AT}",
        "--no-renames",
        "--diff-filter=D",
        "--name-only",
        "-z",
        form,
        "--",
        *paths,
    )
    printed = _in_tree(root, *arguments)
    found: dict[str, str] = {}
    for commit in (printed or b"").decode("utf-8", "replace").split("\x01")[1:]:
        named, _, rest = commit.partition("\0")
        when, _, first = named.partition("\n")
        files = [name.strip("\n") for name in (first, *rest.split("\0"))]
        for path in paths:
            if any(name == path or name.startswith(path + "/") for name in files):
                found.setdefault(path, f"deleted in {when.strip()}")
    return found


def _in_tree(root: str, *arguments: str) -> bytes | None:
    directory = os.path.join(root, ".git")
    if not os.path.exists(directory):
        return None
    return run_git(directory, f"--work-tree={root}", "-C", root, *arguments, limit_seconds=LIMIT_SECONDS)
