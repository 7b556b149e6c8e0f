"""The hosts there are: how commands and data name them, and how people do."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Host(Record):
    """One coding agent."""

    name: str  # as in commands and data
    folder: str  # below hosts/
    title: str  # for people
    calls_hooks: bool = True


# In the order in which an unknown log is tried: the most particular formats first, plain message lists last.
HOSTS = (
    Host("claude-code", "claude_code", "Claude Code"),
    Host("codex", "codex", "Codex"),
    Host("copilot-cli", "copilot_cli", "Copilot CLI"),
    Host("gemini-cli", "gemini_cli", "Gemini CLI"),
    Host("cursor", "cursor", "Cursor"),
    Host("vscode", "vscode", "VS Code"),
    Host("opencode", "opencode", "opencode"),
    Host("pi", "pi", "pi"),
    Host("goose", "goose", "goose"),
    Host("cline", "cline", "Cline"),
    Host("acp", "acp", "ACP", calls_hooks=False),
    Host("recollect", "recollect", "Recollect", calls_hooks=False),
    Host("aider", "aider", "Aider", calls_hooks=False),
    Host("specstory", "specstory", "SpecStory", calls_hooks=False),
    Host("messages", "messages", "message lists", calls_hooks=False),
)
NAMES = tuple(host.name for host in HOSTS)
TITLES = {host.name: host.title for host in HOSTS}
BY_HAND = "by hand"  # what a receipt without a host says: a person asked, in a terminal
HOOKED = tuple(host.name for host in HOSTS if host.calls_hooks)


def did_you_mean(name: str, among: Iterable[str] = NAMES) -> str:
    """The host that somebody probably meant by a name that no host has, as a sentence; else nothing."""
    import difflib

    asked = name.lower().replace(" ", "-")
    near = difflib.get_close_matches(asked, list(among), n=1)
    return f" Did you mean `{near[0]}`?" if near else ""
