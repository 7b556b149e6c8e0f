"""Which repository a folder belongs to, read from `.git` as files: no git process, safe in a hook.

The identity is the normalised main remote of the common directory, so that worktrees and clones share one memory.
Without a remote it is `root:` and the first commit, as far as that is known; otherwise, or without git, it is `path:`
and the real path. The home folder and the top of the file system have none.
"""

from __future__ import annotations

import os
import stat

from recollect.files.git.config import main_remote, read_settings, rewritten
from recollect.files.git.lookups import NOTHING_KNOWN
from recollect.files.git.refs import default_branch, head_branch, read_small
from recollect.files.git.remote_urls import CASELESS, local_path, normalise_remote, ssh_host
from recollect.model.record import Record
from recollect.model.repositories import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.files.git.lookups import Lookup

LIMIT_HOPS = 4  # clone of a clone of a clone


class GitFolders(Record):
    """Where a working tree and its git directories are; without git the directories are empty."""

    root: str
    git_directory: str = ""
    common_directory: str = ""


class Identity(Record):
    """Who a repository is, and by what."""

    repository: str
    remote: str = ""
    remote_name: str = ""
    alias: str = ""  # what it would be if ssh had no alias for its host


def identify(
    folder: str,
    *,
    override: str = "",
    home: str | None = None,
    known: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    lookup: Lookup = NOTHING_KNOWN,
) -> Repository:
    """The repository of a folder. Never raises for what is on disk: a broken `.git` counts as none.

    `known` maps a common directory to the `root:` or `path:` identity learned for it before, and `lookup` says what
    no file says; a repository keeps its identity until something better is learned.
    An override is taken verbatim and has no aliases. `environ` may name a git directory that is kept elsewhere; a
    repository around the folder comes first, for the variable may have come down from another one.
    """
    home = os.path.realpath(home or os.path.expanduser("~"))
    folder = os.path.realpath(folder.replace("\0", ""))
    place = _find(folder, home)
    if not place.common_directory and environ and environ.get("GIT_DIR"):
        place = _kept_elsewhere(folder, home, environ) or place
    if not place.common_directory:
        alone = place.root == home or _is_top(place.root)
        return Repository(override or ("" if alone else _path_identity(place.root)), root=place.root)
    known = known or {}
    identity = Naming(home, lookup).identity(place.common_directory, known, hops=LIMIT_HOPS)
    repository = override or identity.repository
    return Repository(
        repository=repository,
        remote=identity.remote,
        common_directory=place.common_directory,
        root=place.root,
        branch=head_branch(place.git_directory),
        default_branch=default_branch(place.common_directory, identity.remote_name),
        aliases=() if override else _aliases(place, identity, known),
    )


def working_tree(folder: str, *, home: str | None = None) -> str:
    """The real path of the working tree around a folder; without one, the folder itself."""
    return _find(os.path.realpath(folder.replace("\0", "")), os.path.realpath(home or os.path.expanduser("~"))).root


def _find(folder: str, home: str) -> GitFolders:
    """The nearest working tree upward. One that is the whole home folder or file system is nobody's project."""
    at, broken = folder, ""
    while True:
        place = _place_at(at)
        if place is not None and (at == home or _is_top(at)):
            break
        if place is not None and place.common_directory:
            return place
        if place is not None:
            broken = broken or at
        # Like git: past a `.git` folder that is none, but not past a link that leads nowhere.
        if _is_top(at) or (place is not None and not os.path.isdir(os.path.join(at, ".git"))):
            break
        at = os.path.dirname(at)
    return GitFolders(broken or folder)


def _kept_elsewhere(folder: str, home: str, environ: Mapping[str, str]) -> GitFolders | None:
    """The working tree of a git directory that a variable names, when the folder is in it. One that is the whole home
    folder is nobody's project, as ever."""
    root = os.path.realpath(os.path.join(folder, environ.get("GIT_WORK_TREE") or "."))
    if root == home or _is_top(root) or not (folder + os.sep).startswith(root + os.sep):
        return None
    return _opened(root, os.path.join(folder, environ["GIT_DIR"]))


def _place_at(folder: str) -> GitFolders | None:
    """The working tree or bare repository at a folder; one without directories when its `.git` is broken."""
    dot_git = os.path.join(folder, ".git")
    try:
        mode = os.stat(dot_git).st_mode
    except (OSError, ValueError):
        bare = os.path.basename(folder) != ".git" and os.path.isfile(os.path.join(folder, "HEAD"))
        return _opened(folder, folder) if bare else None
    if stat.S_ISDIR(mode):
        return _opened(folder, dot_git) or GitFolders(folder)
    # Not a pipe or device: reading one could wait for ever.
    pointer = read_small(dot_git, errors="surrogateescape") if stat.S_ISREG(mode) else ""
    if not pointer.startswith("gitdir:"):
        return GitFolders(folder)
    return _opened(folder, os.path.join(folder, pointer[7:].strip())) or GitFolders(folder)


