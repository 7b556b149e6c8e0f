"""What Copilot CLI says to a hook and takes from it.

The spelling of the event in the hook file selects the payload. camelCase ones have camelCase fields and do not name
their event, so the fields tell it; PascalCase ones have Claude Code's fields. Context is taken at top level when a
session starts, and where the prompt is transformed: there the answer is the whole prompt, ours in front of it."""

from __future__ import annotations

from recollect.hosts.payloads import event_named, text_of
from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The fields that only one event has, the most particular first.
TELLING = (
    ("agentName", OTHER),
    ("toolName", OTHER),
    ("error", OTHER),
    ("prompt", PROMPT),
    ("trigger", PRE_COMPACT),
    ("customInstructions", PRE_COMPACT),
    ("stopReason", STOP),
    ("reason", SESSION_END),
    ("source", SESSION_START),
    ("initialPrompt", SESSION_START),
    ("transcriptPath", STOP),
)


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words."""
    name = text_of(said, "hook_event_name", "hookEventName")
    event = event_named(name) if name else _told_by_fields(said)
    whole = text_of(said, "transformedPrompt", "transformed_prompt")
    return HookCall(
        "copilot-cli",
        event=event,
        host_event=name,
        session=text_of(said, "sessionId", "session_id"),
        cwd=text_of(said, "cwd") or environ.get("CLAUDE_PROJECT_DIR", ""),
        prompt=text_of(said, "prompt"),
        source=text_of(said, "source"),
        transcript=text_of(said, "transcriptPath", "transcript_path"),
        whole=whole,
        # What userPromptSubmitted answers is dropped; the same prompt comes again where it is transformed.
        takes_text=event != PROMPT or bool(whole),
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    if text and call.event == SESSION_START:
        return {"additionalContext": text}
    if text and call.event == PROMPT and call.whole:
        return {"modifiedTransformedPrompt": f"{text}\n\n{call.whole}"}
    return {}


def _told_by_fields(said: Mapping[str, object]) -> str:
    return next((event for field, event in TELLING if field in said), OTHER)
