"""Reading what somebody names on a command line: files, and nothing that could wait or go on for ever."""

from __future__ import annotations

import os
import stat

from recollect.errors import FileError
from recollect.files.git.refs import without_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

LIMIT_BYTES = 2_000_000_000
CHUNK_BYTES = 1_000_000
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}


def read_text(path: str, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """The text of a file; FileError for what is none, or is too large to be meant."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            require_regular(path, os.fstat(file.fileno()))
            return decoded(read_all(file, path, limit_bytes=limit_bytes))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{path!r} could not be read: {reason}. Name a file, or - for stdin.") from error


def is_utf8(path: str, text: str) -> bool:
    """Does the file hold this text as UTF-8, byte for byte? Then it can be written back without loss."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            return file.read(len(text) * 4 + 8) == text.encode("utf-8", "replace")
    except OSError:
        return False


def require_regular(path: str, status: os.stat_result, *, or_else: str = "- for stdin") -> None:
    """Raise FileError when this is a folder, a pipe or a device."""
    if stat.S_ISREG(status.st_mode):
        return
    kind = next((name for name, found in _KINDS if found(status.st_mode)), "something else")
    raise FileError(f"{path!r} is {kind}. Name a file, or {or_else}.")


def read_all(file: BinaryIO, name: str, *, limit_bytes: int = LIMIT_BYTES) -> bytes:
    """Everything, up to a ceiling; FileError, at once, for what is no text."""
    parts: list[bytes] = []
    size = 0
    while part := file.read(CHUNK_BYTES):
        if not parts and len(part) == CHUNK_BYTES and not part.strip(b"\0"):
            raise FileError(f"{name!r} is not a text file.")
        parts.append(part)
        size += len(part)
        if size > limit_bytes:
            raise FileError(f"{name!r} has more than {limit_bytes // 1_000_000:,} MB, which is too large to read.")
    return b"".join(parts)


def decoded(data: bytes) -> str:
    """Bytes as text: UTF-8 unless they begin with the mark of another encoding."""
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace")


_KINDS = (
    ("a folder", stat.S_ISDIR),
    ("a pipe", stat.S_ISFIFO),
    ("a device", stat.S_ISCHR),
    ("a device", stat.S_ISBLK),
    ("a socket", stat.S_ISSOCK),
)
