"""The two scripted hosts that load a plugin of ours: opencode and pi. Node runs the installed file itself."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
import uuid
from pathlib import Path
from typing import IO

from tests.paths import NODE
from tests.scripted_hosts import HostFault, ScriptedHost, append


class PluginHost(ScriptedHost):
    """A host that keeps one process for a session."""

    plugin: str  # as installed, below the user's home
    driver: str

    def __init__(self, user: Path, folder: Path, environ: dict[str, str]) -> None:
        super().__init__(user, folder, environ)
        self._node: subprocess.Popen[str] | None = None

    @property
    def transcript(self) -> Path:
        raise NotImplementedError

    def ask(self, call: dict[str, str]) -> str:
        """Let the plugin answer one thing that happens in the host."""
        node = self._node = self._node or self._started()
        stdin, stdout = node.stdin, node.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps(call) + "\n")
        stdin.flush()
        return self._read(stdout)

    def _read(self, stdout: IO[str]) -> str:
        line = stdout.readline()
        if not line:
            raise HostFault(f"{self.name} ended: {self._node and self._node.communicate()[1]}")
        return str(json.loads(line)["seen"])

    def _started(self) -> subprocess.Popen[str]:
        words = [
            str(NODE / self.driver),
            str(self.user / self.plugin),
            str(self.folder),
            self.session,
            str(self.transcript),
        ]
        return subprocess.Popen(
            ["node", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environ,
            cwd=self.folder,
        )

    def close(self) -> None:
        """End the host."""
        if self._node:
            self._node.communicate()
            self._node = None

    def start(self, source: str = "startup") -> str:
        return self.ask({"do": "start", "source": source})

    def prompt(self, text: str) -> str:
        return self.ask({"do": "prompt", "text": text})

    def stop(self, reply: str) -> None:
        self.ask({"do": "stop"})


class OpenCode(PluginHost):
    """opencode: a JavaScript plugin, sessions in SQLite."""

    name = "opencode"
    plugin = ".config/opencode/plugins/recollect.js"
    driver = "drive_opencode.mjs"

    @property
    def transcript(self) -> Path:
        return self.user / ".local" / "share" / "opencode" / "opencode.db"

    def log(self, text: str, reply: str) -> None:
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        now = int(time.time() * 1000)
        database = sqlite3.connect(self.transcript)
        with database:
            database.executescript(
                """CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, project_id text, parent_id text, slug text,
                    directory text, title text, version text, time_created integer, time_updated integer, revert text);
                CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text, time_created integer, data text);
                CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text, session_id text, data text);"""
            )
            database.execute(
                "INSERT OR IGNORE INTO session (id, project_id, directory, title, version, time_created, time_updated)"
                " VALUES (?, 'p', ?, 'Work', '1.18.33', ?, ?)",
                (self.session, str(self.folder), now, now),
            )
            for number, (role, said) in enumerate((("user", text), ("assistant", reply))):
                message = f"msg_{now}{number}"
                data = {"role": role, "time": {"created": now + number}, "modelID": "y", "providerID": "x"}
                part = {"type": "text", "text": said}
                put = "INSERT INTO message VALUES (?, ?, ?, ?)"
                database.execute(put, (message, self.session, now + number, json.dumps(data)))
                put = "INSERT INTO part VALUES (?, ?, ?, ?)"
                database.execute(put, (f"prt_{now}{number}", message, self.session, json.dumps(part)))
        database.close()


class Pi(PluginHost):
    """pi: a TypeScript extension; what session start has to say comes with the first prompt."""

    name = "pi"
    plugin = ".pi/agent/extensions/recollect.ts"
    driver = "drive_pi.mjs"
    _last: str | None = None

    @property
    def transcript(self) -> Path:
        slug = str(self.folder).strip("/").replace("/", "-")
        folder = self.user / ".pi" / "agent" / "sessions" / f"--{slug}--"
        return folder / f"2026-11-01T09-00-00-000Z_{self.session}.jsonl"

    def log(self, text: str, reply: str) -> None:
        if not self.transcript.exists():
            head = {
                "type": "session",
                "version": 3,
                "id": self.session,
                "timestamp": self.now(),
                "cwd": str(self.folder),
            }
            append(self.transcript, head)
        for role, said in (("user", text), ("assistant", reply)):
            entry_id = uuid.uuid4().hex[:8]
            content = [{"type": "text", "text": said}]
            message = {"role": role, "content": content, "timestamp": int(time.time() * 1000)}
            entry = {"type": "message", "id": entry_id, "parentId": self._last, "timestamp": self.now()}
            append(self.transcript, {**entry, "message": message})
            self._last = entry_id
