"""What goose says to a hook. It takes nothing back: its memory comes through MCP and AGENTS.md."""

from __future__ import annotations

from recollect.hosts.payloads import event_named, text_of
from recollect.model.hooks import HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words: the event is in `event`, the prompt in `message`."""
    name = text_of(said, "event", "hook_event_name")
    return HookCall(
        "goose",
        event=event_named(name),
        host_event=name,
        session=text_of(said, "session_id", "sessionId"),
        cwd=text_of(said, "cwd", "working_dir"),
        prompt=text_of(said, "message", "prompt"),
        source=text_of(said, "source"),
        takes_text=False,
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """Nothing, whatever there is to say."""
    return {}
