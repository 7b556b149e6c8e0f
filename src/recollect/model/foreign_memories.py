"""The memories of others that can be imported: their names in commands, and for people."""

from __future__ import annotations

TITLES = {
    "claude-memory": "Claude Code's memory",
    "claude-md": "Claude Code's rules",
    "codex-memory": "Codex's memory",
    "copilot-memory": "Copilot's memory",
    "basic-memory": "Basic Memory",
    "mem0": "mem0",
    "cursor-rules": "Cursor's rules",
}
