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


def came_from(kind: str, file: str) -> str:
    """The end of the reason of every statement that was imported: from which file it came."""
    return f"From {TITLES[kind]} ({file})."


def split_reason(reason: str, title: str) -> tuple[str, str]:
    """Such a reason as the reason itself, and the memory with its file."""
    why, mark, file = reason.rpartition(f"From {title} (")
    return (why.strip(), f"{title} ({file.rstrip('.')}") if mark else (reason, title)
