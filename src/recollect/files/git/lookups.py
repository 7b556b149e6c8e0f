"""What no file of `.git` says outright: the first commit of a repository, and the host behind an alias of ssh."""

from __future__ import annotations

import os
import time

from recollect.files.git.refs import HEADS, USUAL_DEFAULTS, commit_of, default_branch, shallow_commits
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.files.home import Home

GIT_SECONDS = 5.0


class Lookup(Record):
    """Two questions, each answered with an empty text when the answer is not known."""

    first_commit: Callable[[str], str]  # of a common directory
    real_host: Callable[[str], str]  # of an alias


def _unknown(_: str) -> str:
    return ""


NOTHING_KNOWN = Lookup(_unknown, _unknown)


def kept_answers(home: Home) -> Lookup:
    """For a hook: what commands and the worker have learned. The first commit stands in the database."""

    def real_host(alias: str) -> str:
        from recollect.files.git.ssh_hosts import kept_host

        return kept_host(alias, cache=home.ssh_hosts)

    return Lookup(_unknown, real_host)


def asking(home: Home, user_folder: str | None) -> Lookup:
    """For commands and the worker: git and ssh are asked, and what ssh says is kept for hooks."""
    commits: dict[str, str] = {}

    def first_commit(common_directory: str) -> str:
        if common_directory not in commits:
            commits[common_directory] = root_commit(common_directory)
        return commits[common_directory]

    def real_host(alias: str) -> str:
        from recollect.files.git.ssh_hosts import ask_host

        return ask_host(alias, cache=home.ssh_hosts, home=user_folder or os.path.expanduser("~"))

    return Lookup(first_commit, real_host)


def root_commit(common_directory: str) -> str:
    """The first commit, as git says within five seconds; empty when there is none or it is not known."""
    branch = default_branch(common_directory, "")
    has_commits = commit_of(common_directory, HEADS + branch if branch else "HEAD")
    if not has_commits and not os.path.isdir(os.path.join(common_directory, "reftable")):
        return ""
    from recollect.files.git.process import run_git

    until = time.monotonic() + GIT_SECONDS
    for ref in (*(HEADS + branch for branch in USUAL_DEFAULTS), "HEAD"):
        arguments = ("rev-list", "--first-parent", "--max-parents=0", "--end-of-options", ref, "--")
        printed = run_git(common_directory, *arguments, limit_seconds=until - time.monotonic())
        if printed:
            commit = printed.decode("ascii", "replace").split()[0]
            return "" if commit in shallow_commits(common_directory) else commit
    return ""
