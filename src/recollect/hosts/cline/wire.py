"""What Cline says to a hook and takes from it. Anything but valid JSON and exit 0 would stop the task."""

from __future__ import annotations

from recollect.hosts.payloads import first_of, paths_in, text_of
from recollect.model.hooks import BEFORE_TOOL, OTHER, PRE_COMPACT, PROMPT, SESSION_END, SESSION_START, STOP, HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

EVENTS = {
    "TaskStart": SESSION_START,
    "TaskResume": SESSION_START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": BEFORE_TOOL,
    "PreCompact": PRE_COMPACT,
    "TaskComplete": STOP,
    "TaskCancel": SESSION_END,
}


def parse(said: Mapping[str, object], environ: Mapping[str, str]) -> HookCall:
    """The call in neutral words: what belongs to the event is nested under its name."""
    name = text_of(said, "hookName")
    inner = said.get(name[:1].lower() + name[1:])
    inner = inner if isinstance(inner, dict) else {}
    return HookCall(
        "cline",
        event=EVENTS.get(name, OTHER),
        host_event=name,
        session=text_of(said, "taskId"),
        cwd=first_of(said, "workspaceRoots") or text_of(said, "cwd"),
        prompt=text_of(inner, "prompt"),
        paths=paths_in(inner.get("parameters")) if name == "PreToolUse" else "",
        source="resume" if name == "TaskResume" else "startup",
    )


def answer(call: HookCall, text: str) -> dict[str, object]:
    """The answer in this host's keys."""
    if text and call.event in (SESSION_START, PROMPT, BEFORE_TOOL):
        return {"cancel": False, "contextModification": text}
    return {}
