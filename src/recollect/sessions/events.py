"""The events of a session's log: what each kind says, and one event as a line of JSON.

A message is written by its role: `system.message`, `user.message`, `assistant.message`, or `tool.execution_complete`
for the result of a tool. A notice, which no person typed, is a `user.message` with a `source` of its own. The kinds
below change or describe the session around them. Kinds that are not known here are kept and passed over.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from recollect.errors import UsageError
from recollect.model import message_sources
from recollect.model.messages import Message, Text
from recollect.model.record import Record
from recollect.sessions.encodings import message_json
from recollect.text.fences import neutralise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.messages import Json, ToolCall

START, RESUME, SHUTDOWN = "session.start", "session.resume", "session.shutdown"
TITLE, MODEL, ERROR = "session.title_changed", "session.model_change", "session.error"
COMPACTION_START, COMPACTION_COMPLETE = "session.compaction_start", "session.compaction_complete"
TRUNCATION, USAGE, REWIND = "session.truncation", "session.usage_info", "session.rewind"
TODOS, PLAN, SKILL, AGENT = "session.todos_changed", "session.plan_changed", "skill.invoked", "subagent.selected"
PROVIDER_COMPACTION = "session.provider_compaction"
SYSTEM, USER, ASSISTANT = "system.message", "user.message", "assistant.message"
TOOL_START, TOOL_COMPLETE = "tool.execution_start", "tool.execution_complete"
MESSAGES = frozenset({SYSTEM, USER, ASSISTANT, TOOL_COMPLETE})
KINDS = frozenset(
    {START, RESUME, SHUTDOWN, TITLE, MODEL, ERROR, COMPACTION_START, COMPACTION_COMPLETE, TRUNCATION, USAGE, REWIND}
    | {TODOS, PLAN, SKILL, AGENT, PROVIDER_COMPACTION}
    | {SYSTEM, USER, ASSISTANT, TOOL_START, TOOL_COMPLETE}
)  # fmt: skip
LOG_VERSION = 1
NOTICE_TAG = "system_notification"


class NewEvent(Record):
    """What is to be recorded."""

    kind: str
    data: Json


class Event(Record):
    """One line of a session's log."""

    event_id: str
    kind: str  # `type` in the log
    data: Json
    at: float  # seconds since the epoch
    parent: str = ""  # the event before it


def line_of(event: Event) -> bytes:
    """The event as one line, without its end. Raises UsageError for a value that JSON cannot hold."""
    document = {
        "id": event.event_id,
        "type": event.kind,
        "parentId": event.parent or None,
        "timestamp": timestamp(event.at),
        "data": event.data,
    }
    try:
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:  # half a surrogate pair, which only the escaped form can carry
            return json.dumps(document, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"A session's log holds JSON only: {error}.") from error


def event_of(line: bytes) -> Event | None:
    """The event of a line; None for one that a crash or a disk has spoilt."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match value:
        case {"id": str(event_id), "type": str(kind), "data": dict(data)} if event_id:
            parent = value.get("parentId")
            return Event(
                event_id, kind, data, seconds(value.get("timestamp")), parent if isinstance(parent, str) else ""
            )
    return None


def timestamp(at: float) -> str:
    """ISO 8601, UTC, with milliseconds."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def seconds(value: Any) -> float:
    """The moment of a timestamp; 0 when there is none."""
    try:
        return datetime.fromisoformat(value).timestamp() if isinstance(value, str) else 0.0
    except (ValueError, OverflowError):
        return 0.0


# -- messages


def of_message(message: Message, **more: Any) -> NewEvent:
    """A message, by its role; `more` is told beside it (model, outputTokens, source ...)."""
    kinds = {"system": SYSTEM, "developer": SYSTEM, "user": USER, "assistant": ASSISTANT, "tool": TOOL_COMPLETE}
    if message.role not in kinds:
        raise UsageError(f"A message has one of the roles {', '.join(kinds)}, not {message.role!r}.")
    data: Json = dict(more)
    if message.role == "tool" and message.results:
        data.setdefault("toolCallId", message.results[0].call_id)
        data.setdefault("success", not any(result.is_error for result in message.results))
    return NewEvent(kinds[message.role], {**data, "message": message_json(message)})


def notice(text: str, *, source: str = message_sources.INBOX) -> NewEvent:
    """Something that the model should know in the middle of a turn: it reads it as said by the user, who did not.

    The tag tells so to whoever sees the message alone, such as a compaction that looks for the user's last request.
    """
    if message_sources.begins_turn(source):
        raise UsageError(f"A notice has a source of its own, not {source!r}.")
    wrapped = f"<{NOTICE_TAG}>\n{neutralise(text)}\n</{NOTICE_TAG}>"
    return of_message(Message("user", (Text(wrapped),)), source=source)


def begins_turn(event: Event) -> bool:
    """Does a turn begin with this event?"""
    return event.kind == USER and message_sources.begins_turn(event.data.get("source"))


def is_marked_typed(new: NewEvent) -> bool:
    """Does it say that a person typed it at our own terminal?"""
    return new.kind == USER and new.data.get("source") == message_sources.TERMINAL


def marked_typed(new: NewEvent) -> NewEvent:
    """The message with the mark that a person typed it at our own terminal."""
    if new.kind != USER:
        raise UsageError("Only a message of the user can have been typed.")
    return NewEvent(new.kind, {**new.data, "source": message_sources.TERMINAL})


