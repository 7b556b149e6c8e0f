"""The protocol between our own small plugins (opencode, pi) and the hook: plain JSON, one object each way.

In:  {"host": "opencode", "event": "session_start" | "prompt" | "pre_compact" | "stop" | "session_end",
      "session": "<the host's id>", "cwd": "/srv/app", "prompt": "...", "transcript": "/path or empty",
      "source": "startup" | "resume" | "compact", "turn": "<id of the turn>", "typed": true, "subagent": false,
      "tools": true}
Out: {"context": "..."} or {}

Only `host` and `event` are required. `context` goes into the system prompt at session_start, before the user's message
at prompt, and into the instructions of the compaction at pre_compact; stop and session_end always get {}.
`typed` is false for a prompt that no person typed; for a `subagent` nothing is recalled and nothing is kept.
`tools` is false where the agent has none of ours, so that it is not told to use them."""

from __future__ import annotations

from recollect.hosts.payloads import text_of
from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = (SESSION_START, PROMPT, PRE_COMPACT, STOP, SESSION_END)


def parse(host: str, said: Mapping[str, object]) -> HookCall:
    """The call of a plugin of ours."""
    event = said.get("event")
    if event not in EVENTS or said.get("subagent"):
        event = OTHER
    return HookCall(
        host,
        event=str(event),
        host_event=str(event),
        session=text_of(said, "session"),
        cwd=text_of(said, "cwd"),
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        typed=said.get("typed", True) is True,
        transcript=text_of(said, "transcript"),
        turn_id=text_of(said, "turn"),
        has_tools=said.get("tools", True) is True,
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """What a plugin of ours takes."""
    return {"context": text} if text and call.event in (SESSION_START, PROMPT, PRE_COMPACT) else {}
