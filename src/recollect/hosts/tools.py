"""What a tool call was about, from a host's own table of its tools."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATCHED = re.compile(r"^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$", re.M)
_MARKS = {"completed": "x", "done": "x", "in_progress": "~", "in-progress": "~", "cancelled": "-", "deleted": "-"}
_TASK_TEXT = ("content", "step", "title", "subject", "text", "task", "description")
_SHELLS = frozenset(("-c", "-lc", "-ic", "/c", "-Command"))


def kind_in(tools: Mapping[str, tuple[str, str]], name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """The kind of a call (command, read, change, search, other) and its target, by the host's table of tools."""
    kind, field = tools.get(name, ("other", ""))
    return kind, target_text(arguments.get(field)) if field else ""


def target_text(value: object) -> str:
    """A target as one line of text: a command in parts becomes the line a person would type."""
    if isinstance(value, list):
        if tasks := [task_line(one) for one in value if isinstance(one, dict)]:
            return "\n".join(filter(None, tasks))
        parts = [part for part in value if isinstance(part, str)]
        return parts[2] if len(parts) == 3 and parts[1] in _SHELLS else " ".join(parts)
    return value if isinstance(value, str) else ""


def task_mark(status: object) -> str:
    """The mark of a task in this state: `[x]`, `[~]`, `[-]`, or `[ ]` for any other."""
    return f"[{_MARKS.get(str(status).lower(), ' ')}]"


def task_line(task: Mapping[str, object]) -> str:
    """A line of an agent's list of tasks; empty for what is none."""
    text = next((one for one in (task.get(name) for name in _TASK_TEXT) if isinstance(one, str) and one.strip()), "")
    return f"{task_mark(task['status'])} {' '.join(text.split())}" if text and "status" in task else ""


def arguments_of(value: object) -> dict[str, object]:
    """Arguments as an object; they come as a JSON string, and what is no object is kept as `input`."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, str):
        return {}
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        parsed = value
    return parsed if isinstance(parsed, dict) else {"input": value}


def patched_paths(patch: str) -> tuple[str, ...]:
    """The files that an apply_patch text touches, each once."""
    return tuple(dict.fromkeys(_PATCHED.findall(patch))) if "*** " in patch else ()
