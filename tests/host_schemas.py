"""What hosts publish about themselves on npm, to hold our files and the scripted hosts against.

Claude Code: hook input and output, settings, plugin and marketplace manifests. Copilot CLI: hook output, session events.
Gemini CLI: hook input, output and settings. opencode and pi: the types of their plugins. Codex and Cursor publish none.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from recollect.locks import lock
from tests.node.types.unpack import HERE, is_ready, unpack

CLAUDE = "@anthropic-ai/claude-agent-sdk"
CLAUDE_SETTINGS = "@schemastore/claude-code-settings"
CLAUDE_PLUGIN = "@schemastore/claude-code-plugin-manifest"
CLAUDE_MARKETPLACE = "@schemastore/claude-code-marketplace"
COPILOT = "@github/copilot-sdk"
GEMINI = "@google/gemini-cli-core/dist/src/hooks/types.js"
COPILOT_HOOKS = "./node_modules/@github/copilot-sdk/dist/types.js"
# By host and neutral event: where the type of what the host sends is published. Copilot publishes what hooks inside its
# SDK get, which commands get under other names; what both give back is the same.
INPUTS = {
    ("claude-code", "session_start"): (CLAUDE, "SessionStartHookInput"),
    ("claude-code", "prompt"): (CLAUDE, "UserPromptSubmitHookInput"),
    ("claude-code", "pre_compact"): (CLAUDE, "PreCompactHookInput"),
    ("claude-code", "stop"): (CLAUDE, "StopHookInput"),
    ("claude-code", "session_end"): (CLAUDE, "SessionEndHookInput"),
    ("gemini-cli", "session_start"): (GEMINI, "SessionStartInput"),
    ("gemini-cli", "prompt"): (GEMINI, "BeforeAgentInput"),
    ("gemini-cli", "pre_compact"): (GEMINI, "PreCompressInput"),
    ("gemini-cli", "stop"): (GEMINI, "AfterAgentInput"),
    ("gemini-cli", "session_end"): (GEMINI, "SessionEndInput"),
}
# What the host takes back.
OUTPUTS = {
    "claude-code": (CLAUDE, "SyncHookJSONOutput"),
    ("copilot-cli", "session_start"): (COPILOT_HOOKS, "SessionStartHookOutput"),
    ("copilot-cli", "prompt"): (COPILOT_HOOKS, "UserPromptTransformedHookOutput"),
    ("gemini-cli", "session_start"): (GEMINI, "SessionStartOutput"),
    ("gemini-cli", "prompt"): (GEMINI, "BeforeAgentOutput"),
}


class HostTypes:
    """Asks TypeScript, in one process for all tests."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def errors(self, module: str, type_name: str, value: object, without: Sequence[str] = ()) -> list[str]:
        """What is wrong with a value, as a type of a package, apart from some of its keys; empty when it fits."""
        return self._ask({"module": module, "type": type_name, "value": value, "without": list(without)})

    def errors_in(self, source: str) -> list[str]:
        """What is wrong with a JavaScript module whose types stand in comments."""
        return self._ask({"source": source})

    def input_errors(self, host: str, event: str, said: Mapping[str, object]) -> list[str]:
        """What is wrong with what a scripted host says; empty also where the host publishes no type."""
        known = INPUTS.get((host, event))
        if known is None:
            return []
        if host == "copilot-cli":
            # The kit renames two fields of what the wire carries before a program sees it; a date is no JSON.
            said = {name: value for name, value in said.items() if name not in ("timestamp", "cwd")}
            return self.errors(*known, {**said, "workingDirectory": ""}, without=["timestamp"])
        return self.errors(*known, said)

    def output_errors(self, host: str, event: str, answer: object) -> list[str]:
        """What the host would find wrong with our answer; empty also where it publishes no type."""
        known = OUTPUTS.get((host, event)) or OUTPUTS.get(host)
        return self.errors(*known, answer) if known else []

    def _ask(self, call: object) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(call) + "\n")
        self._process.stdin.flush()
        found: list[str] = json.loads(self._process.stdout.readline())["errors"]
        return found


@pytest.fixture(scope="session")
def host_types(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostTypes]:
    """The published types of the hosts; `make test` brings them, and npm where the machine has none."""
    if not is_ready():
        with lock(str(tmp_path_factory.getbasetemp().parent / "unpack.lock"), wait_seconds=300):
            unpack()
    script = Path(HERE) / "check_types.mjs"
    with subprocess.Popen(["node", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield HostTypes(process)
        assert process.stdin is not None
        process.stdin.close()