def tool_start(call: ToolCall) -> NewEvent:
    """A tool begins to work."""
    return NewEvent(TOOL_START, {"toolCallId": call.call_id, "toolName": call.name, "arguments": call.arguments})


# -- the session


def start(
    session_id: str,
    *,
    version: str,
    cwd: str,
    repository: str,
    branch: str,
    model: str,
    parent: str = "",
    agent: str = "",
    detached: bool = False,
) -> NewEvent:
    """A session begins: `parent` is the session that started it, `agent` the agent that runs in it."""
    context = {"cwd": cwd, "repository": repository, "branch": branch}
    return NewEvent(
        START,
        {
            "sessionId": session_id,
            "version": LOG_VERSION,
            "producer": "recollect",
            "producerVersion": version,
            "selectedModel": model,
            "context": context,
            "parentSessionId": parent,
            "agent": agent,
            "detached": detached,
        },
    )


def resume(event_count: int, *, cwd: str = "") -> NewEvent:
    """A session goes on in another process."""
    return NewEvent(RESUME, {"eventCount": event_count, "context": {"cwd": cwd}})


def shutdown(reason: str = "routine", **totals: Any) -> NewEvent:
    """A session ends for now: routine, or error."""
    return NewEvent(SHUTDOWN, {"shutdownType": reason, **totals})


def title_changed(title: str) -> NewEvent:
    """The session gets a name."""
    return NewEvent(TITLE, {"title": title})


def model_change(previous: str, model: str) -> NewEvent:
    """Another model answers from now on."""
    return NewEvent(MODEL, {"previousModel": previous, "newModel": model})


def todos_changed(text: str) -> NewEvent:
    """The list of what is to do, whole, as it is from now on."""
    return NewEvent(TODOS, {"content": text})


def plan_changed(text: str) -> NewEvent:
    """The plan, whole, as it is from now on."""
    return NewEvent(PLAN, {"content": text})


def skill_invoked(name: str, content: str) -> NewEvent:
    """A skill is used: its name and its instructions."""
    return NewEvent(SKILL, {"name": name, "content": content})


def agent_selected(name: str, summary: str = "") -> NewEvent:
    """Another agent works from now on; an empty name is the main one."""
    return NewEvent(AGENT, {"agentName": name, "summary": summary})


def error(kind: str, message: str, *, status_code: int | None = None) -> NewEvent:
    """Something failed, and the session survived it."""
    code = {} if status_code is None else {"statusCode": status_code}
    return NewEvent(ERROR, {"errorType": kind, "message": message, **code})


# -- the window


def usage_info(
    *,
    limit_tokens: int,
    system_tokens: int,
    conversation_tokens: int,
    tool_tokens: int,
    messages: int,
    is_initial: bool = False,
) -> NewEvent:
    """How full the window is now."""
    return NewEvent(
        USAGE,
        {
            "tokenLimit": limit_tokens,
            "currentTokens": system_tokens + conversation_tokens + tool_tokens,
            "messagesLength": messages,
            "systemTokens": system_tokens,
            "conversationTokens": conversation_tokens,
            "toolDefinitionsTokens": tool_tokens,
            "isInitial": is_initial,
        },
    )


def truncation(
    *,
    limit_tokens: int,
    tokens_before: int,
    tokens_after: int,
    messages_before: int,
    messages_after: int,
    performed_by: str = "BasicTruncator",
) -> NewEvent:
    """A request was cut to fit. It says nothing about the conversation, which stays whole."""
    return NewEvent(
        TRUNCATION,
        {
            "tokenLimit": limit_tokens,
            "preTruncationTokensInMessages": tokens_before,
            "preTruncationMessagesLength": messages_before,
            "postTruncationTokensInMessages": tokens_after,
            "postTruncationMessagesLength": messages_after,
            "tokensRemovedDuringTruncation": tokens_before - tokens_after,
            "messagesRemovedDuringTruncation": messages_before - messages_after,
            "performedBy": performed_by,
        },
    )


def compaction_start(
    *, trigger: str = "manual", system_tokens: int = 0, conversation_tokens: int = 0, tool_tokens: int = 0
) -> NewEvent:
    """A compaction begins: manual, threshold, smaller_window, memory_pressure or context_limit."""
    return NewEvent(
        COMPACTION_START,
        {
            "trigger": trigger,
            "systemTokens": system_tokens,
            "conversationTokens": conversation_tokens,
            "toolDefinitionsTokens": tool_tokens,
        },
    )


def compaction_complete(replacement: Sequence[Message], data: Json) -> NewEvent:
    """A compaction is done; the messages from now on are in it, so that a replay needs nothing else."""
    return NewEvent(
        COMPACTION_COMPLETE, {**data, "success": True, "replacement": [message_json(one) for one in replacement]}
    )


def compaction_failed(why: str, data: Json) -> NewEvent:
    """A compaction came to nothing and nothing changed."""
    return NewEvent(COMPACTION_COMPLETE, {**data, "success": False, "error": {"message": why}})


def rewind(to_event: str, *, reason: str, messages_before: int, messages_after: int) -> NewEvent:
    """The conversation goes back to how it was right after an event; empty means its very beginning."""
    return NewEvent(
        REWIND,
        {
            "toEventId": to_event,
            "reason": reason,
            "messagesBefore": messages_before,
            "messagesAfter": messages_after,
        },
    )
