"""What is common to the JSON of all hosts: fields that may be missing, of the wrong type, or spelled in two ways."""

from __future__ import annotations

from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP

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


def event_named(name: str) -> str:
    """Our word for a host's event."""
    return EVENTS.get(name.lower(), OTHER)


def context_for(event: str, text: str) -> dict[str, object]:
    """The nested answer that Claude Code introduced and others took over."""
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
