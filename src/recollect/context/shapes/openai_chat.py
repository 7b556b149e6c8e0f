"""OpenAI chat completions messages, with the older function calls and the custom tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.context.shapes.blocks import (
    closed_request,
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

SHAPE = "openai_chat"
MEDIA = {"image_url": "image", "input_audio": "audio", "file": "document"}


def parse(messages: Any) -> tuple[Message, ...]:
    """The neutral messages, one for each."""
    parsed: list[Message] = []
    if isinstance(messages, dict):
        parsed = open_request(messages, SHAPE, system="", inside="messages", read=_part)
        messages = messages["messages"]
    legacy_calls = 0
    for message in messages:
        parsed.append(_read(message, f"function_call_{legacy_calls}"))
        legacy_calls += any(call.kind == "legacy" for call in parsed[-1].calls)
    return tuple(_answer_legacy(parsed))


def render(messages: Iterable[Message]) -> Any:
    """The messages of this shape as OpenAI has them."""
    apart, rest = take_apart(messages)
    rendered: list[Any] = []
    for message in rest:
        if message.form == "whole" and isinstance(message.parts[0], Other):
            rendered.append(message.parts[0].value)
        elif message.results:
            rendered += [_result_message(result, message) for result in message.results]
        else:
            rendered.append(_message(message))
    return closed_request(apart, "messages", rendered, {})


def _answer_legacy(messages: list[Message]) -> Iterator[Message]:
    """The older results name no call: each answers the call before it."""
    call_id = ""
    for message in messages:
        call_id = next((call.call_id for call in message.calls if call.kind == "legacy"), call_id)
        results = message.results
        if results and results[0].kind == "legacy":
            yield message._replace(parts=(results[0]._replace(call_id=call_id),))
        else:
            yield message


def _read(message: Any, legacy_id: str) -> Message:
    match message:
        case {"role": "tool", "tool_call_id": str(call_id)}:
            parts, form = read_content(message, "content", _inner_part)
            result = ToolResult(call_id, parts, form=form)
            return Message("tool", (result,), without(message, "role", "tool_call_id", "content"), SHAPE)
        case {"role": "function"}:
            parts, form = read_content(message, "content", _inner_part)
            result = ToolResult("", parts, form=form, kind="legacy")
            return Message("tool", (result,), without(message, "role", "content"), SHAPE)
        case {"role": "system" | "developer" | "user" | "assistant" as role}:
            return _read_spoken(message, role, legacy_id)
    return whole(message, "user", SHAPE)


def _read_spoken(message: Json, role: str, legacy_id: str) -> Message:
    parts, form = read_content(message, "content", _part)
    extra = without(message, "role", "content")
    calls = [_call(call) for call in extra["tool_calls"]] if isinstance(extra.get("tool_calls"), list) else []
    read_calls = tuple(call for call in calls if call)
    if calls and len(read_calls) == len(calls):
        del extra["tool_calls"]
        parts += read_calls
    match extra:
        case {"function_call": {"name": str(name), "arguments": str(arguments)}}:
            more = without(extra.pop("function_call"), "name", "arguments")
            parts += (ToolCall(legacy_id, name, arguments, more, kind="legacy"),)
    return Message(role, parts, extra, SHAPE, form)


def _call(call: Any) -> ToolCall | None:
    match call:
        case {"id": str(call_id), "function": {"name": str(name), "arguments": str(arguments)} as inner}:
            kind, place = "", "function"
        case {"id": str(call_id), "custom": {"name": str(name), "input": str(arguments)} as inner}:
            kind, place = "custom", "custom"
        case _:
            return None
    extra = without(call, "id", place)
    more = without(inner, "name", "input" if kind else "arguments")
    return ToolCall(call_id, name, arguments, {**extra, place: more} if more else extra, kind)


def _part(block: Any) -> Part:
    match block:
        case {"type": "text", "text": str(text)}:
            return Text(text, without(block, "type", "text"))
        case {"type": "refusal", "refusal": str(text)}:
            return Text(text, without(block, "refusal"))
        case {"type": "image_url" | "input_audio" | "file" as kind}:
            return Media(MEDIA[kind], block)
    return Other(block)


def _inner_part(block: Any) -> Text | Media | Other:
    part = _part(block)
    return part if isinstance(part, (Text, Media, Other)) else Other(block)


def _message(message: Message) -> Json:
    spoken = [part for part in message.parts if not isinstance(part, (ToolCall, Thinking))]
    form = message.form or ("null" if message.calls else "")
    calls = [_call_block(call) for call in message.calls if call.kind != "legacy"]
    legacy = next((call for call in message.calls if call.kind == "legacy"), None)
    written: Json = {"role": message.role, **written_content("content", spoken, form, _block), **message.extra}
    if calls:
        written["tool_calls"] = calls
    if legacy:
        written["function_call"] = {"name": legacy.name, "arguments": legacy.arguments, **legacy.extra}
    return written


def _result_message(result: ToolResult, message: Message) -> Json:
    content = written_content("content", result.parts, result.form, _block)
    if result.kind == "legacy":
        return {"role": "function", **content, **message.extra}
    return {"role": "tool", "tool_call_id": result.call_id, **content, **message.extra}


def _call_block(call: ToolCall) -> Json:
    place, words = ("custom", "input") if call.kind == "custom" else ("function", "arguments")
    inner = {"name": call.name, words: call.arguments, **call.extra.get(place, {})}
    return {"id": call.call_id, **call.extra, place: inner}


def _block(part: Any) -> Any:
    match part:
        case Text(text=text, extra={"type": "refusal"}):
            return {"refusal": text, **part.extra}
        case Text(text=text, extra=extra):
            return {"type": "text", "text": text, **extra}
        case Media(source=source):
            return source
        case Other(value=value):
            return value
    return None
