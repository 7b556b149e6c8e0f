"""The picture in docs/chat.md: a chat in a real terminal. `python -m tests.chat_picture` draws it anew."""

from __future__ import annotations

import io
import json
import re
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from recollect import Recollect
from tests.command_line import RECOLLECT, clean_environment
from tests.conftest import make_repository
from tests.paths import ROOT
from tests.tmux import CHAT_IDLE, CHAT_WORKING, tmux

PICTURE = ROOT / "docs" / "chat.svg"
COLUMNS, ROWS = 80, 32
STEPS = [
    {"name": "find the test", "status": "completed"},
    {"name": "raise the limit", "status": "in_progress"},
]
EDIT = {"path": "limits.py", "old": "RETRIES = 3", "new": "RETRIES = 5"}
SCRIPT = [
    {"last": "how do I run", "say": "With `pnpm test`: earlier records say that this repository uses pnpm [e_01m7]."},
    {"last": "bun now", "say": "Noted. I use bun from here on."},
    {
        "last": "retries",
        "say": "I raise the limit, then run the tests.",
        "calls": [
            ["todo", {"todos": [{"text": one["name"], "status": one["status"]} for one in STEPS]}],
            ["edit", EDIT],
        ],
    },
    {"last": "Changed limits.py", "say": "Done: a request is tried five times now."},
]


def screen() -> str:
    """What the terminal shows at the end, with its colours; names that differ each time are made the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository = make_repository(folder / "shop")
        (repository / "limits.py").write_text("RETRIES = 3\n")
        (folder / "user").mkdir()
        script = folder / "model.json"
        script.write_text(json.dumps(SCRIPT))
        environ = clean_environment(folder / "home", folder / "user", TZ="UTC")
        with Recollect.open(str(folder / "home"), folder=str(repository)) as memory:
            memory.remember("This repository uses pnpm to run the tests.")
        with tmux(folder, environ) as server:
            command = [RECOLLECT, "chat", "--model", f"scripted:{script}"]
            chat = server.open(command, repository, columns=COLUMNS, rows=ROWS)
            chat.until("◆ Recollect", bottom=CHAT_IDLE)
            chat.say("how do I run the tests here?", "earlier records")
            chat.say("No, this repository uses bun now, not pnpm.", "Noted.")
            chat.say("allow more retries", "+RETRIES = 5", "Asked because", "Allow it?", bottom=CHAT_WORKING)
            shown = chat.coloured()
            chat.press("Escape")
            chat.until("Cancelled")
            chat.press("C-d")
            chat.ended()
    shown = re.sub(rf"scripted:{re.escape(name)}\S*", "anthropic:claude-sonnet-4-5", shown)
    shown = re.sub(r"\S*/model\.json", "claude-sonnet-4-5", shown)
    shown = re.sub(r"memory, \d+ tokens", "memory, 84 tokens", shown)  # ids differ, and so does what they take
    return re.sub(r"\bs_[0-9a-z]{8}\b", "s_7jjnf4mk", shown).rstrip("\n")


def drawn(shown: str) -> str:
    """The screen as a picture."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(shown))
    return console.export_svg(title="recollect chat", unique_id="chat")


if __name__ == "__main__":
    PICTURE.write_text(drawn(screen()), encoding="utf-8")
