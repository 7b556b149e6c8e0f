"""Hooks that come all at once: one of them works for the others as well.

Most of what a hook costs is getting ready, so fifty of them at once would nearly all be late, each because of the
others. The first few each take a lock and listen; whoever comes meanwhile hands over to one of them what its host said
and waits, before it has loaded anything else. When that one has answered its own host, it leaves a process behind that
answers those who wait. Only hooks of the same user reach the sockets, which lie in the home. Where there are no such
sockets, and where another limit is set than the usual one, every hook works alone."""

from __future__ import annotations

import gc
import os
import time
from marshal import dumps, loads
from select import select

from recollect.errors import FileError
from recollect.files.hook_bundle import load_ahead
from recollect.files.logs.late_hooks import log_late
from recollect.locks import try_lock, unlock
from recollect.settings import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn
else:
    import _signal as signal  # the same without its enums, which take longer than a search

try:
    import _socket  # the plain one: `socket` takes longer to load than a search takes
except ImportError:  # a Python without it
    _socket = None  # type: ignore[assignment]

NAME = "crowd"
EMPTY = b"{}\n"
WAITING_SECONDS = 0.27  # for somebody else's answer: nine tenths of the limit that holds when nothing else is set
LINGER_SECONDS = 0.05  # for the next of a crowd
LIFE_SECONDS = 3  # of who was left behind: whatever hangs then, ends
RETRY_SECONDS = 0.002
LONGEST_PATH = 100  # of a socket, everywhere
MOST_BYTES = 100_000  # of one request: more than that would have to be waited for
MOST_WAITING = 128
PER_PROCESSOR = 2  # hooks that work at once: two for each, since they wait for the disk too
HEAD_BYTES = 4
BEGAN = 4  # where a request says when it began
# What can go wrong with a socket or a message is no reason to fail: the hook then works alone.
TROUBLE = (OSError, ValueError, EOFError, TypeError)


def main(words: Sequence[str], *, home: str, worker: str) -> NoReturn:
    """The launcher's way in: have another hook answer, or answer; then end at once, without the interpreter's tidying
    up."""
    began = time.monotonic() - time.process_time()  # what starting the interpreter took counts too
    until = began + WAITING_SECONDS
    crowd = Crowd(os.path.join(home, "spool"))
    begun = b""
    if not crowd.leads():
        begun = _first_words(0, until=until)
        said = (list(words), begun, dict(environment()), _here(), began, worker)
        answer = crowd.ask(said, until=until) if begun else None
        if answer is None and time.monotonic() >= until:
            answer = EMPTY
            log_late(os.path.join(home, "logs"), time.monotonic() - began)
        if answer is not None:
            _print(answer)
            os._exit(0)
    load_ahead("recollect.doors.hook")
    from recollect.doors.hook import run

    run(words, home=home, worker=worker, began=began, begun=begun, crowd=crowd)
    os._exit(0)


