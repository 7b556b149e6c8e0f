"""One person's machine: a home, a repository, the hosts and their model; nothing of the real one is touched."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect import Recollect
from tests.command_line import BIN
from tests.conftest import make_repository
from tests.hosts_live.dialects import Step
from tests.hosts_live.model_server import ModelServer
from tests.hosts_live.real_host import RealHost

LIMIT_SECONDS = 300.0
WORKER_SECONDS = 60.0
# Whatever is not the model: refused at once.
NO_NETWORK = {
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "NO_PROXY": "127.0.0.1,localhost",
}
OURS = ".local/share/recollect"
HOOK_MILLISECONDS = 4_000


class Machine:
    """Hosts that were used before Recollect came, with one memory and one line of profile."""

    def __init__(self, folder: Path, commands: Path, model: ModelServer, kinds: Sequence[type[RealHost]]) -> None:
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.repository = make_repository(folder / "app")
        self.model = model
        self.prompts: set[str] = set()
        self.hosts = [kind(model.address, self.repository) for kind in kinds]
        self.environ = {
            "HOME": str(self.home),
            "PATH": f"{commands}:{BIN}:/usr/local/bin:/usr/bin:/bin",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **NO_NETWORK,
        }
        for host in self.hosts:
            self.environ |= host.environ()
            for path, text in host.files().items():
                (self.home / path).parent.mkdir(parents=True, exist_ok=True)
                (self.home / path).write_text(text)
        self.before = self.digests()
        # What is checked here is what arrives, not how soon: the machine may be busy with six hosts.
        (self.home / OURS).mkdir(parents=True)
        (self.home / OURS / "config.toml").write_text(f"[hook]\nlimit_milliseconds = {HOOK_MILLISECONDS}\n")
        self.recollect("remember", "This repository uses pnpm, not npm.", "--scope", "repository")
        # As a person did it before: the checks themselves may run where no person sits, in CI or inside an agent.
        with Recollect.open(str(self.home / OURS), folder=str(self.repository), environ=self.environ) as memory:
            memory.profile.set_section("language", "Answer in English.")

    def run(self, words: Sequence[str]) -> str:
        """What a command says; it has to end well."""
        done = subprocess.run(
            words,
            cwd=self.repository,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        assert done.returncode == 0, (words, done.stdout[-2_000:], done.stderr[-2_000:])
        return done.stdout

    def recollect(self, *words: str) -> str:
        return self.run(["recollect", *words])

    def read(self, *words: str) -> Any:
        """What a command of ours says as JSON."""
        return json.loads(self.recollect(*words, "--json"))

    def prompt(self, host: RealHost, text: str, *steps: Step) -> str:
        """Type one prompt into a host whose model does these steps; what the host printed."""
        self.model.expect(*steps)
        self.prompts.add(text)
        return self.run(host.prompt(text))

    def settle(self) -> None:
        """Wait until the worker, which nobody started by hand, has done what there is to do. A host may be gone before its
        last hook has said that there is something."""
        deadline = time.monotonic() + WORKER_SECONDS
        while self._is_at_work() and time.monotonic() < deadline:
            time.sleep(0.5)

    def _is_at_work(self) -> bool:
        imported = {text.strip('"') for text in self.typed()}
        return not self.prompts <= imported or bool(self.read("status")["worker"]["alive"])

    def typed(self) -> list[str]:
        """What was typed in the sessions that were imported."""
        shown = [self.read("session", "show", session["id"]) for session in self.read("session", "list")]
        return [turn["user"] for session in shown for turn in session["turns"]]

    def hook_calls(self) -> list[dict[str, Any]]:
        """What the log of the hook says of each call."""
        return [json.loads(line) for line in (self.home / OURS / "logs" / "hook.jsonl").read_text().splitlines()]

    def digests(self) -> dict[str, str]:
        """The files that hosts had before, by what is in them."""
        paths = [path for host in self.hosts for path in host.files()]
        return {path: hashlib.sha256((self.home / path).read_bytes()).hexdigest() for path in paths}

    def left_behind(self) -> list[str]:
        """Files of the hosts, and not of ours or in their logs, that still start our hook."""
        found = []
        for file in self.home.rglob("*"):
            path = str(file.relative_to(self.home))
            small = file.is_file() and not file.is_symlink() and file.stat().st_size < 1_000_000
            if small and not path.startswith(OURS) and b"recollect-hook" in file.read_bytes():
                found.append(path)
        return sorted(
            path for path in found if not any(part in path for part in ("/projects/", "/sessions/", "/logs/", "/log/"))
        )
