"""What the default branch holds at a path, and what is part of a repository, as git says. Starts git, so only for who
has time."""

from __future__ import annotations

import os

from recollect.files.git.config import main_remote, read_settings
from recollect.files.git.process import run_git
from recollect.files.git.refs import commit_of
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.repositories import Repository

SUBMODULE, LINK = "160000", "120000"


class Blob(Record):
    """What a commit has at a path: the name that git gave it; empty when there is nothing."""

    name: str = ""
    size: int = 0


def default_commits(repository: Repository) -> list[str]:
    """The commits that the default branch stands for, as last fetched and here; nothing where that is not known."""
    if not repository.common_directory or not repository.default_branch:
        return []
    remote, _ = main_remote(read_settings(os.path.join(repository.common_directory, "config")))
    places = [f"refs/remotes/{remote}", "refs/heads"] if remote else ["refs/heads"]
    refs = [f"{place}/{repository.default_branch}" for place in places]
    found = [commit_of(repository.common_directory, ref) for ref in refs]
    return list(dict.fromkeys(commit for commit in found if commit))


def blob_at(common_directory: str, commit: str, path: str, *, limit_seconds: float) -> Blob | None:
    """What a commit has at a path. None when that cannot be told: git is not installed or took too long, objects were
    not fetched, or a submodule or a link is on the way."""
    parts = path.split("/")
    asked = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    arguments = ("ls-tree", "-z", "-l", "--full-tree", commit, "--", *asked)
    printed = run_git(common_directory, *arguments, limit_seconds=limit_seconds)
    if printed is None:
        return None
    blob: Blob | None = Blob()
    for entry in printed.split(b"\0")[:-1]:
        described, _, name = entry.partition(b"\t")
        mode, _, object_name, size = described.decode("ascii").split()
        if os.fsdecode(name) == path:
            return Blob(object_name, int(size) if size.isdigit() else 0)
        if mode in (SUBMODULE, LINK):
            blob = None  # it is listed in the place of what is behind it
    return blob


def is_tracked(root: str, name: str, *, limit_seconds: float) -> bool | None:
    """Is this file at the top of a working tree part of the repository? None when git does not say."""
    arguments = ("ls-files", "--cached", "-z", "--full-name", "--", name)
    printed = run_git(
        os.path.join(root, ".git"), f"--work-tree={root}", "-C", root, *arguments, limit_seconds=limit_seconds
    )
    return None if printed is None else bool(printed)


def content_of(common_directory: str, blob: Blob, *, limit_seconds: float) -> bytes | None:
    """What the file holds; None when git does not say in time."""
    return run_git(common_directory, "cat-file", "blob", blob.name, limit_seconds=limit_seconds)
