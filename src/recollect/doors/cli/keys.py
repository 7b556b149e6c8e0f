"""Single keys from a terminal. What is typed ahead is kept: whoever knows what comes need not wait for it."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

END = "\x04"  # Ctrl-D, and the end of input


class Keys:
    """The keyboard of a person at this terminal, for as long as the context lasts."""

    def __init__(self) -> None:
        self._typed = ""
        self._handle = sys.stdin.fileno()
        self._usual: list[object] | None = None

    def __enter__(self) -> Keys:
        self._immediately()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._as_usual()
        return kind is KeyboardInterrupt  # whoever presses Ctrl-C has had enough, also between two keys

    def next(self) -> str:
        """The next key; Ctrl-C counts as the end."""
        sys.stdout.flush()
        try:
            if not self._typed:
                self._typed = self._read()
        except KeyboardInterrupt:
            return END
        if not self._typed:
            return END
        long = 3 if self._typed.startswith("\x1b[") else 1
        key, self._typed = self._typed[:long], self._typed[long:]
        return key

    @contextmanager
    def as_usual(self) -> Iterator[None]:
        """The terminal as programs expect it, for something that reads whole lines."""
        self._as_usual()
        try:
            yield
        finally:
            self._immediately()

    def _read(self) -> str:
        if os.name == "nt":
            import click

            return click.getchar()
        return os.read(self._handle, 64).decode("utf-8", "replace")

    def _immediately(self) -> None:
        """Every key at once, and none of them shown."""
        if os.name != "nt":
            import termios

            self._usual = termios.tcgetattr(self._handle)
            mode = termios.tcgetattr(self._handle)
            mode[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(self._handle, termios.TCSADRAIN, mode)

    def _as_usual(self) -> None:
        if self._usual is not None:
            import termios

            termios.tcsetattr(self._handle, termios.TCSADRAIN, self._usual)  # type: ignore[arg-type]
            self._usual = None
