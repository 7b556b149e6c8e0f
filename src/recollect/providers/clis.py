"""The coding agents that can be asked on a command line: how each is told to answer once, without its tools, its hooks,
its instructions and its log, and how what it prints is read. The flags are those of its own --help."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.errors import ReplyInvalid
from recollect.model.record import Record
from recollect.ports import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from recollect.model.messages import Json

# Instead of the pages that a coding agent is told otherwise. Never anything of a prompt: others can see a command line.
SYSTEM = "You answer one question. You have no tools. Do exactly what the question asks, and say nothing else.\n"
SYSTEM_FILE, POLICY_FILE = "system.md", "policy.toml"
DENY_ALL = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'
OPENCODE = {"tools": {"*": False}, "permission": {"*": "deny"}, "share": "disabled", "autoupdate": False}
# Features of Codex that are tools, or that run something of the user's.
CODEX_OFF = (
    *("hooks", "shell_tool", "unified_exec", "apps", "plugins", "view_image", "image_generation", "multi_agent"),
    *("skill_search", "tool_suggest", "sleep_tool", "goals", "browser_use", "computer_use"),
)


class Printed(Record):
    """What a CLI said, and what it says that it took."""

    text: str
    usage: Usage | None = None
    model: str = ""
    error: str = ""


class Cli(Record):
    """How one CLI is asked. `{system}` and `{policy}` in its words are files that are written for it."""

    words: tuple[str, ...]
    read: Callable[[str], Printed]
    model_words: tuple[str, ...] = ("--model", "{model}")
    files: Mapping[str, str] = {}
    environ: Mapping[str, str] = {}
    own_tokens: int = 0  # what its own prompt takes, where it does not say what a question took

    def line(self, model: str, paths: Mapping[str, str]) -> list[str]:
        """The command line."""
        words = [*self.words[:1], *(self.model_words if model else ()), *self.words[1:]]
        if self.words[:2] in (("codex", "exec"), ("opencode", "run")):
            words = [*self.words[:2], *(self.model_words if model else ()), *self.words[2:]]
        values = {"model": model, **paths}
        return [_filled(word, values) for word in words]

    def variables(self, paths: Mapping[str, str]) -> dict[str, str]:
        """What its environment has in addition."""
        return {name: _filled(value, paths) for name, value in self.environ.items()}


def _filled(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace("{" + name + "}", value)
    return word


def plain(out: str) -> Printed:
    """What any other command prints: the answer itself."""
    return Printed(out.strip())


def claude(out: str) -> Printed:
    """`claude -p --output-format json`."""
    said = _object(out)
    used = said.get("usage") or {}
    cached = _count(used, "cache_read_input_tokens")
    asked = _count(used, "input_tokens") + _count(used, "cache_creation_input_tokens") + cached
    cost = said.get("total_cost_usd")
    usage = Usage(asked, _count(used, "output_tokens"), cached, float(cost) if isinstance(cost, (int, float)) else None)
    text, models = str(said.get("result") or ""), said.get("modelUsage")
    model = next(iter(models), "") if isinstance(models, dict) else ""
    return Printed(text, usage, model, text or "it gave no reason" if said.get("is_error") else "")


def codex(out: str) -> Printed:
    """`codex exec --json`: the last message of the agent."""
    text, usage, error = "", None, ""
    for event in _events(out):
        item = event.get("item")
        if event.get("type") == "item.completed" and isinstance(item, dict) and item.get("type") == "agent_message":
            text = str(item.get("text") or "")
        elif event.get("type") == "turn.completed":
            used = event.get("usage") or {}
            cached = _count(used, "cached_input_tokens")
            usage = Usage(_count(used, "input_tokens"), _count(used, "output_tokens"), cached)
        elif event.get("type") in ("turn.failed", "error"):
            failed = event.get("error")
            error = str((failed.get("message") if isinstance(failed, dict) else event.get("message")) or "it failed")
    return Printed(text, usage, error=error if not text else "")


def gemini(out: str) -> Printed:
    """`gemini -o json`."""
    said = _object(out)
    models = (said.get("stats") or {}).get("models") or {}
    tokens = [one.get("tokens") or {} for one in models.values()]
    usage = Usage(
        sum(_count(one, "prompt") for one in tokens),
        sum(_count(one, "candidates") + _count(one, "thoughts") for one in tokens),
        sum(_count(one, "cached") for one in tokens),
    )
    failed = said.get("error")
    error = str((failed.get("message") if isinstance(failed, dict) else failed) or "") if failed else ""
    return Printed(str(said.get("response") or ""), usage if tokens else None, next(iter(models), ""), error)


def copilot(out: str) -> Printed:
    """`copilot --output-format json`."""
    text, model, error, asked, said, cached = "", "", "", 0, 0, 0
    for event in _events(out):
        data = event.get("data") or {}
        match event.get("type"):
            case "assistant.message":
                text, model = str(data.get("content") or "") or text, str(data.get("model") or model)
            case "assistant.usage":
                asked, said = asked + _count(data, "inputTokens"), said + _count(data, "outputTokens")
                cached, model = cached + _count(data, "cacheReadTokens"), str(data.get("model") or model)
            case "session.error":
                error = str(data.get("message") or "it failed")
    return Printed(text, Usage(asked, said, cached) if asked else None, model, error if not text else "")


def opencode(out: str) -> Printed:
    """`opencode run --format json`."""
    texts, error, asked, said, cached, cost = [], "", 0, 0, 0, 0.0
    for event in _events(out):
        part = event.get("part") or {}
        match event.get("type"):
            case "text":
                texts.append(str(part.get("text") or ""))
            case "step_finish":
                tokens = part.get("tokens") or {}
                read = _count(tokens.get("cache") or {}, "read")
                asked, cached = asked + _count(tokens, "input") + read, cached + read
                said += _count(tokens, "output") + _count(tokens, "reasoning")
                cost += float(part.get("cost") or 0)
            case "error":
                failed = event.get("error") or {}
                error = str((failed.get("data") or {}).get("message") or failed.get("name") or "it failed")
    return Printed("".join(texts), Usage(asked, said, cached, cost or None) if asked else None, error=error)


CLI: dict[str, Cli] = {
    "claude": Cli(
        (
            *("claude", "-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--safe-mode"),
            *("--no-session-persistence", "--system-prompt", SYSTEM.strip()),
        ),
        claude,
    ),
    "codex": Cli(
        (
            *("codex", "exec", "--json", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only"),
            *("--ignore-rules", *(word for name in CODEX_OFF for word in ("--disable", name))),
            *("-c", 'web_search="disabled"', "-c", "mcp_servers={}", "-c", 'model_instructions_file="{system}"', "-"),
        ),
        codex,
        files={SYSTEM_FILE: SYSTEM},
    ),
    "gemini": Cli(
        (
            *("gemini", "--skip-trust", "--approval-mode", "plan", "--policy", "{policy}", "-e", "none"),
            *("--allowed-mcp-server-names", "none", "-o", "json", "-p", ""),
        ),
        gemini,
        files={SYSTEM_FILE: SYSTEM, POLICY_FILE: DENY_ALL},
        environ={"GEMINI_SYSTEM_MD": "{system}"},
    ),
    "copilot": Cli(
        (
            *("copilot", "-s", "--no-color", "--available-tools=none", "--disable-builtin-mcps", "--no-ask-user"),
            *("--no-custom-instructions", "--no-auto-update", "--no-remote", "--output-format", "json"),
        ),
        copilot,
        own_tokens=2_000,
    ),
    "opencode": Cli(
        ("opencode", "run", "--pure", "--format", "json", "--title", "recollect"),
        opencode,
        environ={"OPENCODE_CONFIG_CONTENT": json.dumps(OPENCODE)},
    ),
}


def _object(out: str) -> dict[str, Any]:
    """The one JSON object in what was printed; warnings may stand before it."""
    try:
        said = json.loads(out[max(out.find("{"), 0) :])
    except (ValueError, RecursionError) as error:
        raise ReplyInvalid("The command printed something that is not its JSON.") from error
    if not isinstance(said, dict):
        raise ReplyInvalid("The command printed something that is not its JSON.")
    return said


def _events(out: str) -> Iterator[Json]:
    """The JSON lines in what was printed."""
    for line in out.splitlines():
        if line.startswith("{"):
            try:
                event = json.loads(line)
            except (ValueError, RecursionError):
                continue  # a line of a warning, or half a line
            if isinstance(event, dict):
                yield event


def _count(values: Mapping[str, Any], name: str) -> int:
    found = values.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0
