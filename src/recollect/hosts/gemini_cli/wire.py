"""What Gemini CLI says to a hook and takes from it: plain text would be shown to the user, so JSON only."""

from __future__ import annotations

from recollect.hosts.payloads import context_for, event_named, text_of
from recollect.model.hooks import OTHER, PRE_COMPACT, PROMPT, SESSION_START, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


# With `-p` Gemini CLI puts what the session start was given in front of the prompt, its angle brackets escaped.
OPENING, CLOSING = "<hook_context>", "</hook_context>"


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words; a prompt is BeforeAgent, its end AfterAgent."""
    name = text_of(said, "hook_event_name")
    event = event_named(name)
    transcript = text_of(said, "transcript_path")
    if event == PRE_COMPACT and not _compresses(text_of(said, "trigger"), transcript):
        event = OTHER
    return HookCall(
        "gemini-cli",
        event=event,
        host_event=name,
        session=text_of(said, "session_id") or environ.get("GEMINI_SESSION_ID", ""),
        cwd=text_of(said, "cwd") or environ.get("GEMINI_PROJECT_DIR", ""),
        prompt=typed_prompt(text_of(said, "prompt")) if event == PROMPT else "",
        source=text_of(said, "source"),
        transcript=transcript,
        # Two compressions within a minute are two.
        turn_id=text_of(said, "timestamp") if event == PRE_COMPACT else "",
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    return context_for(call.host_event, text) if text and call.event in (SESSION_START, PROMPT) else {}


def _compresses(trigger: str, transcript: str) -> bool:
    """Is this a compression? Only the user's own says so; of the others the log tells once it has happened."""
    if trigger == "manual":
        return True
    # Imported here: a prompt never needs it.
    from recollect.hosts.gemini_cli.shrinking import history_shrank

    return history_shrank(transcript)


def typed_prompt(prompt: str) -> str:
    """The prompt without what hooks put in front of it."""
    while prompt.startswith(OPENING) and CLOSING in prompt:
        prompt = prompt.partition(CLOSING)[2].lstrip()
    return prompt
