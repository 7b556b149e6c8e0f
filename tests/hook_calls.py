"""Scripted hosts: exactly what each of them sends to a hook, and what it would take out of the answer."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.files.home import Home
from recollect.files.launchers.hook_launcher import ensure_launcher
from recollect.flows.hooks.answer_hook import Clock
from recollect.flows.hooks.respond import Reply, respond

AT = "2026-11-01T09:00:00.000Z"
MILLISECONDS = 1_793_523_600_000
# What each host sets in the environment of a hook.
SURROUNDINGS: dict[str, dict[str, str]] = {
    "cursor": {"CURSOR_VERSION": "2.1.0", "CLAUDE_PROJECT_DIR": "/w/app"},
    "gemini-cli": {"GEMINI_SESSION_ID": "G", "CLAUDE_PROJECT_DIR": "/w/app"},
    "copilot-cli": {"COPILOT_CLI": "1", "CLAUDE_PROJECT_DIR": "/w/app"},
}
INJECTING_AT_PROMPT = ("claude-code", "codex", "copilot-cli", "gemini-cli", "cursor", "opencode", "pi", "cline")
INJECTING_AT_START = (*INJECTING_AT_PROMPT, "vscode")
ALL = (*INJECTING_AT_START, "goose")


def session_start(host: str, cwd: Path | str, session: str = "S", source: str = "startup") -> dict[str, Any]:
    """The start of a session as the host tells it."""
    cwd = str(cwd)
    claude: dict[str, Any] = {
        "session_id": session, "transcript_path": f"/u/.claude/projects/-w-app/{session}.jsonl", "cwd": cwd,
        "hook_event_name": "SessionStart", "source": source, "model": "claude-x",
    }  # fmt: skip
    calls: dict[str, dict[str, Any]] = {
        "claude-code": claude,
        "codex": {
            **claude, "transcript_path": None, "turn_id": "t0", "permission_mode": "default", "model": "gpt-x",
        },
        "copilot-cli": {"sessionId": session, "timestamp": MILLISECONDS, "cwd": cwd, "source": "new", "initialPrompt": "x"},
        "gemini-cli": {
            "session_id": session, "transcript_path": f"/u/.gemini/tmp/app/chats/session-{session}.jsonl", "cwd": cwd,
            "hook_event_name": "SessionStart", "timestamp": AT, "source": source,
        },
        "vscode": {"timestamp": AT, "cwd": cwd, "sessionId": session, "hookEventName": "SessionStart", "transcript_path": "/u/t.json", "source": "new"},
        "cursor": {
            "conversation_id": session, "session_id": session, "generation_id": f"g{session}", "model": "m",
            "hook_event_name": "sessionStart", "cursor_version": "2.1.0", "workspace_roots": [cwd],
            "user_email": "a@example.com", "transcript_path": f"/u/.cursor/projects/w/agent-transcripts/{session}.jsonl",
        },
        "opencode": {"host": "opencode", "event": "session_start", "session": session, "cwd": cwd, "prompt": "", "transcript": ""},
        "pi": {"host": "pi", "event": "session_start", "session": session, "cwd": cwd, "prompt": "", "transcript": ""},
        "goose": {"event": "SessionStart", "session_id": session, "matcher_context": None, "cwd": cwd},
        "cline": {
            "clineVersion": "3.40.0", "hookName": "TaskStart", "timestamp": str(MILLISECONDS), "taskId": session,
            "workspaceRoots": [cwd], "userId": "u", "taskStart": {"taskMetadata": {"taskId": session, "initialTask": "x"}},
        },
    }  # fmt: skip
    return calls[host]


def stamp() -> str:
    """Now, as hosts write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _common(host: str, cwd: Path | str, session: str) -> dict[str, Any]:
    """What a host says with every event; Claude Code names its model at the start alone."""
    start = session_start(host, cwd, session)
    for name in ("source", "initialPrompt", *(("model",) if host == "claude-code" else ())):
        start.pop(name, None)
    return start


def prompt(host: str, cwd: Path | str, text: str, session: str = "S") -> dict[str, Any]:
    """A prompt as the host tells it; for Copilot CLI where it is transformed."""
    start = _common(host, cwd, session)
    turn = f"{session}-{abs(hash(text))}"
    return {
        "claude-code": {**start, "hook_event_name": "UserPromptSubmit", "prompt": text, "prompt_id": turn},
        "codex": {**start, "hook_event_name": "UserPromptSubmit", "prompt": text, "turn_id": turn},
        "copilot-cli": {
            **start,
            "prompt": text,
            "transformedPrompt": f"<current_datetime>now</current_datetime>\n\n{text}",
        },
        "gemini-cli": {**start, "hook_event_name": "BeforeAgent", "prompt": text},
        "vscode": {**start, "hookEventName": "UserPromptSubmit", "prompt": text},
        "cursor": {
            **start,
            "hook_event_name": "beforeSubmitPrompt",
            "prompt": text,
            "attachments": [],
            "generation_id": turn,
        },
        "opencode": {**start, "event": "prompt", "prompt": text},
        "pi": {**start, "event": "prompt", "prompt": text},
        "goose": {**start, "event": "UserPromptSubmit", "message": text},
        "cline": {**start, "hookName": "UserPromptSubmit", "userPromptSubmit": {"prompt": text, "attachments": []}},
    }[host]


