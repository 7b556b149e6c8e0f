"""Real processes for fault tests, forked after the imports so that hundreds of them are cheap."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import termios
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


class Child:
    """A forked process that runs a function with the end of a pipe it may write to."""

    def __init__(self, work: Callable[[int], None]) -> None:
        self.output, writing = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(writing)
            return
        os.close(self.output)
        try:
            work(writing)
        except BaseException:  # noqa: BLE001 - the child must never come back into the test
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def read(self) -> bytes:
        """All that it wrote, once it has ended."""
        parts = []
        while part := os.read(self.output, 1 << 16):
            parts.append(part)
        os.close(self.output)
        return b"".join(parts)

    def wait(self) -> int:
        """Its exit code."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def at_terminal(
    command: Sequence[str], folder: Path, environ: Mapping[str, str], *, columns: int = 80
) -> tuple[int, int]:
    """Start a command in a pseudo-terminal of its own: its process id, and our end of the terminal."""
    pid, terminal = pty.fork()
    if pid:
        return pid, terminal
    try:
        # A login gives a terminal these; whoever started the tests in the background has them ignored.
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        os.chdir(folder)
        os.execvpe(command[0], list(command), dict(environ))
    except BaseException:  # noqa: BLE001 - the child must never come back into the test
        traceback.print_exc()
    os._exit(127)


def in_child(work: Callable[[], None]) -> int:
    """Run a function in a forked child; its exit code says how it went."""
    child = Child(lambda _: work())
    child.read()
    return child.wait()
