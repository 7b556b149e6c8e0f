"""Agents without hooks: what they read instead, and what a person adds to them by hand."""

from __future__ import annotations

from recollect.model.hosts import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SERVER_FILES: Mapping[str, str] = {"goose": "~/.config/goose/config.yaml", "cline": "cline_mcp_settings.json"}


def server_step(host: str) -> str:
    """How the MCP server gets into an agent whose settings an install does not edit; empty for any other."""
    file = SERVER_FILES.get(host, "")
    return f"Add the MCP server (`recollect mcp`) to {file} by hand." if file else ""


def instead_of_hooks(host: str) -> str:
    """What there is for an agent that an install writes no settings for."""
    if host not in TITLES:
        return ""
    return f"It takes memory through AGENTS.md: add --agents-md. {server_step(host)}".rstrip()
