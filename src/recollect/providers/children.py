"""A child process that is asked something: bounded in time and in what it may print, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from recollect.errors import ProviderError, ReplyInvalid
from recollect.model.record import Record
from recollect.providers.answers import TOO_LARGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

    from recollect.providers.patience import Patience

MOST_BYTES = 8_000_000  # of what it prints: an answer, and the frame that a CLI puts around it
CHUNK = 1 << 16
LOOK_SECONDS = 0.05
JOIN_SECONDS = 5.0
_GUARD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "die_with_parent.py")
_POSIX = os.name == "posix"


class Ended(Record):
    """How a child ended, and what it printed."""

    code: int
    out: str
    err: str


def run_child(
    words: Sequence[str], *, stdin: str, folder: str, environ: Mapping[str, str], patience: Patience
) -> Ended:
    """Run it to its end. ProviderError when it cannot be started, ReplyInvalid when it prints too much, and what
    `patience` raises when there is no reason left to wait; it is gone then, with everything it started."""
    watched, held = os.pipe() if _POSIX else (-1, -1)
    guard = [sys.executable, "-I", "-S", _GUARD, str(watched)] if _POSIX else []
    try:
        process = subprocess.Popen(  # noqa: S603 the user's own setting, or a CLI by its name
            [*guard, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environ),
            start_new_session=_POSIX,
            pass_fds=(watched,) if _POSIX else (),
        )
    except (OSError, ValueError) as error:
        raise ProviderError(f"{words[0]} cannot be started: {error}") from error
    finally:
        if _POSIX:
            os.close(watched)
    try:
        return _attended(process, stdin, patience)
    finally:
        _end(process)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
        if _POSIX:
            os.close(held)


def _attended(process: subprocess.Popen[bytes], stdin: str, patience: Patience) -> Ended:
    assert process.stdin
    assert process.stdout
    assert process.stderr
    out, err = _Pipe(process.stdout), _Pipe(process.stderr)
    threading.Thread(target=_say, args=(process.stdin, stdin), daemon=True).start()
    never = threading.Event()
    while process.poll() is None and not out.full:
        patience.wait(never, LOOK_SECONDS)
    _end(process)
    out.join()
    err.join()
    if out.full:
        raise ReplyInvalid(TOO_LARGE)
    return Ended(process.returncode, out.text, err.text)


class _Pipe:
    """Reads what a child prints, up to a limit, in a thread of its own."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._parts: list[bytes] = []
        self.full = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """What was printed."""
        return b"".join(self._parts).decode("utf-8", "replace")

    def join(self) -> None:
        """Wait until all of it was read."""
        self._thread.join(JOIN_SECONDS)

    def _read(self) -> None:
        size = 0
        while part := self._stream.read1(CHUNK):  # type: ignore[attr-defined]
            size += len(part)
            if size > MOST_BYTES:
                self.full = True
                return
            self._parts.append(part)


def _say(stream: IO[bytes], text: str) -> None:
    try:
        stream.write(text.encode("utf-8", "replace"))
        stream.close()
    except (OSError, ValueError):
        return  # it did not want to hear all of it


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with all it started."""
    if _POSIX:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
    elif process.poll() is None:
        process.kill()
    process.wait()
