"""Which host is calling. A file that one host owns says so; in files that several hosts read, the call itself tells."""

from __future__ import annotations

from recollect.hosts.payloads import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Where each host's wire module is.
FOLDERS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "copilot-cli": "copilot_cli",
    "gemini-cli": "gemini_cli",
    "cursor": "cursor",
    "vscode": "vscode",
    "opencode": "opencode",
    "pi": "pi",
    "goose": "goose",
    "cline": "cline",
}
PLUGINS = ("opencode", "pi")  # our own, which say who they are


def named_host(words: Sequence[str]) -> str:
    """The host that `--host` names; empty without one, or when it is none that we know."""
    for at, word in enumerate(words):
        name = word[7:] if word.startswith("--host=") else words[at + 1] if word == "--host" and words[at + 1 :] else ""
        name = name.replace("_", "-")
        if name in FOLDERS:
            return name
    return ""


def calling_host(words: Sequence[str], said: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """Who calls: what the command says, then what the environment and the call show, in the order that tells most.

    CLAUDE_PROJECT_DIR is no sign: Cursor, Gemini CLI and Copilot CLI set it too."""
    return named_host(words) or _by_environment(environ) or _by_fields(said, environ) or _by_transcript(said)


def _by_environment(environ: Mapping[str, str]) -> str:
    if environ.get("CURSOR_VERSION"):
        return "cursor"
    return "gemini-cli" if environ.get("GEMINI_SESSION_ID") else ""


def _by_fields(said: Mapping[str, object], environ: Mapping[str, str]) -> str:
    if said.get("host") in PLUGINS:
        return str(said["host"])
    if environ.get("COPILOT_PLUGIN_ROOT") or environ.get("COPILOT_CLI"):
        return "copilot-cli"
    if "hookEventName" in said:
        return "vscode"
    if "sessionId" in said:
        return "copilot-cli"
    if "event" in said and "matcher_context" in said:
        return "goose"
    return "cline" if "clineVersion" in said else ""


def _by_transcript(said: Mapping[str, object]) -> str:
    path = text_of(said, "transcript_path").replace("\\", "/")
    name = path.rpartition("/")[2]
    if name.startswith("rollout-"):
        return "codex"
    for part, host in (("/agent-transcripts/", "cursor"), ("/session-state/", "copilot-cli")):
        if part in path:
            return host
    if "/projects/" in path:
        return "claude-code"
    if not path and "model" in said and "permission_mode" in said:
        return "codex"
    event, at = text_of(said, "hook_event_name"), text_of(said, "timestamp")
    if event[:1].isupper() and at[4:5] == "-" and at[10:11] == "T":
        return "copilot-cli"
    return "claude-code"
