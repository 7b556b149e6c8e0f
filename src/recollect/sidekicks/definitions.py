"""Agent definitions: what one may use, what its prompt is made of, when it starts. Out of YAML, checked here. Pure."""

from __future__ import annotations

import re

from recollect.errors import UsageError
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT, SIDEKICK = "agent", "sidekick"
BOARD_HAS_ITEMS, MEMORY_OR_PROMPT, ALWAYS = "board_has_items", "memory_or_prompt", "always"
LAUNCHES = (BOARD_HAS_ITEMS, MEMORY_OR_PROMPT, ALWAYS)
# Where a tool may be offered; send_inbox belongs to sidekicks alone.
TOOLS = ("context_board", "send_inbox", "search", "read", "git_history", "session_store_sql", "github")
ROLES = ("default", "smol")
CONSOLIDATION, ENVIRONMENT, INSTRUCTIONS, PARALLEL = (
    "consolidation_context", "environment_context", "custom_instructions", "parallel_tool_calls",
)  # fmt: skip
PARTS = (CONSOLIDATION, ENVIRONMENT, INSTRUCTIONS, PARALLEL)
MOST_SENDS = 5
LONGEST_PROMPT = 20_000
FIELDS = (
    "name", "description", "kind", "feature_flag", "model", "tools", "launch", "max_sends", "prompt", "prompt_parts",
    "side_effects",
)  # fmt: skip
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class AgentDefinition(Record):
    """One agent that works in the background."""

    name: str
    description: str = ""
    kind: str = SIDEKICK
    feature_flag: str = "subconscious.enabled"  # the setting that switches it on
    model: str = "default"  # role
    tools: tuple[str, ...] = ()
    launch: str = ALWAYS
    max_sends: int = 1  # in a turn
    prompt: str = ""  # the text, or for ours the name of a prompt
    parts: tuple[str, ...] = ()  # of the prompt, beside its own text
    source: str = ""  # ours, the user's or the repository's


def definition_of(found: object, where: str, *, source: str) -> AgentDefinition:
    """A definition out of a YAML file; UsageError says what is wrong with it."""
    if not isinstance(found, dict):
        raise UsageError(f"{where} is not an agent definition: it has no fields.")
    for name in found:
        if name not in FIELDS:
            raise UsageError(f"{where} has a field {str(name)[:40]!r}; an agent definition has {', '.join(FIELDS)}.")
    name = _text(found, "name", where)
    if not _NAME.fullmatch(name):
        raise UsageError(f"{where}: {name[:40]!r} is not a valid name; use lower-case words with dashes.")
    parts = found.get("prompt_parts") or {}
    if not isinstance(parts, dict) or not set(parts) <= set(PARTS):
        raise UsageError(f"{where}: prompt_parts holds {', '.join(PARTS)}, each true or false.")
    sends = found.get("max_sends", 1)
    if type(sends) is not int or not 0 <= sends <= MOST_SENDS:
        raise UsageError(f"{where}: max_sends is a number from 0 to {MOST_SENDS}.")
    made = AgentDefinition(
        name,
        _text(found, "description", where),
        _choice(found, "kind", (AGENT, SIDEKICK), SIDEKICK, where),
        _text(found, "feature_flag", where) or "subconscious.enabled",
        _choice(found, "model", ROLES, "default", where),
        tuple(_tools(found, where)),
        _choice(found, "launch", LAUNCHES, ALWAYS, where),
        sends,
        _text(found, "prompt", where),
        tuple(part for part in PARTS if parts.get(part) is True),
        source,
    )
    if not made.prompt or len(made.prompt) > LONGEST_PROMPT:
        raise UsageError(f"{where}: an agent has a prompt of at most {LONGEST_PROMPT:,} characters.")
    if made.kind != SIDEKICK and "send_inbox" in made.tools:
        raise UsageError(f"{where}: send_inbox is for sidekicks.")
    return made


def _tools(found: Mapping[str, object], where: str) -> list[str]:
    tools = found.get("tools") or []
    if not isinstance(tools, list) or not all(tool in TOOLS for tool in tools):
        raise UsageError(f"{where}: tools is a list of {', '.join(TOOLS)}.")
    return [str(tool) for tool in tools]


def _text(found: Mapping[str, object], name: str, where: str) -> str:
    value = found.get(name, "")
    if not isinstance(value, str):
        raise UsageError(f"{where}: {name} must be a string.")
    return value.strip()


def _choice(found: Mapping[str, object], name: str, choices: tuple[str, ...], default: str, where: str) -> str:
    value = _text(found, name, where) or default
    if value not in choices:
        raise UsageError(f"{where}: {name} must be {' or '.join(choices)}.")
    return value
