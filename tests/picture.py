"""The picture in the README: what `recollect up --sample` shows at a terminal. `python -m tests.picture` draws it again."""

from __future__ import annotations

import html
import io
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.command_line import RECOLLECT, clean_environment
from tests.paths import ROOT
from tests.terminals import Terminal

PICTURE = ROOT / "docs" / "up.svg"
COLUMNS = 80
_TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")


def screen() -> str:
    """What the terminal shows, with its colours; names that differ each time are made the same."""
    with tempfile.TemporaryDirectory() as folder:
        user = Path(folder) / "user"
        (user / ".codex").mkdir(parents=True)  # an agent that could be connected
        environ = clean_environment(Path(folder) / "home", user, TERM="xterm-256color", TZ="UTC")
        command = ["/bin/sh", "-c", f"{RECOLLECT} up --sample --no-serve 2>/dev/null"]
        terminal = Terminal(command, user, environ, columns=COLUMNS)
        assert terminal.end() == 0, terminal.raw
    shown = re.sub(r"\S*recollect-sample-\d+", "/tmp/recollect-sample", terminal.raw)
    return re.sub(r"\be_[0-9a-z]{8}\b", "e_checkout", re.sub("\r+\n", "\n", shown)).rstrip("\n")


def drawn(shown: str) -> str:
    """The screen as a picture."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("$ recollect up --sample", style="bold"))
    console.print(Text.from_ansi(shown))
    return console.export_svg(title="recollect up", unique_id="up")


def words(picture: str) -> str:
    """All that stands in a picture, without the spaces between."""
    return re.sub(r"\s+", "", html.unescape("".join(_TEXT.findall(picture))))


if __name__ == "__main__":
    PICTURE.write_text(drawn(screen()), encoding="utf-8")
