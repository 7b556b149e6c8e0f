"""How settings name a model: `claude`, `anthropic:MODEL`, `openai:MODEL@ADDRESS`, `command:LINE`, `rules`."""

from __future__ import annotations

from urllib.parse import urlsplit

from recollect.errors import SettingsError
from recollect.model.record import Record
from recollect.text.addresses import is_loopback

ROLES = ("default", "smol")
RULES, OPENAI, ANTHROPIC, COMMAND, SAMPLING, SCRIPTED = (
    "rules",
    "openai",
    "anthropic",
    "command",
    "sampling",
    "scripted",
)
VENDORS = (OPENAI, ANTHROPIC)
CLIS = ("claude", "codex", "gemini", "copilot", "opencode")
CONVERSING = (*VENDORS, SCRIPTED)  # those that hold a conversation with tools; the others answer one question
PROVIDERS = (RULES, *CLIS, *VENDORS, COMMAND, SAMPLING, SCRIPTED)
_NEED = {
    OPENAI: "a model, such as openai:gpt-5-mini or openai:qwen2.5-coder@http://127.0.0.1:11434/v1",
    ANTHROPIC: "a model, such as anthropic:claude-haiku-4-5",
    COMMAND: "a command line, such as command:llm -m mini",
    SCRIPTED: "a file of answers, such as scripted:answers.json",
}


class Spec(Record):
    """One model: who provides it, which one, and where."""

    provider: str = RULES
    model: str = ""  # or the command line, or the file of answers
    address: str = ""

    def __str__(self) -> str:
        where = f"@{self.address}" if self.address else ""
        return f"{self.provider}:{self.model}{where}" if self.model else self.provider


def spec_of(text: str) -> Spec:
    """The model that a text names. SettingsError when it names none."""
    provider, _, rest = text.strip().partition(":")
    rest = rest.strip()
    if provider not in PROVIDERS:
        raise SettingsError(f"{text[:60]!r} does not name a model; start with one of {', '.join(PROVIDERS)}")
    if provider in _NEED and not rest:
        raise SettingsError(f"{provider} needs {_NEED[provider]}")
    if provider in (RULES, SAMPLING) and rest:
        raise SettingsError(f"{provider} takes nothing after it, not {rest[:60]!r}")
    if provider == COMMAND:
        _require_line(rest)
    model, address = _divided(rest) if provider in VENDORS else (rest, "")
    if provider in CLIS and (model.startswith("-") or any(letter.isspace() for letter in model)):
        raise SettingsError(f"{model[:60]!r} is not the name of a model")
    return Spec(provider, model, address)


def _require_line(line: str) -> None:
    import shlex

    try:
        shlex.split(line)
    except ValueError as error:
        raise SettingsError(f"the command line {line[:60]!r} cannot be read: {error}") from error


def _divided(rest: str) -> tuple[str, str]:
    """Model and address; a model's own name may hold an @."""
    at = max(rest.rfind("@http://"), rest.rfind("@https://"))
    if at < 0:
        return rest, ""
    if not at:
        raise SettingsError(f"there is no model before the address {rest[1:61]!r}")
    address = rest[at + 1 :]
    _require_address(address)
    return rest[:at], address


def _require_address(address: str) -> None:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise SettingsError(f"{address[:80]!r} is not an address: {error}") from error
    if not host or parts.username or parts.password or parts.query or parts.fragment:
        raise SettingsError("an address must look like http://127.0.0.1:11434/v1 or https://host/v1")
    if parts.scheme == "http" and not is_loopback(host):
        raise SettingsError(f"http://{host} would send your sessions unencrypted; use https")
