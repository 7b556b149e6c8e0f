"""Answering how near in meaning entries are, over a socket in the home: for a process that is there anyway.

Whoever holds the lock beside the socket listens there; the system gives the lock back when that process ends, however
it ends, and the next one takes the socket over. Only its owner may connect."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from typing import TYPE_CHECKING

from recollect.files.near_socket import END, read_line
from recollect.locks import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from recollect.model.recall import Nearness

    Answer = Callable[[str, Sequence[str], Sequence[str]], Nearness | None]

LISTENING_SECONDS = 0.5  # for one who connected and says nothing, or takes nothing
WAITING = 16
LOCK_SUFFIX = ".lock"


class Listener:
    """The socket of a home, while this process is the one that listens there."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = -1
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self) -> bool:
        """Listen, unless another process does. Raises OSError where there can be no such socket."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        self._lock = os.open(self._path + LOCK_SUFFIX, flags, 0o600)
        if not try_lock(self._lock):
            self.close()
            return False
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)  # of one that is dead
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # Nobody can connect before it listens, and by then it is the owner's alone.
            self._socket.bind(self._path)
            os.chmod(self._path, 0o600)
            self._socket.listen(WAITING)
        except OSError:
            self.close()
            raise
        return True

    def answer_one(self, answer: Answer, *, wait_seconds: float) -> bool:
        """Wait for somebody who asks, and answer; False when nobody came. Who asks nonsense is not answered."""
        assert self._socket is not None
        self._socket.settimeout(wait_seconds)
        try:
            asked, _ = self._socket.accept()
        except (TimeoutError, BlockingIOError, ConnectionError):
            return False
        with asked, contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            said = json.loads(read_line(asked, time.monotonic() + LISTENING_SECONDS))
            texts = [said["text"], *said["repositories"], *said["entries"]]
            if all(isinstance(text, str) for text in texts):
                found = answer(said["text"], said["repositories"], said["entries"])
                asked.settimeout(LISTENING_SECONDS)
                asked.sendall(json.dumps(found._asdict() if found else None).encode() + END)
        return True

    def close(self) -> None:
        """Stop listening, and let another process do it."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
