"""The real CLIs as models, with a vendor's model on loopback: they answer, offer no tool, and leave no session to import."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.providers.specs import CLIS
from tests.hosts_live.claude_code import ClaudeCode
from tests.hosts_live.codex import Codex
from tests.hosts_live.copilot_cli import CopilotCli
from tests.hosts_live.dialects import Json, Step, offered
from tests.hosts_live.gemini_cli import GeminiCli
from tests.hosts_live.installing import installed
from tests.hosts_live.machine import NO_NETWORK
from tests.hosts_live.model_server import ModelServer
from tests.hosts_live.opencode import OpenCode
from tests.hosts_live.real_host import RealHost

KINDS: dict[str, type[RealHost]] = {
    "claude": ClaudeCode,
    "codex": Codex,
    "gemini": GeminiCli,
    "copilot": CopilotCli,
    "opencode": OpenCode,
}
MODELS = {"gemini": "gemini:gemini-2.5-flash"}  # another one would first ask which model to ask
HARMLESS = {"request_user_input", ""}  # Codex's question to nobody; Gemini's empty list
FACT = {"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]}


class Answering(ModelServer):
    """A model that answers every question, whether tools are offered or not."""

    def answer(self, body: Json) -> Step:
        self.asked.append(body)
        return Step('{"fact": "pnpm"}')


@pytest.mark.parametrize("name", CLIS)
def test_a_real_cli_answers_without_a_tool_and_leaves_no_session(name: str, tmp_path: Path) -> None:
    model = Answering()
    host = KINDS[name](model.address, tmp_path)
    for path, text in host.files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    environ: dict[str, Any] = {
        "HOME": str(tmp_path),
        "PATH": f"{installed()}:/usr/local/bin:/usr/bin:/bin",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "RECOLLECT_MODELS__DEFAULT": MODELS.get(name, name),
        **NO_NETWORK,
        **host.environ(),
    }
    with Recollect.open(str(tmp_path / "ours"), folder=str(tmp_path), environ=environ) as memory:
        reply = memory.models.ask("Which package manager?", FACT)
        assert reply.value == {"fact": "pnpm"}
        assert {tool.name for body in model.asked for tool in offered(body)} <= HARMLESS
        assert "Which package manager?" in json.dumps(model.asked)
        logs, _ = memory.sessions.logs()
        assert memory.sessions.import_logs(logs).sessions == 0
    model.close()
