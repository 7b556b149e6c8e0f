"""What Gemini CLI says to a hook and takes from it: plain text would be shown to the user, so JSON only."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_named, text_of
from recollect.model.hooks import PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words; a prompt is BeforeAgent, its end AfterAgent."""
    name = text_of(said, "hook_event_name")
    event = event_named(name)
    return HookCall(
        "gemini-cli",
        event=event,
        host_event=name,
        session=text_of(said, "session_id") or environ.get("GEMINI_SESSION_ID", ""),
        cwd=text_of(said, "cwd") or environ.get("GEMINI_PROJECT_DIR", ""),
        prompt=text_of(said, "prompt") if event == PROMPT else "",
        source=text_of(said, "source"),
        transcript=text_of(said, "transcript_path"),
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return context_for(call.host_event, text) if text and call.event in (SESSION_START, PROMPT) else {}
