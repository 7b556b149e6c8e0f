"""A terminal that shows what a command prints, and nobody in front of it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import unicodedata
from types import TracebackType

PATIENCE_SECONDS = 60
_COPIED = re.compile(r"\s*(?:→ )?(?:[+-]|.*\S{40}|\(?`?(?:cd \S+ && )?\S*recollect .*`?\S*$)")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Screen:
    """A pseudo-terminal of a width; what was written to it is `raw`."""

    def __init__(self, columns: int = 80) -> None:
        self._ours, self.inside = pty.openpty()
        fcntl.ioctl(self.inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self._parts: list[bytes] = []

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._ours)
        os.close(self.inside)

    @property
    def raw(self) -> str:
        """All that came, with its escapes."""
        return b"".join(self._parts).decode("utf-8", "replace").replace("\r\n", "\n")

    @property
    def lines(self) -> list[str]:
        """What a person reads, without colour; a progress bar is drawn over itself."""
        return [line.rstrip() for line in re.split(r"[\r\n]", ESCAPES.sub("", self.raw))]

    def read_until(self, ends: int) -> None:
        """Read what is written until that can be read, then the rest of it."""
        waiting = select.poll()
        waiting.register(self._ours, select.POLLIN)
        waiting.register(ends, select.POLLIN)
        ended = False
        while not ended or self._holds_more():
            ready = [handle for handle, _ in waiting.poll(PATIENCE_SECONDS * 1000)]
            assert ready, f"nothing came for a minute: {self.raw[-500:]}"
            if self._ours in ready:
                self._parts.append(os.read(self._ours, 1 << 16))
            ended = ended or ends in ready

    def _holds_more(self) -> bool:
        return bool(select.select([self._ours], [], [], 0)[0])


def cells(line: str) -> int:
    """How many columns a line takes on a terminal."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def too_wide(screen: Screen) -> list[str]:
    """The lines wider than 80 columns, but for what is copied whole: a command, a long path, a line of a diff."""
    return [line for line in screen.lines if cells(line) > 80 and not _COPIED.match(line)]
