"""The only way files are written: whole or not at all, inside a root, readable by their owner."""

from __future__ import annotations

import errno
import os
import stat

from recollect.errors import FileError, OutsideRoot, RecollectError, StoreFull, UsageError
from recollect.files.trees import is_inside
from recollect.locks import wait_for

FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
BINARY = getattr(os, "O_BINARY", 0)
NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
TEMPORARY_SUFFIX = ".recollect-tmp"
STALE_SECONDS = 3600.0
APPEND_WAIT_SECONDS = 0.02


def write_atomic(root: str, path: str, data: bytes | str, *, mode: int = 0o600, follow: bool = False) -> None:
    """Replace a file under the root in one step.

    Whoever reads meanwhile, or after a crash, sees the old content or the new one. An existing file keeps its mode;
    missing folders are made. A symlink is refused, or with `follow` written through if its target is inside.
    """
    target = _target(root, path, follow=follow)
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    try:
        _make_folders(os.path.dirname(target), 0o777 if mode & 0o077 else 0o700)
        _replace(target, content, mode, _existing_mode(target))
    except OSError as error:
        raise translated(error, target) from error


def append_line(path: str, line: str) -> int:
    """Add one line in one write, so that lines of several processes never mix; returns how long the file is now.

    After a torn line it starts anew. A file that was renamed meanwhile is left to whoever took it, and the line goes
    into a new one."""
    line = line.removesuffix("\n")
    if "\n" in line:
        raise UsageError("One line at a time: the text contains a line break.")
    size = 0
    try:
        while not size:
            size = _append(path, line.encode("utf-8", "replace") + b"\n")
    except OSError as error:
        raise translated(error, path) from error
    return size


def _append(path: str, data: bytes) -> int:
    """Append to the file that has this name, and tell its size; 0 when it has the name no longer."""
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY | NO_LINKS, 0o600)
    try:
        # Without the lock, a line that another process is just writing would look torn.
        alone = wait_for(handle, APPEND_WAIT_SECONDS)
        if alone and not _is_named(handle, path):
            return 0
        data = (_line_break_if_torn(handle) if alone else b"") + data
        if os.write(handle, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        # Without the lock it may have been taken, and read, before the line was in it: rather twice than never.
        return os.lseek(handle, 0, os.SEEK_CUR) if alone or _is_named(handle, path) else 0
    finally:
        os.close(handle)


def _is_named(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def make_private_directory(path: str) -> None:
    """Make a folder that only its owner can open. One that is already there is left as it is."""
    try:
        _make_folders(os.path.normpath(path), 0o700)
    except OSError as error:
        raise translated(error, path) from error


def _make_folders(path: str, mode: int) -> None:
    """Make a folder and the missing ones above it, each with this mode: os.makedirs gives it to the last only."""
    above = os.path.dirname(path)
    if not os.path.isdir(path):
        if above != path and not os.path.isdir(above):
            _make_folders(above, mode)
        try:
            os.mkdir(path, mode)
        except FileExistsError:
            if not os.path.isdir(path):
                raise


def _target(root: str, path: str, *, follow: bool) -> str:
    """The real path to write, or an error before anything is touched."""
    if not path or "\0" in path:
        raise OutsideRoot("The path is empty.")
    real_root = os.path.realpath(root)
    folder, name = os.path.split(os.path.join(real_root, path))
    if name in ("", ".", ".."):
        raise OutsideRoot(f"{path} is a folder, not a file.")
    target = os.path.join(os.path.realpath(folder), name)
    if os.path.islink(target):
        if not follow:
            raise FileError(f"{path} is a symlink; nothing was written. Name the file it points to.")
        target = os.path.realpath(target)
    if target == real_root or not is_inside(real_root, target):
        raise OutsideRoot(f"{path} leads out of {real_root}; nothing was written.")
    return target


def _existing_mode(target: str) -> int | None:
    try:
        state = os.lstat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(state.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    return stat.S_IMODE(state.st_mode)


def _replace(target: str, content: bytes, mode: int, kept_mode: int | None) -> None:
    temporary, handle = _open_temporary(target, mode)
    try:
        try:
            if kept_mode is not None and hasattr(os, "fchmod"):
                os.fchmod(handle, kept_mode)
            _write_all(handle, content)
            os.fsync(handle)
            started = os.fstat(handle).st_mtime
        finally:
            os.close(handle)
        os.replace(temporary, target)
    except BaseException:
        _remove(temporary)
        raise
    sync_directory(os.path.dirname(target))
    _sweep(target, before=started - STALE_SECONDS)


def _open_temporary(target: str, mode: int) -> tuple[str, int]:
    folder, name = os.path.split(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_LINKS
    while True:
        # The name is cut so that it fits where the target's own name just fits.
        temporary = os.path.join(folder, f".{name[:60]}.{os.urandom(6).hex()}{TEMPORARY_SUFFIX}")
        try:
            return temporary, os.open(temporary, flags, mode)
        except FileExistsError:
            continue


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def sync_directory(folder: str) -> None:
    """Make the rename itself last. Not every file system can; the file is whole either way."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)


def _sweep(target: str, *, before: float) -> None:
    """Remove what killed writers of this same file left behind."""
    folder, name = os.path.split(target)
    prefix = f".{name[:60]}."
    try:
        with os.scandir(folder) as found:
            left = [item for item in found if item.name.startswith(prefix) and item.name.endswith(TEMPORARY_SUFFIX)]
        for item in left:
            if item.stat(follow_symlinks=False).st_mtime < before:
                _remove(item.path)
    except OSError:
        return  # the file itself is written


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _line_break_if_torn(handle: int) -> bytes:
    size = os.fstat(handle).st_size
    if size == 0:
        return b""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return b"" if os.read(handle, 1) in (b"\n", b"") else b"\n"


def translated(error: OSError, path: str) -> RecollectError:
    """What a failed write means to whoever asked for it."""
    if error.errno in FULL:
        return StoreFull(f"The disk is full: {path} was not written. Free some space and try again.")
    return FileError(f"{path} could not be written: {error.strerror or error}.")
