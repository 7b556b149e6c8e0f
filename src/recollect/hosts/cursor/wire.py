"""What Cursor says to a hook and takes from it. It sends no cwd; an empty answer would count as a failure."""

from __future__ import annotations

from recollect.hosts.payloads import event_with_tools, first_of, paths_in, text_of
from recollect.model.hooks import BEFORE_TOOL, PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words; its folder is the workspace's first root, or what the environment says."""
    name = text_of(said, "hook_event_name")
    event = event_with_tools(name)
    folder = environ.get("CURSOR_PROJECT_DIR", "") or environ.get("CLAUDE_PROJECT_DIR", "")
    return HookCall(
        "cursor",
        event=event,
        host_event=name,
        session=text_of(said, "conversation_id", "session_id"),
        cwd=text_of(said, "cwd") or first_of(said, "workspace_roots") or folder,
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        transcript=text_of(said, "transcript_path") or environ.get("CURSOR_TRANSCRIPT_PATH", ""),
        turn_id=text_of(said, "generation_id"),
        paths=paths_in(said.get("tool_input")) if event == BEFORE_TOOL else "",
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return {"additional_context": text} if text and call.event in (SESSION_START, PROMPT, BEFORE_TOOL) else {}
