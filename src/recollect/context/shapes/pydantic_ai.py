"""pydantic-ai messages, as the library's objects or as the JSON it stores them in. Only objects need the library."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.context.shapes.blocks import (
    from_json,
    json_text,
    read_content,
    take_apart,
    whole,
    without,
    written_content,
)
from recollect.errors import UsageError
from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.text.extras import install_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.messages import Json, Part

SHAPE = "pydantic_ai"
# Retries are the library's own words, not the user's.
ROLES = {"system-prompt": "system", "user-prompt": "user", "retry-prompt": "tool", "retry-feedback": "tool"}
KINDS_OF_ROLE = {"system": "system-prompt", "developer": "system-prompt"}
MEDIA = {"image-url": "image", "audio-url": "audio", "video-url": "video", "document-url": "document"}
ERRORS = ("failed", "retried")


def parse(messages: Any) -> tuple[Message, ...]:
    """The neutral messages: one for each part of a request and one for each reply; the instructions stand apart."""
    parsed: list[Message] = []
    instructions = None
    for message in _as_json(messages):
        read = _read(message)
        parsed += read
        if read[0].role != "assistant":
            instructions = read[0].extra.get("message", {}).get("instructions") or instructions
    if isinstance(instructions, str):
        return (Message("system", (Text(instructions),), shape=SHAPE, apart=True), *parsed)
    return tuple(parsed)


def render(messages: Iterable[Message]) -> list[Any]:
    """The messages as the library stores them; the instructions are in the last request, where they were."""
    apart, rest = take_apart(messages)
    rendered: list[Any] = []
    requests: list[Json] = []
    for message in rest:
        if message.form == "whole" and isinstance(message.parts[0], Other):
            rendered.append(message.parts[0].value)
        elif message.role == "assistant":
            envelope = message.extra.get("message", {"kind": "response"})
            rendered.append({"parts": [_response_block(part) for part in message.parts], **envelope})
        else:
            if not (message.joined and requests and rendered[-1] is requests[-1]):
                requests.append({"parts": [], **message.extra.get("message", {"kind": "request"})})
                rendered.append(requests[-1])
            requests[-1]["parts"] += _request_blocks(message)
    if apart and apart.text and requests and not any(request.get("instructions") for request in requests):
        requests[-1]["instructions"] = apart.text
    return rendered


def objects(messages: Iterable[Message]) -> list[Any]:
    """The messages as objects of the library."""
    text = json.dumps(render(messages), ensure_ascii=True)
    return list(_library().ModelMessagesTypeAdapter.validate_json(text))


def _as_json(messages: Any) -> list[Any]:
    if all(isinstance(message, dict) for message in messages):
        return list(messages)
    return list(_library().ModelMessagesTypeAdapter.dump_python(list(messages), mode="json"))


def _library() -> Any:
    try:
        return import_module("pydantic_ai.messages")
    except ImportError:
        raise UsageError(f"Messages of pydantic-ai need the library: {install_line('pydantic-ai')}.") from None


def _read(message: Any) -> list[Message]:
    match message:
        case {"kind": "response", "parts": list(parts)}:
            read = tuple(_response_part(part) for part in parts)
            return [Message("assistant", read, {"message": without(message, "parts")}, SHAPE)]
        case {"kind": "request", "parts": list(parts)}:
            read_parts = [_request_part(part) for part in parts] or [Message("user", shape=SHAPE, form="item")]
            first = read_parts[0]
            first = first._replace(extra={**first.extra, "message": without(message, "parts")})
            return [first, *(part._replace(joined=True) for part in read_parts[1:])]
    return [whole(message, "user", SHAPE)]


def _request_part(part: Any) -> Message:
    match part:
        case {"part_kind": "tool-return", "tool_call_id": str(call_id)}:
            return Message("tool", (_result(part, call_id),), shape=SHAPE)
        case {"part_kind": "retry-prompt", "tool_call_id": str(call_id), "tool_name": str()}:
            return Message("tool", (_result(part, call_id)._replace(is_error=True),), shape=SHAPE)
        case {"part_kind": "system-prompt" | "user-prompt" | "retry-prompt" | "retry-feedback" as kind}:
            parts, form = read_content(part, "content", _content_part)
            return Message(ROLES[kind], parts, {"part": without(part, "content")}, SHAPE, form)
        case {"part_kind": "speech", "transcript": str(text)}:
            return Message("user", (Text(text),), {"part": without(part, "transcript")}, SHAPE, "text")
    return Message("system", (Other(part),), shape=SHAPE, form="item")


def _result(part: Json, call_id: str) -> ToolResult:
    parts, form = read_content(part, "content", _content_part)
    extra = without(part, "part_kind", "tool_call_id", "content")
    kind = "" if part["part_kind"] == "tool-return" else part["part_kind"]
    return ToolResult(call_id, parts, part.get("outcome") in ERRORS, extra, kind, form)


def _content_part(item: Any) -> Text | Media | Other:
    match item:
        case str():
            return Text(item)
        case {"kind": "text-content", "content": str(text)}:
            return Text(text, without(item, "content"))
        case {"kind": "image-url" | "audio-url" | "video-url" | "document-url" as kind, "url": str()}:
            return Media(MEDIA[kind], item)
        case {"kind": "binary", "data": str(), "media_type": str(media_type)}:
            kind = media_type.partition("/")[0]
            return Media(kind if kind in ("image", "audio", "video") else "document", item)
        case {"kind": "uploaded-file", "file_id": str()}:
            return Media("image" if str(item.get("media_type")).startswith("image/") else "document", item)
    return Other(item)


def _response_part(part: Any) -> Part:
    match part:
        case {"part_kind": "text", "content": str(text)}:
            return Text(text, without(part, "part_kind", "content"))
        case {"part_kind": "speech", "transcript": str(text)}:
            return Text(text, without(part, "transcript"))
        case {"part_kind": "thinking", "content": str(text)}:
            extra = without(part, "part_kind", "content")
            signature = extra.pop("signature") if extra.get("signature") and isinstance(extra["signature"], str) else ""
            return Thinking(text, signature, extra)
        case {"part_kind": "tool-call", "tool_call_id": str(call_id), "tool_name": str(name)}:
            extra = without(part, "part_kind", "tool_call_id", "tool_name", "args")
            arguments, form = _arguments(part)
            return ToolCall(call_id, name, arguments, {"part": extra, "form": form})
        case {"part_kind": "file", "content": dict(content)}:
            medium = _content_part(content)
            if isinstance(medium, Media):
                return medium._replace(extra=without(part, "part_kind", "content"))
    return Other(part)


def _arguments(part: Json) -> tuple[str, str]:
    if "args" not in part:
        return "", "absent"
    match part["args"]:
        case str(text):
            return text, "text"
        case None:
            return "", "null"
        case value:
            return json_text(value), "object"


def _request_blocks(message: Message) -> Iterator[Any]:
    if message.results:
        yield from (_result_block(result) for result in message.results)
    elif message.form == "item":
        yield from (part.value for part in message.parts if isinstance(part, Other))
    else:
        part = message.extra.get("part") or {"part_kind": KINDS_OF_ROLE.get(message.role, "user-prompt")}
        name = "transcript" if part.get("part_kind") == "speech" else "content"
        # A system prompt is one text.
        parts = [Text(message.text)] if message.role in KINDS_OF_ROLE and not message.form else message.parts
        yield {**part, **written_content(name, parts, message.form, _content_block)}


def _result_block(result: ToolResult) -> Json:
    content = written_content("content", result.parts, result.form, _content_block)
    return {
        "part_kind": result.kind or "tool-return",
        "tool_call_id": result.call_id,
        "tool_name": "",
        **content,
        **result.extra,
    }


def _content_block(part: Any) -> Any:
    match part:
        case Text(text=text, extra=extra):
            return {"content": text, **extra} if extra else text
        case Media(source=source):
            return source
        case Other(value=value):
            return value
    return None


def _response_block(part: Part) -> Any:
    match part:
        case Text(text=text, extra={"part_kind": "speech"} as extra):
            return {"transcript": text, **extra}
        case Text(text=text, extra=extra):
            return {"part_kind": "text", "content": text, **extra}
        case Thinking(text=text, signature=signature, extra=extra):
            sealed = {"signature": signature} if signature else {}
            return {"part_kind": "thinking", "content": text, **sealed, **extra}
        case ToolCall():
            return _call_block(part)
        case Media(source=source, extra=extra):
            return {"part_kind": "file", "content": source, **extra}
        case Other(value=value):
            return value
    return None


def _call_block(call: ToolCall) -> Json:
    form = call.extra.get("form", "text")
    arguments: Json = {"args": call.arguments}
    if form == "absent":
        arguments = {}
    elif form in ("null", "object"):
        arguments = {"args": from_json(call.arguments) if form == "object" else None}
    named = {"part_kind": "tool-call", "tool_call_id": call.call_id, "tool_name": call.name}
    return {**named, **arguments, **call.extra.get("part", {})}