def leaving(host: str, cwd: Path | str, session: str = "S") -> dict[str, Any]:
    """The end of a turn as the host tells it."""
    start = _common(host, cwd, session)
    return {
        "claude-code": {**start, "hook_event_name": "Stop", "stop_hook_active": False},
        "codex": {**start, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": "Done."},
        "copilot-cli": {
            **start,
            "transcriptPath": "/u/.copilot/session-state/S/events.jsonl",
            "stopReason": "end_turn",
        },
        "gemini-cli": {
            **start,
            "hook_event_name": "AfterAgent",
            "prompt": "x",
            "prompt_response": "y",
            "stop_hook_active": False,
        },
        "vscode": {**start, "hookEventName": "Stop", "stop_hook_active": False},
        "cursor": {**start, "hook_event_name": "stop", "status": "completed", "loop_count": 0},
        "opencode": {**start, "event": "stop"},
        "pi": {**start, "event": "stop"},
        "goose": {**start, "event": "Stop"},
        "cline": {**start, "hookName": "TaskComplete", "taskComplete": {"taskMetadata": {}}},
    }[host]


def pre_compact(host: str, cwd: Path | str, session: str = "S") -> dict[str, Any]:
    """A compaction as the host announces it; pi and goose announce none."""
    start = _common(host, cwd, session)
    return {
        "claude-code": {**start, "hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": ""},
        "codex": {**start, "hook_event_name": "PreCompact", "trigger": "auto"},
        "copilot-cli": {
            **start,
            "transcriptPath": "/u/.copilot/session-state/S/events.jsonl",
            "trigger": "auto",
            "customInstructions": "",
        },
        "gemini-cli": {**start, "hook_event_name": "PreCompress", "trigger": "manual", "timestamp": stamp()},
        "vscode": {**start, "hookEventName": "PreCompact", "trigger": "auto"},
        "cursor": {**start, "hook_event_name": "preCompact", "trigger": "auto"},
        "opencode": {**start, "event": "pre_compact"},
        "pi": {**start, "event": "pre_compact"},
        "goose": {**start, "event": "PreCompact"},
        "cline": {**start, "hookName": "PreCompact", "preCompact": {"contextSize": 1}},
    }[host]


def taken(host: str, answer: Mapping[str, Any]) -> str:
    """The memory that the host finds in an answer; an answer with a key that it does not know has none."""
    if host in ("claude-code", "codex", "gemini-cli", "vscode"):
        assert set(answer) <= {"hookSpecificOutput"}, answer
        inner = answer.get("hookSpecificOutput", {})
        assert set(inner) <= {"hookEventName", "additionalContext"}, answer
        return str(inner.get("additionalContext", ""))
    if host == "copilot-cli":
        assert set(answer) <= {"additionalContext"} or set(answer) == {"modifiedTransformedPrompt"}, answer
        return str(answer.get("additionalContext") or answer.get("modifiedTransformedPrompt", ""))
    if host == "cursor":
        assert set(answer) <= {"additional_context"}, answer
        return str(answer.get("additional_context", ""))
    if host == "cline":
        assert set(answer) <= {"cancel", "contextModification"}, answer
        assert not answer.get("cancel"), answer
        return str(answer.get("contextModification", ""))
    if host in ("opencode", "pi"):
        assert set(answer) <= {"context"}, answer
        return str(answer.get("context", ""))
    assert answer == {}, answer
    return ""


def heard(
    said: object,
    home: Path,
    user: Path,
    /,
    *,
    host: str = "",
    now: float | None = None,
    limit: float = 30.0,
    **more: str,
) -> Reply:
    """The door in this process."""
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    words = ["--host", host] if host else []
    environ = {"HOME": str(user), "RECOLLECT_HOME": str(home), **more}
    return respond(words, data, home=Home(str(home)), environ=environ, clock=Clock(limit), now=now)


def answered(said: object, home: Path, user: Path, /, **more: Any) -> dict[str, Any]:
    """What the door in this process says, as a host that finds no JSON takes it: nothing."""
    data = heard(said, home, user, **more).data
    answer: dict[str, Any] = json.loads(data) if data.startswith(b"{") else {}
    return answer


class Ended:
    """How a real hook process ended."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def answer(self) -> dict[str, Any]:
        """The one object on stdout."""
        assert self.code == 0, (self.code, self.err)
        lines = self.out.decode().splitlines()
        assert len(lines) == 1, self.out
        answer = json.loads(lines[0])
        assert isinstance(answer, dict)
        return answer


def launched(said: object, home: Path, user: Path, /, *, host: str = "", cwd: Path | None = None, **more: str) -> Ended:
    """The launcher as a host calls it: nothing in the environment but what the host sets."""
    launcher = ensure_launcher(Home(str(home)))
    data = said if isinstance(said, bytes) else json.dumps(said).encode()
    environ = {"HOME": str(user), "PATH": os.environ["PATH"], **SURROUNDINGS.get(host, {}), **more}
    words = [launcher, *(["--host", host] if host else [])]
    return Ended(subprocess.run(words, input=data, capture_output=True, env=environ, cwd=cwd, timeout=60, check=False))
