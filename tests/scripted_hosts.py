"""Scripted hosts. Each does with what `recollect install` wrote what the real one does: it reads its own files, calls
the commands it finds there with exactly what that host sends, takes exactly the keys that host takes, and keeps its log.

What a host shows its model comes back as text: `start` at session start, `say` with a prompt."""

from __future__ import annotations

import json
import re
import subprocess
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

Json = dict[str, Any]
SECONDS = 30


class HostFault(AssertionError):
    """The real host would have shown its user an error, or dropped the answer."""


class ScriptedHost:
    """One session of one host, in one folder, for one user."""

    name: str
    takes_at_prompt = True

    def __init__(self, user: Path, folder: Path, environ: dict[str, str]) -> None:
        self.user = user
        self.folder = folder
        self.environ = environ
        self.session = str(uuid.uuid4())
        self.heard: list[tuple[str, Json, Json]] = []  # each event as the host spells it, what it said, the answer

    # -- what a test does

    def start(self, source: str = "startup") -> str:
        """Begin or resume the session; what its model sees before anything is typed."""
        raise NotImplementedError

    def say(self, text: str, *, reply: str = "Done.") -> str:
        """Type a prompt and let the turn end; what the model sees besides the prompt itself."""
        seen = self.prompt(text)
        self.log(text, reply)
        self.stop(reply)
        return seen

    def prompt(self, text: str) -> str:
        raise NotImplementedError

    def log(self, text: str, reply: str) -> None:
        """Write the turn to the host's own log, as the host would."""
        raise NotImplementedError

    def stop(self, reply: str) -> None:
        raise NotImplementedError

    # -- how every host runs a command

    def run(self, event: str, command: str, payload: Json, **environ: str) -> Json:
        """Run one hook as a shell line, as all of them do, and read its one JSON object."""
        done = subprocess.run(
            command,
            shell=True,
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**self.environ, **environ},
            timeout=SECONDS,
            check=False,
        )
        if done.returncode:
            raise HostFault(f"{command}: exit {done.returncode}: {done.stderr}")
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            raise HostFault(f"{command}: {done.stdout!r} is not JSON") from None
        if not isinstance(answer, dict):
            raise HostFault(f"{command}: {done.stdout!r} is not an object")
        self.heard.append((event, payload, answer))
        return answer

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def claude_commands(path: Path, event: str, source: str = "") -> list[str]:
    """The commands that a file in Claude's nested form has for an event."""
    if not path.is_file():
        return []
    found = []
    for group in json.loads(path.read_text()).get("hooks", {}).get(event, []):
        matcher = group.get("matcher", "")
        if source and matcher not in ("", "*") and not re.fullmatch(matcher, source):
            continue
        found += [hook["command"] for hook in group["hooks"] if hook["type"] == "command"]
    return found


def only(answer: Json, *keys: str) -> Json:
    """An answer that has no other keys than the host knows."""
    if extra := set(answer) - set(keys):
        raise HostFault(f"keys this host does not know: {sorted(extra)}")
    return answer


