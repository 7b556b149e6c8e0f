"""What happens in a turn of our agent, as updates of the Agent Client Protocol. Pure."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from acp import (
    plan_entry,
    start_tool_call,
    text_block,
    tool_content,
    tool_diff_content,
    update_agent_message_text,
    update_agent_thought_text,
    update_plan,
    update_tool_call,
    update_user_message_text,
)
from acp.schema import PermissionOption, ToolCallLocation, ToolCallUpdate

from recollect.doors.cli.printing.output import counted, one_line, plain
from recollect.flows.chat import happenings as told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.chat.happenings import FileDiff, Happening
    from recollect.model.permissions import Answer, Question
    from recollect.model.sessions import Turn

    ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"]

# The kinds of the permissions, and of tools in stored turns, as the protocol calls them.
KINDS: dict[str, ToolKind] = {
    "read": "read",
    "recall": "search",
    "search": "search",
    "edit": "edit",
    "change": "edit",
    "run": "execute",
    "command": "execute",
    "plan": "think",
    "skill": "read",
}
LONGEST_OUTPUT = 20_000
AGAIN = "\n\n*The answer was cut off. Trying again:*\n\n"
OPTIONS = [
    PermissionOption(option_id="once", name="Allow once", kind="allow_once"),
    PermissionOption(option_id="session", name="Allow in this session", kind="allow_always"),
    PermissionOption(option_id="location", name="Always allow in this repository", kind="allow_always"),
    PermissionOption(option_id="reject", name="No", kind="reject_once"),
]
YES_NO = [
    PermissionOption(option_id="once", name="Yes", kind="allow_once"),
    PermissionOption(option_id="reject", name="No", kind="reject_once"),
]
ANSWERS: dict[str, Answer] = {"once": "once", "session": "session", "location": "location", "reject": "reject"}


class Showing:
    """One turn as it is shown: a message that came in pieces is not shown again whole."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._has_pieces = False

    def updates(self, happening: Happening) -> Iterator[Any]:
        """What a client is sent about it; nothing for what it has no place for."""
        match happening:
            case told.TextDelta(text=text):
                self._has_pieces = True
                yield update_agent_message_text(plain(text))
            case told.Cleared():
                self._has_pieces = False
                yield update_agent_message_text(AGAIN)
            case told.Said(text=text):
                if not self._has_pieces and text:
                    yield update_agent_message_text(plain(text))
                self._has_pieces = False
            case told.ToolStarted():
                yield started(happening, self._folder)
            case told.ToolFinished():
                yield finished(happening, self._folder)
            case told.TodosChanged(todos=todos):
                yield update_plan([plan_entry(one_line(todo.text), status=_status(todo.status)) for todo in todos])
            case told.Recalled(entries=entries, tokens=tokens):
                things = counted(entries, "memory", "memories")
                yield thought(f"{things}, {tokens} tokens; `recollect why` shows it")
            case told.Kept(line=line) | told.Compaction(line=line):
                yield thought(line)
            case told.Notice(text=text):
                yield thought(text)


def thought(line: str) -> Any:
    """A line beside the answer, such as what memory gave."""
    return update_agent_thought_text(f"{plain(line)}\n")


def started(tool: told.ToolStarted, folder: str) -> Any:
    """A tool call that begins, with the change it would make."""
    return start_tool_call(
        tool.call_id,
        _title(tool.name, tool.title),
        kind=KINDS.get(tool.kind, "other"),
        status="pending",
        content=[_diff(tool.diff, folder)] if tool.diff else None,
        locations=[ToolCallLocation(path=_absolute(path, folder)) for path in tool.paths] or None,
        raw_input=tool.arguments,
    )


def finished(tool: told.ToolFinished, folder: str) -> Any:
    """A tool call that is over."""
    content = [tool_content(text_block(plain(tool.text)[:LONGEST_OUTPUT]))] if tool.text else []
    shown = [_diff(tool.diff, folder), *content] if tool.diff else content
    status: Literal["completed", "failed"] = "completed" if tool.ok else "failed"
    return update_tool_call(tool.call_id, status=status, content=shown)


def replayed(turns: list[Turn]) -> Iterator[Any]:
    """A past conversation, for a client that loads it."""
    for turn in turns:
        if turn.user:
            yield update_user_message_text(plain(turn.user))
        for number, tool in enumerate(turn.tools):
            status: Literal["completed", "failed"] = "failed" if tool.ok is False else "completed"
            title = _title(tool.name, tool.target)
            shown = [tool_content(text_block(plain(tool.output)[:LONGEST_OUTPUT]))] if tool.output else None
            kind = KINDS.get(tool.kind, "other")
            yield start_tool_call(f"past-{turn.number}-{number}", title, kind=kind, status=status, content=shown)
        if turn.assistant:
            yield update_agent_message_text(plain(turn.assistant))


def asked_about(question: Question) -> ToolCallUpdate:
    """What a person is asked, as the tool call that waits for it. It says all there is to say: its call may be a
    sub-agent's, which the client has never heard of."""
    first, _, _ = question.text.partition("\n")
    return ToolCallUpdate(
        tool_call_id=question.call_id or "memory",
        title=one_line(first),
        kind=KINDS.get(question.kind, "other"),
        status="pending",
        content=[tool_content(text_block(plain(question.text)))],
    )


def asked_whether(question: str) -> ToolCallUpdate:
    """A question that belongs to no tool call."""
    return ToolCallUpdate(
        tool_call_id="question",
        title=one_line(question),
        kind="other",
        status="pending",
        content=[tool_content(text_block(plain(question)))],
    )


def _diff(diff: FileDiff, folder: str) -> Any:
    return tool_diff_content(_absolute(diff.path, folder), diff.after, diff.before)


def _absolute(path: str, folder: str) -> str:
    return os.path.abspath(os.path.join(folder, path))


def _title(name: str, title: str) -> str:
    return one_line(f"{name} {title}")[:200]


def _status(status: str) -> Literal["pending", "in_progress", "completed"]:
    match status:
        case "in_progress" | "completed":
            return status
    return "pending"
