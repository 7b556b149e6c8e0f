"""Which calls of hooks were seen a moment ago: one empty file each, made by whoever comes first."""

from __future__ import annotations

import os

from recollect.files.writing import BINARY, NO_LINKS

FOLDER = "seen"
SEEN_SECONDS = 60.0
# A prime: what differs stays apart. Nothing secret is told by it, so it need not be more than that.
_MODULUS = 2**89 - 1


def is_first_call(spool: str, what: str, *, now: float) -> bool:
    """True for the first of several calls with the same words within a minute. Where it cannot be told, all are."""
    folder = os.path.join(spool, FOLDER)
    number = int.from_bytes(what.encode("utf-8", "surrogatepass"), "big") % _MODULUS
    path = os.path.join(folder, f"{number:x}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | NO_LINKS
    for _ in range(2):
        try:
            os.close(os.open(path, flags, 0o600))
            return True
        except FileExistsError:
            if not _is_old(path, now):
                return False
            _remove(path)
        except FileNotFoundError:
            try:
                os.mkdir(folder, 0o700)
            except FileExistsError:
                continue
            except OSError:
                return True
        except OSError:
            return True  # a read-only or full disk: rather the same twice than nothing
    return True


def forget_old_calls(spool: str, *, now: float) -> None:
    """Remove the marks that have served."""
    folder = os.path.join(spool, FOLDER)
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if _is_old(path, now):
                _remove(path)
    except OSError:
        return


def _is_old(path: str, now: float) -> bool:
    try:
        return abs(now - os.stat(path).st_mtime) > SEEN_SECONDS
    except OSError:
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
