"""Nothing is sent unredacted: every request of every way to a model is searched for secrets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recollect import Recollect
from recollect.errors import ProviderError
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.ports import OfferedTool, Prompt
from recollect.providers.guarding import Guarded
from recollect.providers.sampling import Sampled, Sampling
from recollect.providers.scripted import ScriptedProvider
from tests.command_line import Run
from tests.conftest import OpenMemory
from tests.fake_clis import NAMES, Clis
from tests.model_servers import Act, serving

# Made up, each in the form of a real one.
TOKENS = {
    "system": "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"[:36],
    "user": "sk-ant-api03-" + "Zx9" * 31 + "AA",
    "assistant": "xoxb-2847562910-2847562911-AbCdEfGhIjKlMnOpQrStUvWx",
    "arguments": "AKIAQ3EGTFZX7KJWPLMN",
    "result": "glpat-Qw8rTz2uYx5mNk1pLs7d",
    "tool": "npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "header": "sk_live_51Qw8rTz2uYx5mNk1pLs7dVb",
}
FACT = {"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]}


class Nothing:
    """ports.Spending without a ceiling."""

    def take(self, tokens: int) -> None: ...

    def put_right(self, taken: int, used: int) -> None: ...


def messages() -> list[Message]:
    call = ToolCall("c1", "read", json.dumps({"path": "a", "aws_key": TOKENS["arguments"]}))
    return [
        Message("user", (Text(f"My key is {TOKENS['user']} and the rest is fine."),)),
        Message("assistant", (Thinking(TOKENS["user"]), Text(f"I use {TOKENS['assistant']}."), call), extra={"k": TOKENS["user"]}),
        Message("tool", (ToolResult("c1", (Text(f"GITLAB={TOKENS['result']}"), Other({"x": TOKENS["result"]}))),)),
        Message("user", (Text("Which package manager?"), Media("image", {"data": TOKENS["result"]}))),
    ]  # fmt: skip


def prompt(**more: Any) -> Prompt:
    return Prompt("default", f"Use {TOKENS['system']}.", messages(), headers={"X-Note": TOKENS["header"]}, **more)


def requests_to_server(vendor: str, open_memory: OpenMemory, clis: Clis, ask: Callable[[Recollect], None]) -> str:
    with serving(vendor, Act("Here: " + TOKENS["assistant"])) as server:
        ask(open_memory(RECOLLECT_MODELS__DEFAULT=server.spec))
        return "\n".join(one.decode() for one in server.sent)


def requests_to_cli(name: str, open_memory: OpenMemory, clis: Clis, ask: Callable[[Recollect], None]) -> str:
    clis.make(name, "Here: " + TOKENS["assistant"])
    ask(open_memory(RECOLLECT_MODELS__DEFAULT=name, PATH=f"{clis.folder}:/usr/bin:/bin"))
    return json.dumps(clis.runs)


def requests_to_command(name: str, open_memory: OpenMemory, clis: Clis, ask: Callable[[Recollect], None]) -> str:
    clis.make("mine", "Here: " + TOKENS["assistant"])
    ask(open_memory(RECOLLECT_MODELS__DEFAULT="command:mine", PATH=f"{clis.folder}:/usr/bin:/bin"))
    return json.dumps(clis.runs)


WAYS = [
    *((requests_to_server, vendor) for vendor in ("openai", "anthropic")),
    *((requests_to_cli, name) for name in NAMES),
    (requests_to_command, "command"),
]


@pytest.mark.parametrize(("way", "name"), WAYS, ids=[name for _, name in WAYS])
@pytest.mark.parametrize("form", ["text", "schema"])
def test_no_request_holds_a_secret(way, name: str, form: str, open_memory: OpenMemory, tmp_path: Path) -> None:
    def ask(memory: Recollect) -> None:
        provider = memory.models.provider()
        if form == "text":
            provider.complete(prompt())
        else:
            # The answer does not fit, so that it is asked for again, with what the model said.
            with pytest.raises(ProviderError):
                provider.complete(prompt(schema=FACT))

    sent = way(name, open_memory, Clis(tmp_path / "clis"), ask)
    assert "and the rest is fine" in sent
    assert sent.count("Which package manager?") == (1 if form == "text" else 2)
    assert not [name for name, token in TOKENS.items() if token in sent]


def test_no_question_through_a_client_or_a_script_holds_a_secret(open_memory: OpenMemory) -> None:
    asked: list[Sampling] = []

    def sample(one: Sampling) -> Sampled:
        asked.append(one)
        return Sampled("fine")

    memory = open_memory(RECOLLECT_MODELS__DEFAULT="sampling")
    memory.models.lent(sample).provider().complete(prompt())
    scripted = ScriptedProvider(["fine"])
    tool = OfferedTool("read", f"Reads with {TOKENS['tool']}.", {"description": TOKENS["tool"]})
    Guarded(scripted, Nothing(), limit_seconds=10).complete(prompt(tools=[tool]))
    sent = repr(asked) + repr(scripted.prompts)
    assert sent.count("Which package manager?") == 2
    assert not [name for name, token in TOKENS.items() if token in sent]


def test_without_a_client_its_model_cannot_be_asked(open_memory: OpenMemory) -> None:
    with pytest.raises(ProviderError, match="only be asked while the client waits"):
        open_memory(RECOLLECT_MODELS__DEFAULT="sampling").models.ask("Well?", FACT)


def test_a_compaction_sends_no_secret(cli: Run, tmp_path: Path) -> None:
    words = f"Log in with {TOKENS['user']} and go on. " * 20
    talk = [{"role": role, "content": words} for _ in range(12) for role in ("user", "assistant")]
    (tmp_path / "talk.json").write_text(json.dumps(talk))
    with serving("openai", Act("nonsense")) as server:
        cli("models", "use", server.spec)
        cli(
            "compact", str(tmp_path / "talk.json"), "--window", "4000", "--model", "default", "--keep", TOKENS["system"]
        )
        sent = "\n".join(one.decode() for one in server.sent)
    assert "and go on" in sent
    assert not [name for name, token in TOKENS.items() if token in sent]


def test_the_log_of_models_holds_no_word_of_what_was_said(open_memory: OpenMemory, tmp_path: Path) -> None:
    clis = Clis(tmp_path / "clis")
    clis.make("claude", '{"fact": "pnpm"}')
    memory = open_memory(RECOLLECT_MODELS__DEFAULT="claude", PATH=f"{clis.folder}:/usr/bin:/bin")
    memory.models.begin("a test", expected_tokens=120).ask("Which package manager?", FACT)
    begins, answered = [json.loads(line) for line in Path(memory.home.logs, "models.jsonl").read_text().splitlines()]
    assert (begins["what"], begins["expected_tokens"], begins["purpose"]) == ("begins", 120, "a test")
    assert (answered["what"], answered["input_tokens"], answered["cost_usd"]) == ("answered", 14, 0.00014)
    assert "pnpm" not in str(answered)
    assert "package" not in str(answered)
