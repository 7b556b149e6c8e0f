"""/subconscious run and the rem that a chat leaves behind, in a real terminal with a scripted model."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tests.command_line import RECOLLECT, clean_environment, process
from tests.tmux import CHAT_IDLE as IDLE
from tests.tmux import tmux

TASK = {
    "agent_type": "rem-agent",
    "mode": "background",
    "name": "rem-consolidate",
    "description": "Consolidate session learnings",
}
ADD = {"command": "add", "name": "package-manager", "description": "pnpm or npm", "context": "pnpm, never npm."}
SCRIPT = [
    {"last": "user: go on", "say": json.dumps({"calls": [ADD]})},  # rem, the second time
    {
        "last": "# Conversation turns (history)",
        "say": json.dumps({"calls": [ADD, {"command": "get_board", "name": ""}]}),
    },
    {"last": "Call the task tool exactly once", "calls": [["task", TASK]]},
    {"last": "works in the background", "say": "Started it."},
    {"say": "Yes."},
]
ITEM = "user-said-use-pnpm-here-never-npm"


def test_rem_runs_on_command_and_after_the_end_and_status_counts_it(repository: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPT))
    (tmp_path / "user").mkdir(exist_ok=True)
    environ = clean_environment(tmp_path / "home", tmp_path / "user", RECOLLECT_SUBCONSCIOUS__ENABLED="true")

    def counted(**expected: int) -> None:
        """Wait until status says so: nobody waits for rem."""
        deadline = time.monotonic() + 120
        while not expected.items() <= (said := told("status")["happened"].items()):
            assert time.monotonic() < deadline, said

    def told(*words: str) -> Any:
        return process([RECOLLECT, *words, "--json"], repository, environ).json

    with tmux(tmp_path, environ) as server:
        chat = server.open([RECOLLECT, "chat", "--model", f"scripted:{script}"], repository, columns=120)
        chat.until("◆ Recollect", bottom=IDLE)
        chat.say("/subconscious", "/subconscious takes run.")
        chat.say("We use pnpm here, never npm.", "Yes.")
        chat.say("/subconscious run", "rem-agent works in the background as 'rem-consolidate'.", "Started it.")
        chat.until("The board is as it was: rem's calls were refused and none was done")
        assert told("board", "list") == []
        chat.say("go on", "Yes.")
        chat.say("/subconscious run", "The board is up to date: + package-manager.")
        chat.say("and on", "Yes.")
        chat.type("/quit")
        chat.ended()
        counted(rem_spawned=1, rem_below_min_turns=0, rem_detached_child=1)
        short = server.open([RECOLLECT, "chat", "--model", f"scripted:{script}"], repository)
        short.until("◆ Recollect", bottom=IDLE)
        short.say("hello", "Yes.")
        short.type("/quit")
        short.ended()
        counted(rem_spawned=1, rem_below_min_turns=1, rem_detached_child=1)
    assert sorted(item["name"] for item in told("board", "list")) == ["package-manager", ITEM]
