"""What VS Code says to a hook and takes from it: context at the start of a session only."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_named, text_of
from recollect.model.hooks import PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words: ids in camelCase, the rest as it comes."""
    name = text_of(said, "hookEventName", "hook_event_name")
    event = event_named(name)
    return HookCall(
        "vscode",
        event=event,
        host_event=name,
        session=text_of(said, "sessionId", "session_id"),
        cwd=text_of(said, "cwd"),
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        transcript=text_of(said, "transcript_path", "transcriptPath"),
        takes_text=event != PROMPT,
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return context_for(call.host_event, text) if text and call.event == SESSION_START else {}
