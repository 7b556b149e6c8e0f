"""What Claude Code says to a hook and takes from it.

A compaction has no field for context: whatever a PreCompact hook prints becomes part of its instructions, is shown to
the user, and stays in the conversation, all of it as it is printed. So a compaction gets plain text, or nothing."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_with_tools, paths_in, text_of
from recollect.model.hooks import BEFORE_TOOL, OTHER, PRE_COMPACT, PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words. What happens inside a sub-agent is nobody's typing."""
    name = text_of(said, "hook_event_name")
    source = text_of(said, "source")
    event = OTHER if said.get("agent_id") else event_with_tools(name)
    return HookCall(
        "claude-code",
        event=event,
        host_event=name,
        session=text_of(said, "session_id"),
        cwd=text_of(said, "cwd") or environ.get("CLAUDE_PROJECT_DIR", ""),
        prompt=text_of(said, "prompt"),
        source=source,
        typed=event != PROMPT or source in ("", "user"),
        transcript=text_of(said, "transcript_path"),
        turn_id=text_of(said, "prompt_id"),
        paths=paths_in(said.get("tool_input")) if event == BEFORE_TOOL else "",
    )


def answer(call: HookCall, text: str) -> dict[str, object] | str:
    """The answer in this host's keys; for a compaction the text itself."""
    if call.event == PRE_COMPACT:
        return text
    return context_for(call.host_event, text) if text and call.event in (SESSION_START, PROMPT, BEFORE_TOOL) else {}
