"""What each host can do with memory: one row a host, for hooks, `doctor`, `install` and the docs."""

from __future__ import annotations

from recollect.model.hooks import Ability

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ABILITIES: Mapping[str, Ability] = {
    row.name: row
    for row in (
        Ability(
            "claude-code",
            "Claude Code",
            injects_by_file=True,
            instructs_compaction=True,
            shows_messages=True,
            start_characters=10_000,
            start_tokens=10_000,
        ),
        Ability(
            "codex",
            "Codex",
            injects_by_file=True,
            keeps_start=True,
            shows_messages=True,
            start_characters=10_000,
            start_tokens=2_500,
            note="Hooks run once they are trusted: open /hooks in Codex and approve them.",
        ),
        Ability(
            "copilot-cli",
            "Copilot CLI",
            note="Memory comes with each prompt; messages that steer a running turn get none.",
        ),
        Ability(
            "gemini-cli", "Gemini CLI", shows_messages=True, note="Hooks of a project run once its folder is trusted."
        ),
        Ability("cursor", "Cursor", injects_by_file=True),
        Ability(
            "vscode",
            "VS Code",
            injects_at_prompt=False,
            note="VS Code takes memory at session start only; what is new comes with the next session, or through MCP.",
        ),
        Ability("opencode", "opencode", instructs_compaction=True),
        Ability("pi", "pi"),
        Ability(
            "goose",
            "goose",
            injects_at_start=False,
            injects_at_prompt=False,
            note="goose accepts no memory from hooks: it comes through MCP and AGENTS.md.",
        ),
        Ability("cline", "Cline", injects_by_file=True),
    )
}
# An agent behind `recollect acp`: the start goes in with its first prompt, so it is part of what is resumed.
PROXIED = Ability("acp", "ACP", keeps_start=True)


def ability(host: str) -> Ability:
    """What a host can do; one that is not in the table takes nothing."""
    if host == PROXIED.name:
        return PROXIED
    return ABILITIES.get(host) or Ability(host, host, injects_at_start=False, injects_at_prompt=False)
