"""Agents that somebody defined: a Markdown file with a header, in the home, the user's folder or the repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.errors import NotFound, UsageError
from recollect.files.trees import read_cited
from recollect.model.record import Record
from recollect.suggestions.frontmatter import read_frontmatter

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

PLACES = (".recollect/agents", ".claude/agents", ".github/agents", ".copilot/agents")
ENDINGS = (".md", ".agent.md")
ALLOW = ("allow-tools", "allow-tool", "allowed-tools")
DENY = ("deny-tools", "deny-tool", "disallowed-tools")


class AgentFile(Record):
    """One agent: its name, what it is told, and which tools nobody is asked about, or it does not get."""

    name: str
    instructions: str
    path: str
    allow_tools: tuple[str, ...] = ()
    deny_tools: tuple[str, ...] = ()


def find_agent(name: str, memory: Opened) -> AgentFile:
    """The agent of this name; the user's own goes before the repository's. NotFound when there is none.

    What a repository's file allows does not count: anybody may have written it."""
    if not name.replace("-", "").replace("_", "").isalnum():
        raise UsageError(f"{name!r:.60} is not the name of an agent: letters, digits and dashes.")
    user = memory.environ.get("HOME", "")
    roots = [(memory.home.root, "agents", True), *((user, place, True) for place in PLACES if user)]
    roots += [(memory.root, place, False) for place in PLACES]
    for root, place, is_users in roots:
        for ending in ENDINGS:
            text = read_cited(root, f"{place}/{name}{ending}")
            if text is not None:
                return _read(name, os.path.join(root, place, name + ending), text, is_users=is_users)
    raise NotFound(f"There is no agent named {name!r}; put one at {os.path.join(memory.home.root, 'agents', name)}.md.")


def _read(name: str, path: str, text: str, *, is_users: bool) -> AgentFile:
    header = read_frontmatter(text)
    body = "\n".join(text.split("\n")[header.lines :]).strip()
    return AgentFile(name, body, path, header.patterns(*ALLOW) if is_users else (), header.patterns(*DENY))
