"""Which files a session has touched already: a small file for each session, one mark a path."""

from __future__ import annotations

import os

from recollect.files.writing import BINARY, NO_LINKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = "touched"
KEPT_SECONDS = 7 * 86_400.0
_MODULUS = 2**61 - 1  # a prime: what differs stays apart
_MARK = 17  # characters of one path, with its end


def is_first_touch(spool: str, session: str, paths: Sequence[str]) -> bool:
    """Has this session not touched one of these files before? Where it cannot be told, it has not."""
    try:
        with open(_file(spool, session), "rb") as file:
            data = file.read()
    except OSError:
        return True  # none yet
    known = {data[at : at + _MARK] for at in range(0, len(data), _MARK)}
    return any(_mark(path) not in known for path in paths)


def note_touch(spool: str, session: str, paths: Sequence[str]) -> None:
    """The session has touched these files."""
    _append(_file(spool, session), b"".join(map(_mark, paths)))


def forget_touches(spool: str, session: str) -> None:
    """The session no longer has before it what was said of its files."""
    try:
        os.unlink(_file(spool, session))
    except OSError:
        return


def forget_old_touches(spool: str, *, now: float) -> None:
    """Remove what was kept of sessions that are long over."""
    folder = os.path.join(spool, FOLDER)
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if now - os.stat(path).st_mtime > KEPT_SECONDS:
                os.unlink(path)
    except OSError:
        return


def _file(spool: str, session: str) -> str:
    return os.path.join(spool, FOLDER, f"{_number(session):x}")


def _mark(path: str) -> bytes:
    return f"{_number(path):016x}\n".encode()


def _number(text: str) -> int:
    return int.from_bytes(text.encode("utf-8", "surrogatepass"), "big") % _MODULUS


def _append(path: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY | NO_LINKS
    for _ in range(2):
        try:
            handle = os.open(path, flags, 0o600)
        except FileNotFoundError:
            try:
                os.mkdir(os.path.dirname(path), 0o700)
            except OSError:
                return
            continue
        except OSError:
            return
        try:
            os.write(handle, data)
        except OSError:
            return
        finally:
            os.close(handle)
        return