COMMON = ("continue", "suppressOutput", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput")


def nested_context(answer: Json, event: str) -> str:
    """The context of an answer in Claude's form, read as strictly as Codex reads it."""
    inner = only(answer, *COMMON).get("hookSpecificOutput")
    if inner is None:
        return ""
    only(inner, "hookEventName", "additionalContext")
    if inner["hookEventName"] != event:
        raise HostFault(f"an answer to {inner['hookEventName']} at {event}")
    return str(inner.get("additionalContext", ""))


def append(path: Path, *records: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as log:
        log.writelines(json.dumps(record) + "\n" for record in records)


class ClaudeCode(ScriptedHost):
    """Claude Code: the user's settings.json, nested hooks, additionalContext."""

    name = "claude-code"

    @property
    def transcript(self) -> Path:
        slug = re.sub(r"[^a-zA-Z0-9]", "-", str(self.folder))
        return self.user / ".claude" / "projects" / slug / f"{self.session}.jsonl"

    def call(self, event: str, *, source: str = "", **fields: object) -> str:
        payload = {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": str(self.folder),
            "hook_event_name": event,
            **fields,
        }
        if source:
            payload["source"] = source
        commands = claude_commands(self.user / ".claude" / "settings.json", event, source)
        answers = [self.run(event, command, payload, CLAUDE_PROJECT_DIR=str(self.folder)) for command in commands]
        return "\n".join(filter(None, (nested_context(answer, event) for answer in answers)))

    def start(self, source: str = "startup") -> str:
        return self.call("SessionStart", source=source, model="claude-x")

    def prompt(self, text: str) -> str:
        return self.call("UserPromptSubmit", prompt=text, permission_mode="default", prompt_id="p1")

    def log(self, text: str, reply: str) -> None:
        common = {
            "isSidechain": False, "userType": "external", "entrypoint": "cli", "cwd": str(self.folder),
            "sessionId": self.session, "version": "2.1.325", "gitBranch": "main", "timestamp": self.now(),
        }  # fmt: skip
        asked, said = str(uuid.uuid4()), str(uuid.uuid4())
        append(
            self.transcript,
            {"parentUuid": None, "type": "user", "message": {"role": "user", "content": text}, "uuid": asked, **common},
            {"parentUuid": asked, "type": "assistant", "uuid": said, **common,
             "message": {"id": f"msg_{said}", "type": "message", "role": "assistant", "model": "claude-x",
                         "content": [{"type": "text", "text": reply}]}},
        )  # fmt: skip

    def stop(self, reply: str) -> None:
        self.call("Stop", stop_hook_active=False, last_assistant_message=reply)


class Codex(ScriptedHost):
    """Codex: hooks.json, unknown keys invalidate an answer."""

    name = "codex"

    @property
    def transcript(self) -> Path:
        return (
            self.user
            / ".codex"
            / "sessions"
            / "2026"
            / "11"
            / "01"
            / f"rollout-2026-11-01T09-00-00-{self.session}.jsonl"
        )

    def call(self, event: str, *, source: str = "", **fields: object) -> str:
        path = self.user / ".codex" / "hooks.json"
        only(json.loads(path.read_text()), "description", "hooks")
        payload = {
            "session_id": self.session,
            "transcript_path": str(self.transcript) if self.transcript.exists() else None,
            "cwd": str(self.folder),
            "hook_event_name": event,
            "turn_id": "1",
            "model": "gpt-x",
            "permission_mode": "default",
            **({"source": source} if source else {}),
            **fields,
        }
        answers = [self.run(event, command, payload) for command in claude_commands(path, event, source)]
        return "\n".join(filter(None, (nested_context(answer, event) for answer in answers)))

    def start(self, source: str = "startup") -> str:
        return self.call("SessionStart", source=source)

    def prompt(self, text: str) -> str:
        return self.call("UserPromptSubmit", prompt=text)

    def log(self, text: str, reply: str) -> None:
        def line(kind: str, **payload: object) -> Json:
            return {"timestamp": self.now(), "type": kind, "payload": payload}

        if not self.transcript.exists():
            append(self.transcript, line(
                "session_meta", id=self.session, timestamp=self.now(), cwd=str(self.folder), originator="codex-tui",
                cli_version="0.142.5", source="cli", thread_source="user", model_provider="openai",
            ))  # fmt: skip
        append(
            self.transcript,
            line("response_item", type="message", role="user", content=[{"type": "input_text", "text": text}]),
            line("event_msg", type="user_message", message=text, images=[]),
            line("response_item", type="message", role="assistant", content=[{"type": "output_text", "text": reply}]),
            line("event_msg", type="agent_message", message=reply),
        )

    def stop(self, reply: str) -> None:
        self.call("Stop", stop_hook_active=False, last_assistant_message=reply)


def copilot_commands(folder: Path, event: str) -> list[str]:
    """The commands of Copilot's hook files for an event."""
    found = []
    for path in sorted(folder.glob("*.json")):
        document = json.loads(path.read_text())
        assert document["version"] == 1
        for entry in document["hooks"].get(event, []):
            found += [hook.get("bash") or hook["command"] for hook in entry.get("hooks", [entry])]
    return found


class CopilotCli(ScriptedHost):
    """Copilot CLI: camelCase events, context at the top level, prompts only by userPromptTransformed."""

    name = "copilot-cli"

    @property
    def transcript(self) -> Path:
        return self.user / ".copilot" / "session-state" / self.session / "events.jsonl"

    def call(self, event: str, **fields: object) -> list[Json]:
        payload = {"sessionId": self.session, "timestamp": int(time.time() * 1000), "cwd": str(self.folder), **fields}
        commands = copilot_commands(self.user / ".copilot" / "hooks", event)
        return [self.run(event, command, payload) for command in commands]

    def start(self, source: str = "new") -> str:
        answers = self.call("sessionStart", source="new" if source == "startup" else source, initialPrompt="")
        return "\n".join(only(answer, "additionalContext").get("additionalContext", "") for answer in answers)

    def prompt(self, text: str) -> str:
        self.call("userPromptSubmitted", prompt=text)  # what it answers is dropped
        sent = f"<current_datetime>{self.now()}</current_datetime>\n\n{text}"
        for answer in self.call("userPromptTransformed", prompt=text, transformedPrompt=sent):
            sent = only(answer, "modifiedTransformedPrompt").get("modifiedTransformedPrompt", sent)
        assert text in sent, "the prompt itself was lost"
        return sent.replace(text, "", 1)

    def log(self, text: str, reply: str) -> None:
        def event(kind: str, **data: object) -> Json:
            return {"type": kind, "data": data, "id": str(uuid.uuid4()), "timestamp": self.now(), "parentId": None}

        if not self.transcript.exists():
            place = {"cwd": str(self.folder), "gitRoot": str(self.folder), "repository": "owner/app", "branch": "main"}
            append(self.transcript, event(
                "session.start", sessionId=self.session, version=1, producer="copilot-agent", copilotVersion="1.0.68",
                startTime=self.now(), context=place,
            ))  # fmt: skip
        append(
            self.transcript,
            event("user.message", content=text, transformedContent=text, attachments=[], interactionId="i1"),
            event("assistant.message", messageId="m1", content=reply, toolRequests=[], interactionId="i1", turnId="0"),
        )

    def stop(self, reply: str) -> None:
        for answer in self.call("agentStop", transcriptPath=str(self.transcript), stopReason="end_turn"):
            only(answer, "decision", "reason")


class GeminiCli(ScriptedHost):
    """Gemini CLI: BeforeAgent is the prompt, and only JSON is context."""

    name = "gemini-cli"

    @property
    def transcript(self) -> Path:
        return self.user / ".gemini" / "tmp" / "app" / "chats" / f"session-2026-11-01T09-00-{self.session[:8]}.jsonl"

    def call(self, event: str, *, source: str = "", **fields: object) -> str:
        payload = {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": str(self.folder),
            "hook_event_name": event,
            "timestamp": self.now(),
            **({"source": source} if source else {}),
            **fields,
        }
        places = {
            "GEMINI_PROJECT_DIR": str(self.folder),
            "GEMINI_SESSION_ID": self.session,
            "CLAUDE_PROJECT_DIR": str(self.folder),
        }
        commands = claude_commands(self.user / ".gemini" / "settings.json", event, source)
        answers = [self.run(event, command, payload, **places) for command in commands]
        return "\n".join(filter(None, (nested_context(answer, event) for answer in answers)))

    def start(self, source: str = "startup") -> str:
        return self.call("SessionStart", source=source)

    def prompt(self, text: str) -> str:
        return self.call("BeforeAgent", prompt=text)

    def log(self, text: str, reply: str) -> None:
        if not self.transcript.exists():
            projects = self.user / ".gemini" / "projects.json"
            append(self.transcript, {
                "sessionId": self.session, "projectHash": "ab", "startTime": self.now(), "lastUpdated": self.now(),
                "kind": "main",
            })  # fmt: skip
            projects.write_text(json.dumps({"projects": {str(self.folder): "app"}}))
        append(
            self.transcript,
            {"id": str(uuid.uuid4()), "timestamp": self.now(), "type": "user", "content": [{"text": text}]},
            {"id": str(uuid.uuid4()), "timestamp": self.now(), "type": "gemini", "content": reply, "model": "gemini-x",
             "thoughts": [], "tokens": {"input": 1, "output": 1, "cached": 0, "total": 2}},
        )  # fmt: skip

    def stop(self, reply: str) -> None:
        self.call("AfterAgent", prompt="", prompt_response=reply, stop_hook_active=False)


class VsCode(ScriptedHost):
    """VS Code: reads Copilot's and Claude's files too, takes context at session start alone."""

    name = "vscode"
    takes_at_prompt = False
    EVENTS: ClassVar = {"SessionStart": "sessionStart", "UserPromptSubmit": "userPromptSubmitted", "Stop": "agentStop"}

    @property
    def transcript(self) -> Path:
        return self.storage / "chatSessions" / f"{self.session}.jsonl"

    @property
    def storage(self) -> Path:
        return self.user / ".config" / "Code" / "User" / "workspaceStorage" / "0f1e2d3c"

    def call(self, event: str, **fields: object) -> str:
        payload = {
            "timestamp": self.now(),
            "cwd": str(self.folder),
            "sessionId": self.session,
            "hookEventName": event,
            "transcript_path": str(self.transcript),
            **fields,
        }
        hooks = self.user / ".copilot" / "hooks"
        commands = [
            *copilot_commands(hooks, event),
            *copilot_commands(hooks, self.EVENTS[event]),
            *claude_commands(self.user / ".claude" / "settings.json", event),
        ]
        answers = [self.run(event, command, payload) for command in commands]
        return "\n".join(filter(None, (nested_context(answer, event) for answer in answers)))

    def start(self, source: str = "new") -> str:
        return self.call("SessionStart", source="new" if source == "startup" else source)

    def prompt(self, text: str) -> str:
        self.call("UserPromptSubmit", prompt=text)
        return ""  # whatever it says, nothing is documented to reach the model

    def log(self, text: str, reply: str) -> None:
        self.storage.mkdir(parents=True, exist_ok=True)
        (self.storage / "workspace.json").write_text(json.dumps({"folder": self.folder.as_uri()}))
        now = int(time.time() * 1000)
        if not self.transcript.exists():
            state = {"version": 3, "sessionId": self.session, "creationDate": now, "requests": []}
            append(self.transcript, {"kind": 0, "v": {**state, "responderUsername": "GitHub Copilot"}})
        request = {"requestId": str(uuid.uuid4()), "timestamp": now, "message": {"text": text}}
        append(self.transcript, {"kind": 2, "k": ["requests"], "v": [{**request, "response": [{"value": reply}]}]})

    def stop(self, reply: str) -> None:
        self.call("Stop", stop_hook_active=False)


class Cursor(ScriptedHost):
    """Cursor: no cwd among the fields, additional_context, and an empty answer counts as failed."""

    name = "cursor"
    EVENTS: ClassVar = {"sessionStart": "SessionStart", "beforeSubmitPrompt": "UserPromptSubmit", "stop": "Stop"}

    @property
    def transcript(self) -> Path:
        slug = str(self.folder).strip("/").replace("/", "-")
        folder = self.user / ".cursor" / "projects" / slug / "agent-transcripts" / self.session
        return folder / f"{self.session}.jsonl"

    def call(self, event: str, **fields: object) -> str:
        payload = {
            "conversation_id": self.session,
            "session_id": self.session,
            "generation_id": str(uuid.uuid4()),
            "model": "x",
            "hook_event_name": event,
            "cursor_version": "3.14.0",
            "workspace_roots": [str(self.folder)],
            "user_email": "dev@example.com",
            "transcript_path": str(self.transcript),
            **fields,
        }
        own = json.loads((self.user / ".cursor" / "hooks.json").read_text())
        assert own["version"] == 1
        commands = [hook["command"] for hook in own["hooks"].get(event, [])]
        commands += claude_commands(self.user / ".claude" / "settings.json", self.EVENTS[event])
        places = {
            "CURSOR_PROJECT_DIR": str(self.folder),
            "CURSOR_VERSION": "3.14.0",
            "CLAUDE_PROJECT_DIR": str(self.folder),
        }
        known = ("env", "additional_context", "continue", "user_message", "followup_message")
        answers = [only(self.run(event, command, payload, **places), *known) for command in commands]
        return "\n---\n".join(filter(None, (answer.get("additional_context", "") for answer in answers)))

    def start(self, source: str = "startup") -> str:
        return self.call("sessionStart", is_background_agent=False, composer_mode="agent")

    def prompt(self, text: str) -> str:
        return self.call("beforeSubmitPrompt", prompt=text, attachments=[])

    def log(self, text: str, reply: str) -> None:
        typed = f"<user_query>\n{text}\n</user_query>"
        append(
            self.transcript,
            {"role": "user", "message": {"content": [{"type": "text", "text": typed}]}},
            {"role": "assistant", "message": {"content": [{"type": "text", "text": reply}]}},
        )

    def stop(self, reply: str) -> None:
        self.call("stop", status="completed", loop_count=0)
