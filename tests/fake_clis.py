"""Small programs that are called, told and answer like the coding agents' CLIs, and write down how they were run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from recollect.flows.models.cases import CASES, DURABLE

NAMES = ("claude", "codex", "gemini", "copilot", "opencode")

# What the real ones printed when they were asked with a model on loopback; ANSWER is where the answer stands.
PRINTS: dict[str, list[dict[str, Any]]] = {
    "claude": [
        {
            "type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "stop_reason": "end_turn",
            "total_cost_usd": 0.00014, "result": "ANSWER", "session_id": "caed6a65-b8af-42f5-821d-599025de524e",
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 4, "output_tokens": 5},
            "modelUsage": {"claude-opus-5-5": {"inputTokens": 10, "outputTokens": 5, "costUSD": 0.00014}},
        }
    ],
    "codex": [
        {"type": "thread.started", "thread_id": "01a1e3b4-2e1e-7d21-ace2-a306596e8ceb"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "error", "message": "Model metadata not found."}},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "ANSWER"}},
        {"type": "turn.completed", "usage": {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 5}},
    ],
    "gemini": [
        {
            "session_id": "fe04c68e-9616-4857-b395-71a08422121f", "response": "ANSWER",
            "stats": {"models": {"gemini-2.5-flash": {"tokens": {"input": 10, "prompt": 10, "candidates": 5, "total": 15, "cached": 4, "thoughts": 0}}}},
        }
    ],
    "copilot": [
        {"type": "session.mcp_servers_loaded", "ephemeral": True, "data": {"servers": []}},
        {"type": "assistant.message_delta", "data": {"deltaContent": "ANSWER"}, "ephemeral": True},
        {"type": "assistant.message", "data": {"model": "gpt-5", "content": "ANSWER", "toolRequests": []}},
        {"type": "result", "exitCode": 0, "usage": {"premiumRequests": 0}},
    ],
    "opencode": [
        {"type": "step_start", "part": {"type": "step-start"}},
        {"type": "text", "part": {"type": "text", "text": "ANSWER"}},
        {"type": "step_finish", "part": {"reason": "stop", "tokens": {"input": 6, "output": 5, "reasoning": 0, "cache": {"write": 0, "read": 4}}, "cost": 0}},
    ],
}  # fmt: skip

PROGRAM = """\
#!{python} -IS
import json, os, subprocess, sys, time
prints = json.loads({prints!r})
said = sys.stdin.read()
run = {{"words": sys.argv[1:], "stdin": said, "environ": dict(os.environ), "folder": os.getcwd(),
       "there": os.listdir("."), "pid": os.getpid(),
       "files": {{word: open(word).read() for word in sys.argv[1:] if os.path.isfile(word)}}}}
with open({record!r}, "a") as file:
    file.write(json.dumps(run) + "\\n")
behaviour = {behaviour!r}
if behaviour == "fails":
    sys.stderr.write("warning: something\\nPlease log in first.\\n")
    sys.exit(1)
if behaviour == "hangs":
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    time.sleep(600)
if behaviour == "floods":
    for _ in range(400):
        sys.stdout.write("x" * 100_000)
if behaviour == "writes":
    open("left.txt", "w").write("x")
answer = {answer!r}
for row in prints:
    print(json.dumps(row).replace('"ANSWER"', json.dumps(answer)))
if not prints:
    print(answer)
"""


def case_answers(**wrong: object) -> list[dict[str, Any]]:
    """What a model says that gets all shipped cases right, but for what is said."""
    return [
        {
            "n": number,
            "kind": case.kind,
            "quote": case.text if case.kind in DURABLE else "",
            "scope": case.scope,
            "replaces": case.replaces,
            **wrong,
        }
        for number, case in enumerate(CASES, start=1)
    ]


def right_answers(**wrong: object) -> str:
    """The same as it would be printed."""
    return json.dumps({"answers": case_answers(**wrong)})


class Clis:
    """A folder of such programs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._record = folder / "runs.jsonl"
        folder.mkdir()

    def make(self, name: str, answer: str, behaviour: str = "answers") -> None:
        """Put a program there; one that is not a known CLI prints the answer alone."""
        program = self.folder / name
        program.write_text(
            PROGRAM.format(
                python=sys.executable,
                prints=json.dumps(PRINTS.get(name, [])),
                record=str(self._record),
                answer=answer,
                behaviour=behaviour,
            )
        )
        program.chmod(0o755)

    @property
    def runs(self) -> list[dict[str, Any]]:
        """How they were run."""
        return [json.loads(line) for line in self._record.read_text().splitlines()] if self._record.exists() else []
