"""Hooks: when a fact says that a command runs, and the entry for it in the dialect of each host's file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from recollect.files.edits.jsonc import NotJson, parse
from recollect.files.edits.jsonc_edit import append_item

if TYPE_CHECKING:
    from recollect.model.suggestions import Fact

COMMIT, EDIT, END, START = "commit", "edit", "end", "start"
TIMEOUT_SECONDS = 60
_WHEN = (
    (
        COMMIT,
        re.compile(r"\b(?:before|prior to) (?:(?:every|each|any|a|you) )?commit(?:s|ting)?\b|\bpre-?commit\b", re.I),
    ),
    (EDIT, re.compile(r"\bafter (?:(?:every|each|any|an|you) )?(?:edit(?:s|ing)?|change|file change|save)\b", re.I)),
    (END, re.compile(r"\b(?:at the end of|when you finish|before (?:you )?(?:finish|stop)(?:ing)?)\b", re.I)),
    (START, re.compile(r"\b(?:at the (?:start|beginning) of|when) (?:every|each|a) session\b", re.I)),
)
# What each dialect calls the moment, and the tools it watches there.
_NESTED = {
    "claude": {
        COMMIT: ("PreToolUse", "Bash"),
        EDIT: ("PostToolUse", "Edit|Write"),
        END: ("SessionEnd", ""),
        START: ("SessionStart", ""),
    },
    "gemini": {
        COMMIT: ("BeforeTool", "run_shell_command"),
        EDIT: ("AfterTool", "write_file|replace"),
        END: ("SessionEnd", ""),
        START: ("SessionStart", ""),
    },
}
_FLAT = {
    "vscode": {COMMIT: "PreToolUse", EDIT: "PostToolUse", END: "Stop", START: "SessionStart"},
    "copilot": {COMMIT: "preToolUse", EDIT: "postToolUse", END: "sessionEnd", START: "sessionStart"},
    "cursor": {COMMIT: "beforeShellExecution", EDIT: "afterFileEdit", END: "stop", START: "sessionStart"},
}
_EDIT_TOOLS = {"copilot": 'toolName": *"(edit|create)', "vscode": 'tool_name": *"(editFiles|createFile|apply_patch)'}


def event_of(content: str) -> str:
    """The moment that a fact speaks of; empty when hooks know none like it."""
    return next((name for name, pattern in _WHEN if pattern.search(content)), "")


def dialect_of(path: str, text: str) -> str:
    """Whose hooks a file has."""
    if "/.claude/" in f"/{path}":
        return "claude"
    if "/.gemini/" in f"/{path}":
        return "gemini"
    if "/.cursor/" in f"/{path}":
        return "cursor"
    return "copilot" if re.search(r'"version"\s*:|"bash"\s*:', text) else "vscode"


def with_hook(path: str, text: str, fact: Fact) -> str | None:
    """The file with an entry that runs the fact's command; None when it runs it already or the file is not as its host
    reads it."""
    event, dialect = event_of(fact.content), dialect_of(path, text)
    if not event or not fact.command or runs_already(text, fact.command):
        return None
    command = _guarded(fact.command, event, dialect)
    if dialect in _NESTED:
        name, matcher = _NESTED[dialect][event]
        entry: dict[str, object] = {"matcher": matcher} if matcher else {}
        entry["hooks"] = [{"type": "command", "command": command}]
    else:
        name = _FLAT[dialect][event]
        entry = _flat(command, dialect)
    try:
        after, _ = append_item(text, ("hooks", name), entry)
        parse(after)
    except NotJson:
        return None
    return after


def _flat(command: str, dialect: str) -> dict[str, object]:
    if dialect == "copilot":
        return {"type": "command", "bash": command, "timeoutSec": TIMEOUT_SECONDS}
    return {"command": command} if dialect == "cursor" else {"type": "command", "command": command}


def _guarded(command: str, event: str, dialect: str) -> str:
    """The command for its moment alone: hooks of a shell tool see every command, and some see every tool."""
    if event == COMMIT:
        return f"if grep -q 'git commit'; then {command} >&2 || exit 2; fi"
    if event == EDIT and dialect in _EDIT_TOOLS:
        return f"if grep -qE '\"{_EDIT_TOOLS[dialect]}\"'; then {command} >&2; fi"
    return command


def runs_already(text: str, command: str) -> bool:
    """Does a hook of this file run the command?"""
    try:
        root = parse(text)
    except NotJson:
        return False
    written = json.dumps(root.value(), ensure_ascii=False) if root else ""
    return (
        re.search(rf"(?<![\w-]){re.escape(json.dumps(command, ensure_ascii=False)[1:-1])}(?![\w-])", written)
        is not None
    )
