"""Which repository a folder belongs to, read from `.git` as files: no git process, safe in a hook.

The identity is the normalised main remote of the common directory, so that worktrees and clones share one memory.
Without a remote it is `root:` and the first commit; without a readable first commit, or without git, it is `path:`
and the real path. The home folder and the top of the file system have none.
"""

from __future__ import annotations

import os
import stat
import time

from recollect.files.git.config import main_remote, read_settings, rewritten
from recollect.files.git.refs import HEADS, USUAL_DEFAULTS, commit_of, default_branch, head_branch, read_small
from recollect.files.git.remote_urls import CASELESS, local_path, normalise_remote, ssh_host
from recollect.model.record import Record
from recollect.model.repositories import Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT_COMMITS = 2_000
LIMIT_SECONDS = 0.05
LIMIT_HOPS = 4  # clone of a clone of a clone
GIT_SECONDS = 5.0


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
) -> Repository:
    """The repository of a folder. Never raises for what is on disk: a broken `.git` counts as none.

    `known` maps a common directory to the `root:` or `path:` identity learned for it before; it spares the search
    for the first commit, and a repository keeps its identity until something better is learned with `root_commit`.
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
    identity = _identity(place.common_directory, home=home, known=known, hops=LIMIT_HOPS)
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


def root_commit(common_directory: str) -> str:
    """The first commit by way of the git command, up to five seconds; empty when there is none or it is not known."""
    from recollect.files.git.objects import shallow_commits
    from recollect.files.git.process import run_git

    until = time.monotonic() + GIT_SECONDS
    for ref in (*(HEADS + branch for branch in USUAL_DEFAULTS), "HEAD"):
        arguments = ("rev-list", "--first-parent", "--max-parents=0", "--end-of-options", ref, "--")
        printed = run_git(common_directory, *arguments, limit_seconds=until - time.monotonic())
        if printed:
            commit = printed.decode("ascii", "replace").split()[0]
            return "" if commit in shallow_commits(common_directory) else commit
    return ""


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


def _identity(common_directory: str, *, home: str, known: Mapping[str, str], hops: int) -> Identity:
    own = os.path.join(common_directory, "config")
    settings = read_settings(own, home=home, git_directory=common_directory)
    name, address = main_remote(settings)
    if not address:
        return Identity(_own_identity(common_directory, known) or _path_identity(common_directory))
    for place in (".gitconfig", os.path.join(".config", "git", "config")):
        users = os.path.join(home, place)
        settings += read_settings(users, home=home, git_directory=common_directory, known=settings)
    address = rewritten(address, settings)
    path = local_path(address)
    if path:
        return _local_remote(path, name, common_directory, home=home, known=known, hops=hops)
    remote = real_remote(address, home)
    own = "" if remote else _own_identity(common_directory, known) or _path_identity(common_directory)
    plain = normalise_remote(address)
    return Identity(remote or own, remote, name, plain if plain != remote else "")


def real_remote(address: str, home: str) -> str:
    """The normalised address, with the host that an alias of the user's own ssh configuration stands for."""
    remote, host = normalise_remote(address), ssh_host(address)
    if not host or host in CASELESS or not remote.startswith(host + "/"):
        return remote
    from recollect.files.git.ssh_config import real_host

    real = real_host(host, home)
    # What could be the name of a server is one, unless a forge stands behind it: `github.com-work`.
    known = normalise_remote(real).partition("/")[0] if real else ""
    return normalise_remote(known + remote[len(host) :]) if known in CASELESS or (known and "." not in host) else remote


def _local_remote(
    path: str, name: str, common_directory: str, *, home: str, known: Mapping[str, str], hops: int
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
        first = _identity(place.common_directory, home=home, known=known, hops=hops - 1)
        return Identity(first.repository, first.remote or _text(real), name)
    return Identity(_own_identity(common_directory, known) or _path_identity(real), _text(real), name)


def _own_identity(common_directory: str, known: Mapping[str, str]) -> str:
    """`root:` and the first commit, from what is known or from the files; empty when neither has it."""
    learned = known.get(common_directory, "")
    if learned.startswith(("root:", "path:")):
        return learned
    branch = default_branch(common_directory, "")
    start = commit_of(common_directory, HEADS + branch if branch else "HEAD")
    if not start:
        return ""
    from recollect.files.git.objects import first_commit

    root = first_commit(
        common_directory, start, limit_commits=LIMIT_COMMITS, limit_seconds=LIMIT_SECONDS, clock=time.monotonic
    )
    return f"root:{root}" if root else ""


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
