"""A command at a real terminal, with somebody who reads what it shows and presses keys."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.processes import at_terminal

PATIENCE_SECONDS = 120.0
NUDGE_SECONDS = 15.0
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """One process in a pseudo-terminal of its own."""

    def __init__(self, command: Sequence[str], folder: Path, environ: Mapping[str, str], *, columns: int = 80) -> None:
        self.pid, self.handle = at_terminal(command, folder, environ, columns=columns)
        self.raw = ""  # as the terminal got it
        self.shown = ""
        self._seen = 0

    def until(self, text: str) -> str:
        """Read on until this is shown; what was new."""
        end = time.monotonic() + PATIENCE_SECONDS
        while text not in self.shown[self._seen :]:
            assert time.monotonic() < end, f"{text!r} never came: {self.shown[self._seen :]}"
            assert self._read(), f"it ended without {text!r}: {self.shown[self._seen :]}"
        start, self._seen = self._seen, self.shown.index(text, self._seen) + len(text)
        return self.shown[start : self._seen]

    def press(self, keys: str) -> None:
        """Type this."""
        os.write(self.handle, keys.encode())

    def interrupt(self) -> int:
        """Ctrl-C, then its end. Python notices one that comes just before it reads from the terminal only at the next."""
        self.press("\x03")
        return self.end(nudge="\x03")

    def end(self, *, nudge: str = "") -> int:
        """Read all that is left; the exit code. Whoever is silent gets the nudge; whoever does not end is killed."""
        while self._read(nudge):
            pass
        os.close(self.handle)
        end = time.monotonic() + PATIENCE_SECONDS
        while not (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.01)
        return os.waitstatus_to_exitcode(ended[1])

    def _read(self, nudge: str = "") -> bool:
        waiting = select.poll()
        waiting.register(self.handle, select.POLLIN)
        ready = waiting.poll(NUDGE_SECONDS * 1000)
        if not ready:
            self.press(nudge)
            ready = waiting.poll(PATIENCE_SECONDS * 1000)
        try:
            part = os.read(self.handle, 65_536) if ready else b""
        except OSError:  # Linux says so when the other side is closed
            return False
        self.raw += part.decode("utf-8", "replace")
        self.shown = re.sub("\r+\n", "\n", _ESCAPES.sub("", self.raw)).replace("\r", "")
        return bool(part)
