"""What an install puts into Codex's files, and whether Codex trusts it."""

from __future__ import annotations

import hashlib
import json
import os

from recollect.files.edits.jsonc import parse
from recollect.files.edits.toml_edit import read_table
from recollect.files.launchers.mcp_launcher import mcp_launcher_path
from recollect.hosts.installing import FILE_TOOLS, SERVER, Site, Wanted, hook_entries, is_ours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.files.edits.jsonc import Node

HOST = "codex"
PROGRAM = "codex"
PLUGIN = "recollect@"  # with the name of a marketplace behind it
TRUST = "Open /hooks in Codex and approve Recollect's hooks; until then they do not run."
# At the end of a session Codex waits three seconds at most.
EVENTS = (
    ("SessionStart", 10),
    ("UserPromptSubmit", 5),
    ("PreToolUse", 5),
    ("PreCompact", 10),
    ("Stop", 10),
    ("SessionEnd", 3),
)
LABELS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PreToolUse": "pre_tool_use",
    "PreCompact": "pre_compact",
    "Stop": "stop",
    "SessionEnd": "session_end",
}


def root(site: Site) -> str:
    """The folder of settings."""
    return site.environ.get("CODEX_HOME") or os.path.join(site.user, ".codex")


def files(site: Site) -> list[Wanted]:
    """Hooks in a file of their own, the MCP server in the settings."""
    folder = site.below(".codex") if site.project else root(site)
    command = site.hook(HOST)
    commands = ((event, {"type": "command", "command": command, "timeout": s}) for event, s in EVENTS)
    hooks = hook_entries(commands, matchers={"PreToolUse": FILE_TOOLS})
    server = {"command": mcp_launcher_path(site.home, platform=site.platform), "args": []}
    config = os.path.join(folder, "config.toml")
    return [
        Wanted(HOST, os.path.join(folder, "hooks.json"), "hooks", entries=hooks),
        Wanted(HOST, config, "MCP server", kind="toml", table=("mcp_servers", SERVER), values=server),
    ]


def reads(site: Site, project: str) -> list[str]:
    """Every file from which it takes hooks."""
    folders = [root(site), *([os.path.join(project, ".codex")] if project else [])]
    return [os.path.join(folder, "hooks.json") for folder in folders]


def trust(hooks_path: str, hooks: str, config: str) -> str:
    """Whether Codex runs our hooks of this file: `yes`, `no`, or `unknown` when what it trusted was something else."""
    states = read_table(config, ("hooks", "state")) or {}
    known = []
    for key, fingerprint in _fingerprints(hooks_path, hooks):
        state = states.get(key)
        trusted = state.get("trusted_hash") if isinstance(state, dict) else None
        if trusted is None or (isinstance(state, dict) and state.get("enabled") is False):
            return "no"
        known.append(trusted == fingerprint)
    return "no" if not known else "yes" if all(known) else "unknown"


def plugin_trust(config: str) -> str:
    """Whether Codex runs the hooks of our plugin: `yes` when each was trusted and none is switched off, else `no`."""
    states = read_table(config, ("hooks", "state")) or {}
    ours = {key: state for key, state in states.items() if key.startswith(PLUGIN) and isinstance(state, dict)}
    for label in LABELS.values():
        known = [state for key, state in ours.items() if f":{label}:" in key]
        if not known or not all(state.get("trusted_hash") and state.get("enabled") is not False for state in known):
            return "no"
    return "yes"


def _fingerprints(path: str, hooks: str) -> Iterator[tuple[str, str]]:
    """For each of our hooks: the name by which Codex keeps its trust, and the hash that it trusts."""
    document = parse(hooks)
    for event, label in LABELS.items():
        groups = document.find(("hooks", event)) if document else None
        for group_index, group in enumerate(groups.items if groups else ()):
            inner = group.member("hooks") if group.kind == "object" else None
            for index, handler in enumerate(inner.value.items if inner else ()):
                if is_ours(handler):
                    yield f"{path}:{label}:{group_index}:{index}", _fingerprint(label, group, handler)


def _fingerprint(label: str, group: Node, handler: Node) -> str:
    """Codex hashes what a hook means, not how it is written: sorted JSON of the event, matcher and one handler."""
    wanted = handler.value()
    assert isinstance(wanted, dict)
    normal: dict[str, object] = {
        "type": "command",
        "command": wanted.get("command"),
        "timeout": wanted.get("timeout", 600),
        "async": wanted.get("async", False),
    }
    if "statusMessage" in wanted:
        normal["statusMessage"] = wanted["statusMessage"]
    identity: dict[str, object] = {"event_name": label, "hooks": [normal]}
    matcher = group.member("matcher")
    if matcher is not None and label not in ("user_prompt_submit", "stop"):
        identity["matcher"] = matcher.value.value()
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
