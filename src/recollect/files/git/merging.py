"""Three texts into one, as git merges them; and how a file stands with git. Starts git, so only for who has time."""

from __future__ import annotations

import os
import shutil
import tempfile

from recollect.errors import FileError
from recollect.files.git.process import run, run_git
from recollect.model.record import Record

LIMIT_SECONDS = 5.0
MOST_LOOKED_AT = 500  # commits in which something may have been deleted
MOST_RENAMES = 3  # of one file, one after the other
MOST_COMMITS = 20  # that are asked what they renamed
UNTRACKED, DIRTY, IGNORED, CLEAN = "untracked", "dirty", "ignored", "clean"


class Gone(Record):
    """What became of a path that is no longer there."""

    why: str
    now: str = ""  # what it was renamed to; empty where it was deleted


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


def deletions(root: str, paths: list[str], *, follow: int = MOST_RENAMES) -> dict[str, Gone]:
    """Which of these paths the repository once had and no longer has, each with a word on when, and where it is now."""
    found = _deleted(root, paths)
    names = list(dict.fromkeys(when.partition(",")[0] for when in found.values()))
    moves = {name: _renames(root, name) for name in names[:MOST_COMMITS]}
    moved = {path: _moved(path, moves.get(when.partition(",")[0], [])) for path, when in found.items()}
    lost = [now for now in moved.values() if now and not os.path.lexists(os.path.join(root, now))]
    later = deletions(root, lost, follow=follow - 1) if lost and follow else {}
    gone = {}
    for path, when in found.items():
        now = moved[path]
        if now in lost:
            gone[path] = later.get(now, Gone(f"deleted in {when}"))
        else:
            gone[path] = Gone(f"renamed to {now} in {when}", now) if now else Gone(f"deleted in {when}")
    return gone


def _renames(root: str, commit: str) -> list[tuple[str, str]]:
    """What a commit renamed, from and to."""
    arguments = ("-M", "--diff-filter=R", "--name-status", "-z", "--format=", "--no-ext-diff", "--no-show-signature")
    printed = _in_tree(root, "show", *arguments, commit, "--") or b""
    fields = printed.decode("utf-8", "replace").strip("\0\n").split("\0")
    return list(zip(fields[1::3], fields[2::3], strict=False))


def _moved(path: str, renames: list[tuple[str, str]]) -> str:
    """Where a file, or a folder with all that was in it, was moved to; empty when it was deleted."""
    ends = {
        new.removesuffix(old.removeprefix(path)) if new.endswith(old.removeprefix(path)) else ""
        for old, new in renames
        if old == path or old.startswith(path + "/")
    }
    return ends.pop() if len(ends) == 1 else ""


def _deleted(root: str, paths: list[str]) -> dict[str, str]:
    """Which of these paths the repository once had and no longer has, each with its last commit and the day."""
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
                found.setdefault(path, when.strip())
    return found


def _in_tree(root: str, *arguments: str) -> bytes | None:
    directory = os.path.join(root, ".git")
    if not os.path.exists(directory):
        return None
    return run_git(directory, f"--work-tree={root}", "-C", root, *arguments, limit_seconds=LIMIT_SECONDS)
