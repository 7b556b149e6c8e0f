"""What Codex says to a hook and takes from it: Claude Code's fields, and not one key more in the answer."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_with_tools, paths_in, text_of
from recollect.model.hooks import BEFORE_TOOL, PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words; the path of the transcript may be null."""
    name = text_of(said, "hook_event_name")
    event = event_with_tools(name)
    return HookCall(
        "codex",
        event=event,
        host_event=name,
        session=text_of(said, "session_id"),
        cwd=text_of(said, "cwd"),
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        transcript=text_of(said, "transcript_path"),
        turn_id=text_of(said, "turn_id"),
        paths=paths_in(said.get("tool_input")) if event == BEFORE_TOOL else "",
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys: it denies unknown fields."""
    takes = call.event in (SESSION_START, PROMPT, BEFORE_TOOL)
    return context_for(call.host_event, text) if text and takes else {}
