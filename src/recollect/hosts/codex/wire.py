"""What Codex says to a hook and takes from it: Claude Code's fields, and not one key more in the answer."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_named, text_of
from recollect.model.hooks import PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words; the path of the transcript may be null."""
    name = text_of(said, "hook_event_name")
    return HookCall(
        "codex",
        event=event_named(name),
        host_event=name,
        session=text_of(said, "session_id"),
        cwd=text_of(said, "cwd"),
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        transcript=text_of(said, "transcript_path"),
        turn_id=text_of(said, "turn_id"),
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys: it denies unknown fields."""
    return context_for(call.host_event, text) if text and call.event in (SESSION_START, PROMPT) else {}