def _opened(root: str, git_directory: str) -> GitFolders | None:
    """The place whose git directory this is, or None when git would not take it for one either."""
    shared = read_small(os.path.join(git_directory, "commondir"), errors="surrogateescape")
    common = os.path.join(git_directory, shared) if shared else git_directory
    whole = os.path.lexists(os.path.join(git_directory, "HEAD")) and all(
        os.path.isdir(os.path.join(common, part)) for part in ("objects", "refs")
    )
    return GitFolders(root, os.path.realpath(git_directory), os.path.realpath(common)) if whole else None


class Naming:
    """Names repositories by what their files say, and by what a lookup knows beyond that."""

    def __init__(self, home: str, lookup: Lookup) -> None:
        self._home = home
        self._lookup = lookup

    def identity(self, common_directory: str, known: Mapping[str, str], *, hops: int) -> Identity:
        """Who the repository of a common directory is."""
        own = os.path.join(common_directory, "config")
        settings = read_settings(own, home=self._home, git_directory=common_directory)
        name, address = main_remote(settings)
        if not address:
            return Identity(self._own(common_directory, known) or _path_identity(common_directory))
        for place in (".gitconfig", os.path.join(".config", "git", "config")):
            users = os.path.join(self._home, place)
            settings += read_settings(users, home=self._home, git_directory=common_directory, known=settings)
        address = rewritten(address, settings)
        path = local_path(address)
        if path:
            return self._local_remote(path, name, common_directory, known, hops=hops)
        remote = real_remote(address, self._lookup)
        own = "" if remote else self._own(common_directory, known) or _path_identity(common_directory)
        plain = normalise_remote(address)
        return Identity(remote or own, remote, name, plain if plain != remote else "")

    def _local_remote(
        self, path: str, name: str, common_directory: str, known: Mapping[str, str], *, hops: int
    ) -> Identity:
        """A clone of a folder is who that folder is. A folder that is away must not change who the clone is."""
        real = os.path.realpath(os.path.join(_main_folder(common_directory), path))
        place = _place_at(real)
        if place is not None and place.common_directory not in ("", common_directory):
            if hops == 0:
                return Identity(_path_identity(place.common_directory), _text(real), name)
            learned = known.get(common_directory, "")
            if learned.startswith("root:"):
                known = {place.common_directory: learned, **known}
            first = self.identity(place.common_directory, known, hops=hops - 1)
            return Identity(first.repository, first.remote or _text(real), name)
        return Identity(self._own(common_directory, known) or _path_identity(real), _text(real), name)

    def _own(self, common_directory: str, known: Mapping[str, str]) -> str:
        """`root:` and the first commit, from what was learned or is known; else the path that was learned, or empty."""
        learned = known.get(common_directory, "")
        if learned.startswith("root:"):
            return learned
        root = self._lookup.first_commit(common_directory)
        return f"root:{root}" if root else learned if learned.startswith("path:") else ""


def real_remote(address: str, lookup: Lookup) -> str:
    """The normalised address, with the host that an alias of the user's own ssh configuration stands for."""
    remote, host = normalise_remote(address), ssh_host(address)
    if not host or host in CASELESS or not remote.startswith(host + "/"):
        return remote
    real = lookup.real_host(host)
    # What could be the name of a server is one, unless a forge stands behind it: `github.com-work`.
    known = normalise_remote(real).partition("/")[0] if real else ""
    return normalise_remote(known + remote[len(host) :]) if known in CASELESS or (known and "." not in host) else remote


def _aliases(place: GitFolders, identity: Identity, known: Mapping[str, str]) -> tuple[str, ...]:
    """What this very folder may have been called before it had a remote, a commit or a `.git`, or ssh an alias."""
    learned = known.get(place.common_directory, "")
    names = [
        identity.alias,
        learned if learned.startswith(("root:", "path:")) else "",
        _path_identity(place.common_directory),
        _path_identity(place.root) if place.git_directory == place.common_directory else "",
    ]
    return tuple(dict.fromkeys(name for name in names if name and name != identity.repository))


def _main_folder(common_directory: str) -> str:
    """What relative remotes are relative to, the same from every worktree."""
    folder, name = os.path.split(common_directory)
    return folder if name == ".git" else common_directory


def _path_identity(path: str) -> str:
    return f"path:{_text(path)}"


def _text(path: str) -> str:
    """A path that any database takes, also when its bytes are not text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_top(folder: str) -> bool:
    return os.path.dirname(folder) == folder
