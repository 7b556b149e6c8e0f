"""An append-only file of JSON lines: each line is one synced write under a lock, and nothing is ever rewritten."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from recollect.errors import FileError, StoreBusy
from recollect.files.writing import BINARY, NO_LINKS, sync_directory, translated
from recollect.locks import unlock, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS = 10.0
CHUNK_BYTES = 1 << 20


class EventLog:
    """One event a line, from any number of processes. A line that a crash cut short is closed and then passed over."""

    def __init__(self, path: str, *, wait_seconds: float = WAIT_SECONDS) -> None:
        self.path = path
        self._wait_seconds = wait_seconds

    def read(self, start: int = 0) -> tuple[list[bytes], int]:
        """The lines from an offset on, and the offset behind them. A line without its end does not exist yet."""
        try:
            handle = os.open(self.path, os.O_RDONLY | BINARY | NO_LINKS)
        except FileNotFoundError:
            return [], 0
        except OSError as error:
            raise FileError(f"{self.path} could not be read: {error.strerror or error}.") from error
        try:
            return self._lines(handle, start)
        finally:
            os.close(handle)

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """Alone with the log: whoever else writes waits. What a crash left unfinished at its end is closed first."""
        handle = self._open()
        owner = os.getpid()
        try:
            if not wait_for(handle, self._wait_seconds):
                raise StoreBusy("Another process has been writing to this session for too long; try again in a moment.")
            writing = Writing(self, handle)
            writing.close_torn_line()
            yield writing
        finally:
            # A child that was forked meanwhile holds the same open file: closing ours alone would not give it back.
            if os.getpid() == owner:
                unlock(handle)
            os.close(handle)

    def _open(self) -> int:
        try:
            is_new = not os.path.lexists(self.path)
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY | NO_LINKS, 0o600)
            if is_new:
                sync_directory(os.path.dirname(self.path))
        except OSError as error:
            raise translated(error, self.path) from error
        return handle

    def _lines(self, handle: int, start: int) -> tuple[list[bytes], int]:
        size = os.fstat(handle).st_size
        if size < start:
            raise FileError(f"{self.path} became shorter while it was in use; open the session again.")
        os.lseek(handle, start, os.SEEK_SET)
        parts = []
        # What is added while we read is for the next time.
        left = size - start
        while left > 0 and (part := os.read(handle, min(left, CHUNK_BYTES))):
            parts.append(part)
            left -= len(part)
        data = b"".join(parts)
        end = data.rfind(b"\n") + 1
        return data[:end].split(b"\n")[:-1], start + end


class Writing:
    """The log while nobody else writes to it."""

    def __init__(self, log: EventLog, handle: int) -> None:
        self._log = log
        self._handle = handle

    def read(self, start: int) -> tuple[list[bytes], int]:
        """As the log's own; nothing can be added behind what it returns."""
        return self._log._lines(self._handle, start)

    def append(self, line: bytes) -> None:
        """Add one line. When this returns, the line outlasts a crash of the machine."""
        assert b"\n" not in line
        self.close_torn_line()
        self._write(line + b"\n")

    def close_torn_line(self) -> None:
        """End a line that a crash cut short, so that the next one starts anew."""
        size = os.fstat(self._handle).st_size
        if size:
            os.lseek(self._handle, size - 1, os.SEEK_SET)
            if os.read(self._handle, 1) != b"\n":
                self._write(b"\n")

    def _write(self, data: bytes) -> None:
        try:
            if os.write(self._handle, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._handle)
        except OSError as error:
            raise translated(error, self._log.path) from error
