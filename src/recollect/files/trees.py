"""Files of a working tree, by paths relative to its root that must not leave it."""

from __future__ import annotations

import os
import stat

from recollect.errors import OutsideRoot

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
        raise OutsideRoot("The path is empty.")
    typed = os.path.join(cwd, path)
    folder, name = os.path.split(typed)
    # The last part stays as typed: a link inside the tree is cited by its own name.
    plain = name not in ("", ".", "..")
    real = os.path.join(os.path.realpath(folder), name) if plain else os.path.realpath(typed)
    real_root = os.path.realpath(root)
    if not is_inside(real_root, real):
        raise OutsideRoot(f"{path} is outside {real_root}; only files inside it can be named.")
    return os.path.relpath(real, real_root).replace(os.sep, "/")
