"""A real terminal: one tmux server for a module, and panes whose screens are read and whose keys are pressed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE_SECONDS = 120.0
LOOK_SECONDS = 0.05
CHAT_IDLE = r"\d%( · \d+ to review)?$"  # the status line of a chat is there, and nothing runs
CHAT_WORKING = r"\d% · working"


class Pane:
    """One program in one window of the terminal."""

    def __init__(self, terminal: Tmux, name: str) -> None:
        self._terminal = terminal
        self._name = name

    def press(self, *keys: str) -> None:
        """Press keys by their tmux names: Enter, Escape, C-c."""
        self._terminal.run("send-keys", "-t", self._name, *keys)

    def type(self, text: str) -> None:
        """Type this, and Enter."""
        self._terminal.run("send-keys", "-t", self._name, "-l", text)
        self.press("Enter")

    def paste(self, text: str) -> None:
        """Paste this, as a terminal does."""
        self._terminal.run("set-buffer", text)
        self._terminal.run("paste-buffer", "-p", "-t", self._name)

    def screen(self, *, scrollback: bool = False) -> str:
        """What it shows, without the spaces at the ends of lines."""
        more = ("-S", "-2000") if scrollback else ()
        return self._terminal.run("capture-pane", "-p", *more, "-t", self._name)

    def coloured(self) -> str:
        """What it shows, scrollback included, with its colours."""
        return self._terminal.run("capture-pane", "-p", "-e", "-S", "-2000", "-t", self._name)

    def say(self, typed: str, *texts: str, bottom: str = CHAT_IDLE) -> str:
        """Type this into a chat, and wait until all of this is shown below it; the screen then."""
        echo = "› " + typed[:40]
        before = self.screen(scrollback=True).count(echo)
        self.type(typed)
        self.until(after=echo, times=before + 1)
        return self.until(*texts, after=echo, bottom=bottom)

    def until(self, *texts: str, after: str = "", times: int = 1, gone: str = "", bottom: str = "") -> str:
        """Wait until all of this is shown (below the last `after`, which came so many times), `gone` is not, and the
        last line matches `bottom`; the screen then."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            shown = self.screen(scrollback=bool(after))
            below = shown.rpartition(after)[2] if after else shown
            is_there = shown.count(after) >= times and all(text in below for text in texts)
            last = shown.rstrip().rpartition("\n")[2]
            if is_there and not (gone and gone in shown) and re.search(bottom, last):
                return below
            assert time.monotonic() < end, f"{texts} never came:\n{shown}"
            time.sleep(LOOK_SECONDS)

    @property
    def pid(self) -> int:
        """The process in it."""
        return int(self._terminal.run("display-message", "-p", "-t", self._name, "#{pane_pid}"))

    def ended(self) -> str:
        """Wait until the program has ended; what it left on the screen."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self._terminal.run("display-message", "-p", "-t", self._name, "#{pane_dead}").strip() != "1":
            assert time.monotonic() < end, self.screen()
            time.sleep(LOOK_SECONDS)
        return self.screen(scrollback=True)


class Tmux:
    """A tmux server of its own."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self._words = ["tmux", "-S", str(folder / "tmux"), "-f", os.devnull]
        self._environ = {**environ, "TERM": "xterm-256color"}
        self._names = iter(f"w{number}" for number in range(1000))
        self.run("new-session", "-d", "-s", "first", "-x", "80", "-y", "30", "cat")
        self.run("set-option", "-g", "remain-on-exit", "on")

    def open(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        columns: int = 80,
        rows: int = 30,
        variables: Mapping[str, str] | None = None,
    ) -> Pane:
        """Start a program in a terminal of this size."""
        name = next(self._names)
        given = [part for key, value in (variables or {}).items() for part in ("-e", f"{key}={value}")]
        size = ("-x", str(columns), "-y", str(rows))
        self.run("new-session", "-d", "-s", name, *size, "-c", str(folder), *given, shlex.join(command))
        return Pane(self, name)

    def run(self, *words: str) -> str:
        """One tmux command; what it prints."""
        done = subprocess.run([*self._words, *words], env=self._environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def stop(self) -> None:
        """End it with all that runs in it."""
        subprocess.run([*self._words, "kill-server"], env=self._environ, capture_output=True, check=False)


@contextmanager
def tmux(folder: Path, environ: Mapping[str, str]) -> Iterator[Tmux]:
    """A server, as long as it lasts."""
    server = Tmux(folder, environ)
    try:
        yield server
    finally:
        server.stop()
