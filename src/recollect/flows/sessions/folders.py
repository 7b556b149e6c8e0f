"""Which repository work in a folder belongs to, also when the folder is gone.

Of a folder that is there, git is asked. One that is gone belongs to the checkout that it was below: one that is still
there, or one that a log knows by its remote or its branch. Otherwise it stays a project of its own.
"""

from __future__ import annotations

import os
import re

from recollect.files.repositories import identify, real_remote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.opened import Opened
    from recollect.model.repositories import Repository
    from recollect.model.sessions import Began

_HOST_WORKTREE = re.compile(r"[/\\]\.(?:claude|codex|cursor)[/\\]worktrees[/\\].*$")


class Folders:
    """The repositories of the folders that logs name."""

    def __init__(self, memory: Opened) -> None:
        self._canonical = memory.store.repositories.canonical
        self._known = memory.store.repositories.identities()
        self._lookup = memory.lookup
        self._home = memory.environ.get("HOME")
        self._identities: dict[tuple[str, str], str] = {}
        self._remotes: dict[str, str] = {}  # identities of folders whose remote some log recorded
        self._branched: set[str] = set()  # folders in which some log recorded a branch
        self.met: dict[str, Repository] = {}  # repositories without a remote, by common directory

    def learn(self, began: Began) -> None:
        """Take what a log says of the folder that its session began in: it holds for logs that say less."""
        if began.cwd and began.remote:
            self._remotes[began.cwd] = self.repository_of(began.cwd, began.remote)
        if began.cwd and began.branch:
            self._branched.add(began.cwd)

    def repository_of(self, cwd: str, remote: str) -> str:
        """The repository that work in a folder belongs to; `remote` is what the session's log says of it."""
        key = (cwd, remote)
        if key not in self._identities:
            self._identities[key] = self._identify(cwd, remote)
        return self._identities[key]

    def _identify(self, cwd: str, remote: str) -> str:
        if not os.path.isdir(cwd):
            # A worktree that a host made inside the repository and that is gone again.
            cwd = _HOST_WORKTREE.sub("", cwd)
        named = self._named(remote)
        if cwd and os.path.isdir(cwd):
            found = self._on_disk(cwd)
            if found.remote or not named:
                return self._canonical(found.repository)
        if named:
            return self._canonical(named)
        if not cwd or os.path.normpath(cwd) in ("/", os.path.normpath(self._home or "/")):
            return ""
        return self._gone(cwd)

    def _named(self, remote: str) -> str:
        """The identity that a recorded remote stands for; none for what names a host alone."""
        if not remote:
            return ""
        address = remote if ":" in remote or remote.count("/") != 1 else f"https://github.com/{remote}"
        named = real_remote(address, self._lookup)
        return named if "/" in named else ""

    def _on_disk(self, folder: str) -> Repository:
        found = identify(folder, home=self._home, known=self._known, lookup=self._lookup)
        if found.repository.startswith("root:"):
            self.met[found.common_directory] = found
        return found

    def _gone(self, cwd: str) -> str:
        """The repository of a folder that is gone: of the checkout around it, if one is known."""
        above = [folder for folder in _above(cwd) if not self._is_around_home(folder)]
        there = next((folder for folder in above if os.path.isdir(folder)), "")
        if there and (found := self._on_disk(there)).common_directory:
            return self._canonical(found.repository)
        recorded = next((folder for folder in (cwd, *above) if folder in self._remotes), "")
        if recorded:
            return self._remotes[recorded]
        branched = [folder for folder in above if folder in self._branched]
        return self._canonical(f"path:{branched[-1] if branched else cwd}")

    def _is_around_home(self, folder: str) -> bool:
        """Is this the home folder, or one above it? Nobody's project is."""
        home = os.path.normpath(self._home or "/")
        return f"{home}/".startswith(f"{os.path.normpath(folder)}/")


def _above(folder: str) -> Iterator[str]:
    """The folders around one, nearest first; paths of either kind, for logs come from other machines too."""
    folder = folder.rstrip("/\\")
    while (end := max(folder.rfind("/"), folder.rfind("\\"))) > 0:
        folder = folder[:end]
        yield folder