class Crowd:
    """The hooks of one home that run just now."""

    def __init__(self, spool: str) -> None:
        self._paths = [
            os.path.join(spool, f"{NAME}-{number}") for number in range(PER_PROCESSOR * (os.cpu_count() or 1))
        ]
        self._path = self._paths[os.getpid() % len(self._paths)]  # of ours, or of the one that works for us
        self._lock = -1
        self._listening: Any = None

    def leads(self) -> bool:
        """Is it up to us? Also where that cannot be told."""
        if self._lock >= 0 or not hasattr(_socket, "AF_UNIX") or len(os.fsencode(self._path)) > LONGEST_PATH:
            return True
        for path in self._paths:
            try:
                self._lock = _locked(path + ".lock")
            except (OSError, FileError):
                return True
            if self._lock >= 0:
                self._listen(path)
                return True
        return False

    def _listen(self, path: str) -> None:
        self._path = path
        _remove(path)  # of one that was killed
        try:
            listening = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            listening.bind(self._path)
            listening.listen(MOST_WAITING)
            self._listening = listening
        except OSError:
            pass  # then nobody is answered by us

    def ask(self, said: tuple[Any, ...], *, until: float) -> bytes | None:
        """What another hook answers in our place; None when this one has to work, for itself or for all."""
        request = dumps(said)
        if len(request) > MOST_BYTES:
            return None
        while time.monotonic() < until:
            answer = self._asked(request, until)
            if answer is not None:
                return answer
            time.sleep(RETRY_SECONDS)
            if self.leads():
                return None
        return None

    def serve(self, answer: Callable[[Any], bytes | None]) -> None:
        """Where anybody waits: leave a process behind that answers them."""
        if self._listening is None or not select([self._listening], [], [], 0)[0]:
            self.leave()
            return
        gc.collect()  # what the database has open must not be open in two processes
        if os.fork():
            return
        try:
            _apart()
            self._answer_all(answer)
            self.leave()
        finally:
            os._exit(0)  # what goes wrong here must not go on as a second hook

    def leave(self) -> None:
        """Make room for the next that works for all."""
        if self._listening is not None:
            _remove(self._path)
            self._listening.close()
            self._listening = None
        if self._lock >= 0:
            unlock(self._lock)
            os.close(self._lock)
            self._lock = -1

    def _answer_all(self, answer: Callable[[Any], bytes | None], linger_seconds: float = LINGER_SECONDS) -> None:
        while select([self._listening], [], [], linger_seconds)[0]:
            waiting = []
            self._listening.settimeout(0.0)
            try:
                while True:
                    waiting.append(_socket.socket(fileno=self._listening._accept()[0]))
            except OSError:
                pass  # that is all of them
            # The newest first: it has the most time left. Where there is too much to do, the oldest are late anyway.
            while waiting:
                other = waiting.pop()
                try:
                    other.settimeout(LINGER_SECONDS)
                    said = loads(_received(other))  # noqa: S302 from a hook of this user
                    if time.monotonic() < said[BEGAN] + WAITING_SECONDS:
                        _send(other, dumps(answer(said)))
                except TROUBLE:
                    pass  # it went away, or waits no longer
                other.close()

    def _asked(self, request: bytes, until: float) -> bytes | None:
        asking = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            asking.settimeout(max(until - time.monotonic(), RETRY_SECONDS))
            asking.connect(self._path)
            _send(asking, request)
            answer: bytes | None = loads(_received(asking))  # noqa: S302 from a hook of this user
            return answer
        except TROUBLE:
            return None  # not listening yet, or gone
        finally:
            asking.close()


def _locked(path: str) -> int:
    """The open file when the lock is ours; -1 when it is another's."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags, 0o600)
    if try_lock(handle):
        return handle
    os.close(handle)
    return -1


def _apart() -> None:
    """No longer a part of the host's call, and not for ever."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for handle in range(3):
        os.dup2(nowhere, handle)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIFE_SECONDS)


def _send(to: Any, data: bytes) -> None:
    to.sendall(len(data).to_bytes(HEAD_BYTES, "big") + data)


def _received(other: Any) -> bytes:
    """One whole message. EOFError when the other went away before its end."""
    data = b""
    while len(data) < HEAD_BYTES or len(data) < HEAD_BYTES + int.from_bytes(data[:HEAD_BYTES], "big"):
        part = other.recv(1 << 16)
        if not part:
            raise EOFError
        data += part
    return data[HEAD_BYTES:]


def _first_words(handle: int, *, until: float) -> bytes:
    """What the host has said by now, up to what may be the end of an object."""
    data = b""
    try:
        while select([handle], [], [], max(until - time.monotonic(), 0.0))[0]:
            part = os.read(handle, MOST_BYTES)
            data += part
            if not part or len(data) > MOST_BYTES or part.rstrip().endswith(b"}"):
                break
    except OSError:
        pass
    return data


def _print(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return  # nobody listens


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        return "/"


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
