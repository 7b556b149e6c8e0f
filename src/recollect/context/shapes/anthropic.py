"""Anthropic messages. The system context stands apart: `{"system": ..., "messages": [...]}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context.shapes.blocks import (
    closed_request,
    from_json,
    json_text,
    open_request,
    read_content,
    take_apart,
    whole,
    without,
    written_content,
)
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.messages import Json, Part

SHAPE = "anthropic"
MEDIA = {"image": "image", "document": "document"}


def parse(messages: Any) -> tuple[Message, ...]:
    """The neutral messages; results that share a user message with text become a message of role tool beside it."""
    parsed: list[Message] = []
    if isinstance(messages, dict):
        parsed = open_request(messages, SHAPE, system="system", inside="messages", read=_part)
        messages = messages["messages"]
    for message in messages:
        parsed += _read(message)
    return tuple(parsed)


def render(messages: Iterable[Message]) -> Any:
    """The messages of this shape as Anthropic has them: joined ones in one."""
    apart, rest = take_apart(messages)
    rendered: list[Any] = []
    for group in _groups(rest):
        first = group[0]
        if first.form == "whole" and isinstance(first.parts[0], Other):
            rendered.append(first.parts[0].value)
            continue
        parts = [part for message in group for part in message.parts]
        content = written_content("content", parts, first.form if len(group) == 1 else "blocks", _block)
        rendered.append({"role": "user" if first.role == "tool" else first.role, **content, **first.extra})
    system = written_content("system", apart.parts, apart.form, _block) if apart else {}
    return closed_request(apart, "messages", rendered, system)


def _groups(messages: Iterable[Message]) -> Iterator[list[Message]]:
    group: list[Message] = []
    for message in messages:
        if group and message.joined and _is_of_user(message) and _is_of_user(group[-1]):
            group.append(message)
            continue
        if group:
            yield group
        group = [message]
    if group:
        yield group


def _is_of_user(message: Message) -> bool:
    return message.role in ("user", "tool") and message.form != "whole"


def _read(message: Any) -> list[Message]:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str) or message["role"] == "tool":
        return [whole(message, "user", SHAPE)]
    role, extra = message["role"], without(message, "role", "content")
    parts, form = read_content(message, "content", _part)
    if role != "user" or not any(isinstance(part, ToolResult) for part in parts):
        return [Message(role, parts, extra, SHAPE, form)]
    runs: list[tuple[str, list[Part]]] = []
    for part in parts:
        owner = "tool" if isinstance(part, ToolResult) else "user"
        if not runs or runs[-1][0] != owner:
            runs.append((owner, []))
        runs[-1][1].append(part)
    return [
        Message(owner, tuple(run), {} if place else extra, SHAPE, form, joined=place > 0)
        for place, (owner, run) in enumerate(runs)
    ]


def _part(block: Any) -> Part:
    match block:
        case {"type": "text", "text": str(text)}:
            return Text(text, without(block, "type", "text"))
        case {"type": "thinking", "thinking": str(text)} if "redacted" not in block:
            return _thinking(block, text)
        case {"type": "redacted_thinking", "data": str(data)}:
            return Thinking("", data, {"redacted": without(block, "type", "data")})
        case {"type": "tool_use", "id": str(call_id), "name": str(name), "input": arguments}:
            return ToolCall(call_id, name, json_text(arguments), without(block, "type", "id", "name", "input"))
        case {"type": "tool_result", "tool_use_id": str(call_id)}:
            parts, form = read_content(block, "content", _inner_part)
            extra = without(block, "type", "tool_use_id", "content")
            return ToolResult(call_id, parts, block.get("is_error") is True, extra, form=form)
        case {"type": "image" | "document" as kind, "source": dict()}:
            return Media(MEDIA[kind], block)
    return Other(block)


def _thinking(block: Json, text: str) -> Thinking:
    extra = without(block, "type", "thinking")
    signature = extra.pop("signature") if isinstance(extra.get("signature"), str) and extra["signature"] else ""
    return Thinking(text, signature, extra)


def _inner_part(block: Any) -> Text | Media | Other:
    part = _part(block)
    return part if isinstance(part, (Text, Media, Other)) else Other(block)


def _block(part: Part) -> Any:
    match part:
        case Text(text=text, extra=extra):
            return {"type": "text", "text": text, **extra}
        case Thinking(signature=data, extra={"redacted": extra}):
            return {"type": "redacted_thinking", "data": data, **extra}
        case Thinking(text=text, signature=signature, extra=extra):
            sealed = {"signature": signature} if signature else {}
            return {"type": "thinking", "thinking": text, **sealed, **extra}
        case ToolCall(call_id=call_id, name=name, arguments=arguments, extra=extra):
            return {"type": "tool_use", "id": call_id, "name": name, "input": from_json(arguments), **extra}
        case ToolResult():
            return _result_block(part)
        case Media(source=source):
            return source
        case Other(value=value):
            return value


def _result_block(result: ToolResult) -> Json:
    usual = "text" if result.parts else "blocks"
    content = written_content("content", result.parts, result.form, _block, usual=usual)
    return {"type": "tool_result", "tool_use_id": result.call_id, **content, **result.extra}
