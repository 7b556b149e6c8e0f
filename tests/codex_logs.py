"""Rollout files of Codex, made for a test: what was typed, which commands ran and how they ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class CodexLog:
    """One session of Codex in a user's folder."""

    def __init__(self, user: Path, folder: str, number: int, *, day: str = "2026-10-05") -> None:
        self.folder, self.number, self.day = folder, number, day
        self.lines: list[dict[str, Any]] = []
        self.calls = 0
        self.session = f"0199aaaa-2222-7000-8000-{number:012d}"
        self.path = user / ".codex" / "sessions" / day.replace("-", "/")
        self.path /= f"rollout-{day}T09-00-00-{self.session}.jsonl"
        self._add("session_meta", {"id": self.session, "cwd": folder, "cli_version": "0.142.0"})

    def typed(self, text: str) -> CodexLog:
        """The user types something."""
        return self._add("event_msg", {"type": "user_message", "message": text})

    def answered(self, text: str) -> CodexLog:
        """The assistant says something."""
        return self._add("event_msg", {"type": "agent_message", "message": text})

    def ran(self, command: str, header: str, output: str = "", **arguments: Any) -> CodexLog:
        """A command, and what stands above its output: `Process exited with code 0`, say."""
        return self._call("exec_command", {"cmd": command, "workdir": self.folder, **arguments}, header, output)

    def looked(self, process: int, header: str, output: str = "") -> CodexLog:
        """A look at a command that was still running."""
        return self._call("write_stdin", {"session_id": process, "chars": ""}, header, output)

    def changed(self, path: str) -> CodexLog:
        """A patch of one file."""
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch"
        return self._call("apply_patch", {"input": patch}, "Process exited with code 0", "Success.")

    def planned(self, *steps: tuple[str, str]) -> CodexLog:
        """The agent's list of tasks: each with its state."""
        plan = [{"step": step, "status": status} for step, status in steps]
        return self._call("update_plan", {"plan": plan}, "Plan updated", "")

    def write(self) -> None:
        """Put it where Codex keeps it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("".join(f"{json.dumps(line)}\n" for line in self.lines))

    def _call(self, name: str, arguments: dict[str, Any], header: str, output: str) -> CodexLog:
        self.calls += 1
        call_id = f"call_{self.number}_{self.calls}"
        call = {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": call_id}
        text = f"Chunk ID: 1\nWall time: 1.0 seconds\n{header}\nOutput:\n{output}"
        self._add("response_item", call)
        return self._add("response_item", {"type": "function_call_output", "call_id": call_id, "output": text})

    def _add(self, kind: str, payload: dict[str, Any]) -> CodexLog:
        minute, second = divmod(len(self.lines), 60)
        at = f"{self.day}T09:{minute:02d}:{second:02d}.000Z"
        self.lines.append({"timestamp": at, "type": kind, "payload": payload})
        return self
