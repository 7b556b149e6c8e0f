"""What is common to the JSON of all hosts: fields that may be missing, of the wrong type, or spelled in two ways."""

from __future__ import annotations

from recollect.model.hooks import BEFORE_TOOL, OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# By the host's spelling in small letters: one host's camelCase is another's PascalCase.
EVENTS = {
    "sessionstart": SESSION_START,
    "userpromptsubmit": PROMPT,
    "userpromptsubmitted": PROMPT,
    "userprompttransformed": PROMPT,
    "beforesubmitprompt": PROMPT,
    "beforeagent": PROMPT,
    "precompact": PRE_COMPACT,
    "precompress": PRE_COMPACT,
    "stop": STOP,
    "agentstop": STOP,
    "afteragent": STOP,
    "sessionend": SESSION_END,
}

PATHS = ("file_path", "filePath", "path", "notebook_path", "target_file", "absolute_path")
PATCH_MARK = "*** "
MOST_PATHS = 8


def text_of(said: Mapping[str, object], *names: str) -> str:
    """The first of these fields that holds a text."""
    for name in names:
        value = said.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def first_of(said: Mapping[str, object], name: str) -> str:
    """The first text of a list."""
    value = said.get(name)
    if isinstance(value, list) and value and isinstance(value[0], str):
        return value[0]
    return ""


def paths_in(given: object) -> str:
    """The files that the input of a tool names, one a line; of a patch, those it changes."""
    if not isinstance(given, dict):
        return ""
    found = text_of(given, *PATHS)
    if found:
        return found
    patch = text_of(given, "input", "command", "patch")
    if PATCH_MARK not in patch:
        return ""
    lines = [line[len(PATCH_MARK) :].partition(": ") for line in patch.splitlines() if line.startswith(PATCH_MARK)]
    named = [path.strip() for what, _, path in lines if path and what.endswith(" File")]
    return "\n".join(named[:MOST_PATHS])


def event_named(name: str) -> str:
    """Our word for a host's event."""
    return EVENTS.get(name.lower(), OTHER)


def event_with_tools(name: str) -> str:
    """Our word for an event of a host that takes memory before a tool runs."""
    return BEFORE_TOOL if name.lower() == "pretooluse" else event_named(name)


def context_for(event: str, text: str) -> dict[str, object]:
    """The nested answer that Claude Code introduced and others took over."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
