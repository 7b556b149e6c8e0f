"""Files of a working tree, by paths relative to its root that must not leave it."""

from __future__ import annotations

import os
import stat
import time

from recollect.errors import OutsideRoot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.model.repositories import Repository

LIMIT_BYTES = 2_000_000
BINARY_PROBE_BYTES = 8_000


def read_cited(root: str, path: str, *, exact: bool = False) -> str | None:
    """The text of a file under the root. None: not there, outside, larger than 2 MB, or not text.

    With `exact`, bytes that are no UTF-8 stay what they are, so that a change of one of them is seen."""
    real = confined(root, path)
    if real is None:
        return None
    try:
        # Not blocking: a pipe in the tree must not stop the reader.
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except (OSError, ValueError):
        return None
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode) or state.st_size > LIMIT_BYTES:
            return None
        data = _read_all(handle)
    except OSError:
        return None
    finally:
        os.close(handle)
    return as_text(data, exact=exact)


def as_text(data: bytes, *, exact: bool) -> str | None:
    """What a file holds, as text; None when it is too large or none."""
    if len(data) > LIMIT_BYTES or b"\0" in data[:BINARY_PROBE_BYTES]:
        return None
    return data.decode("utf-8-sig", "surrogateescape" if exact else "replace")


def _read_all(handle: int) -> bytes:
    parts = []
    left = LIMIT_BYTES + 1
    while left > 0 and (part := os.read(handle, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def stat_cited(root: str, path: str) -> tuple[int, int] | None:
    """Time of the last change in nanoseconds and size of a file under the root; None when it is not there."""
    real = confined(root, path)
    if real is None:
        return None
    try:
        state = os.stat(real)
    except (OSError, ValueError):
        return None
    return (state.st_mtime_ns, state.st_size) if stat.S_ISREG(state.st_mode) else None


def confined(root: str, path: str) -> str | None:
    """The real path of a relative path, or None when it is none or a link leads out of the root."""
    parts = path.replace(os.sep, "/").split("/")
    if not path or "\0" in path or ".." in parts or os.path.isabs(path) or os.path.splitdrive(path)[0]:
        return None
    if parts[0] == "" or (os.name == "nt" and ":" in path):
        return None
    real = os.path.realpath(os.path.join(root, path))
    return real if is_inside(os.path.realpath(root), real) else None


def is_inside(root: str, path: str) -> bool:
    """Whether one real path is the other or below it."""
    root, path = os.path.normcase(root), os.path.normcase(path)
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)


def relative(root: str, path: str, cwd: str) -> str:
    """What a person typed, absolute or relative to the current folder, as a path under the root.

    Raises OutsideRoot when it leaves the root. The file need not exist.
    """
    if not path or "\0" in path:
        raise OutsideRoot("An empty path names no file.")
    typed = os.path.join(cwd, path)
    folder, name = os.path.split(typed)
    # The last part stays as typed: a link inside the tree is cited by its own name.
    plain = name not in ("", ".", "..")
    real = os.path.join(os.path.realpath(folder), name) if plain else os.path.realpath(typed)
    real_root = os.path.realpath(root)
    if not is_inside(real_root, real):
        raise OutsideRoot(f"{path} is outside {real_root}; only files inside it can be named.")
    return os.path.relpath(real, real_root).replace(os.sep, "/")


def exists_on_default_branch(repository: Repository, path: str, *, limit_seconds: float) -> bool | None:
    """Whether the default branch, here or as last fetched, has the path, as git says; None when that is not known.

    Starts git, so not for a turn. A folder without git has no other place to be: False.
    """
    if not repository.common_directory:
        return False
    parts = path.split("/")
    asked = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
    answers = []
    for ref, left_seconds in _default_refs(repository, limit_seconds):
        printed = _git(repository, ("ls-tree", "-z", "--full-tree", ref, "--", *asked), left_seconds)
        if printed is not None:
            answers.append(_is_listed(printed, path))
    if True in answers:
        return True
    return False if answers and None not in answers else None


def _is_listed(printed: bytes, path: str) -> bool | None:
    """Does git list the path? None when it lies in a submodule or behind a link, which are listed in its place."""
    entries = [entry.partition(b"\t") for entry in printed.split(b"\0") if entry]
    if any(os.fsdecode(name) == path for _, _, name in entries):
        return True
    return None if any(mode.startswith((b"160000", b"120000")) for mode, _, _ in entries) else False


def texts_on_default_branch(repository: Repository, path: str, *, limit_seconds: float) -> list[str]:
    """What the file holds on the default branch, here and as last fetched; nothing where that is not known."""
    texts = []
    for ref, left_seconds in _default_refs(repository, limit_seconds):
        printed = _git(repository, ("cat-file", "blob", f"{ref}:{path}"), left_seconds)
        text = None if printed is None else as_text(printed, exact=True)
        if text is not None:
            texts.append(text)
    return texts


def _default_refs(repository: Repository, limit_seconds: float) -> Iterator[tuple[str, float]]:
    from recollect.files.git.trees import default_refs

    until = time.monotonic() + limit_seconds
    for ref in default_refs(repository):
        yield ref, until - time.monotonic()


def _git(repository: Repository, arguments: tuple[str, ...], limit_seconds: float) -> bytes | None:
    from recollect.files.git.process import run_git

    return run_git(repository.common_directory, *arguments, limit_seconds=limit_seconds)
