"""OpenAI Responses items, input and output. One item is one message; `instructions` stand apart."""

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

SHAPE = "openai_responses"
MEDIA = {
    "input_image": "image",
    "input_audio": "audio",
    "input_file": "document",
    "computer_screenshot": "image",
}
TEXTS = ("input_text", "output_text", "text")
# The kinds with a name and arguments of their own; of every other call the item itself is the arguments.
NAMED_CALLS = {"function_call": ("", "arguments"), "custom_tool_call": ("custom", "input")}
RESULTS = {"function_call_output": "", "custom_tool_call_output": "custom"}


def parse(items: Any) -> tuple[Message, ...]:
    """The neutral messages, one for each item; those of one reply are joined."""
    parsed: list[Message] = []
    if isinstance(items, dict):
        parsed = open_request(items, SHAPE, system="instructions", inside="input", read=_part)
        items = items["input"]
    if isinstance(items, str):
        return (*parsed, Message("user", (Text(items),), shape=SHAPE, form="item"))
    for item in items:
        message = _read(item)
        joined = bool(parsed) and message.role == parsed[-1].role == "assistant"
        parsed.append(message._replace(joined=True) if joined else message)
    return tuple(parsed)


def render(messages: Iterable[Message]) -> Any:
    """The items of these messages."""
    apart, rest = take_apart(messages)
    items: Any = [item for message in rest for item in _items(message)]
    if len(rest) == 1 and rest[0].form == "item" and isinstance(rest[0].parts[0], Text):
        items = rest[0].text
    content: Json = {}
    if apart:
        content = written_content("instructions", apart.parts, apart.form, _block)
    return closed_request(apart, "input", items, content)


def _read(item: Any) -> Message:
    match item:
        case {"type": "reasoning"}:
            return Message("assistant", (_thinking(item),), shape=SHAPE, form="item")
        case {"type": str(kind), "call_id": str(call_id)} if kind.endswith("_call"):
            return Message("assistant", (_call(item, kind, call_id),), shape=SHAPE, form="item")
        case {"type": str(kind), "call_id": str(call_id)} if kind.endswith("_output"):
            return Message("tool", (_result(item, kind, call_id),), shape=SHAPE, form="item")
        case {"role": str(role)} if role != "tool" and item.get("type", "message") == "message":
            parts, form = read_content(item, "content", _part)
            return Message(role, parts, without(item, "role", "content"), SHAPE, form)
        case {"type": str(kind)} if kind.endswith("_response") or kind == "message":
            return whole(item, "user", SHAPE)
        case {"type": str()}:
            return whole(item, "assistant", SHAPE)
    return whole(item, "user", SHAPE)


def _thinking(item: Json) -> Thinking:
    said = [*_list(item.get("summary")), *_list(item.get("content"))]
    texts = [block["text"] for block in said if isinstance(block, dict) and isinstance(block.get("text"), str)]
    extra = without(item, "type")
    sealed = extra.pop("encrypted_content") if isinstance(item.get("encrypted_content"), str) else ""
    if not sealed and "encrypted_content" in item:
        extra["encrypted_content"] = item["encrypted_content"]
    return Thinking("\n".join(texts), sealed, extra)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _call(item: Json, kind: str, call_id: str) -> ToolCall:
    own_kind, words = NAMED_CALLS.get(kind, (kind, ""))
    name, arguments = item.get("name"), item.get(words)
    if isinstance(name, str) and isinstance(arguments, str):
        return ToolCall(call_id, name, arguments, without(item, "type", "call_id", "name", words), own_kind)
    arguments = json_text(without(item, "type", "call_id"))
    return ToolCall(call_id, kind.removesuffix("_call"), arguments, kind=kind)


def _result(item: Json, kind: str, call_id: str) -> ToolResult:
    parts, form = read_content(item, "output", _inner_part)
    return ToolResult(
        call_id, parts, extra=without(item, "type", "call_id", "output"), kind=RESULTS.get(kind, kind), form=form
    )


def _part(block: Any) -> Part:
    match block:
        case {"type": "input_text" | "output_text" | "text", "text": str(text)}:
            return Text(text, without(block, "text"))
        case {"type": "refusal", "refusal": str(text)}:
            return Text(text, without(block, "refusal"))
        case {"type": "input_image" | "input_audio" | "input_file" | "computer_screenshot" as kind}:
            return Media(MEDIA[kind], block)
    return Other(block)


def _inner_part(block: Any) -> Text | Media | Other:
    part = _part(block)
    return part if isinstance(part, (Text, Media, Other)) else Other(block)


def _items(message: Message) -> Iterator[Any]:
    """Words and media between calls make one message item; calls, results and reasoning are items of their own."""
    if message.form == "whole" and isinstance(message.parts[0], Other):
        yield message.parts[0].value
        return
    spoken: list[Part] = []
    for part in message.parts:
        if not isinstance(part, (Thinking, ToolCall, ToolResult)):
            spoken.append(part)
            continue
        if spoken:
            yield _message_item(message, spoken)
            spoken = []
        yield _own_item(part)
    if spoken or not message.parts:
        yield _message_item(message, spoken)


def _message_item(message: Message, parts: list[Part]) -> Json:
    content = written_content("content", parts, message.form, lambda part: _block(part, message.role), usual="blocks")
    return {"role": message.role, **content, **message.extra}


def _own_item(part: Thinking | ToolCall | ToolResult) -> Json:
    match part:
        case Thinking(signature=sealed, extra=extra):
            return {"type": "reasoning", **extra, **({"encrypted_content": sealed} if sealed else {})}
        case ToolCall(call_id=call_id, kind="" | "custom" as kind):
            written, words = ("custom_tool_call", "input") if kind else ("function_call", "arguments")
            return {"type": written, "call_id": call_id, "name": part.name, words: part.arguments, **part.extra}
        case ToolCall(call_id=call_id, kind=kind, arguments=arguments):
            settings = from_json(arguments)
            more = settings if isinstance(settings, dict) else {"arguments": arguments}
            return {"type": kind, "call_id": call_id, **more}
        case ToolResult(call_id=call_id, parts=parts, form=form, kind=kind):
            written = {"": "function_call_output", "custom": "custom_tool_call_output"}.get(kind, kind)
            content = written_content("output", parts, form, _block)
            return {"type": written, "call_id": call_id, **content, **part.extra}


def _block(part: Any, role: str = "user") -> Any:
    match part:
        case Text(text=text, extra={"type": "refusal"}):
            return {"refusal": text, **part.extra}
        case Text(text=text, extra=extra):
            return {"type": "output_text" if role == "assistant" else "input_text", "text": text, **extra}
        case Media(source=source):
            return source
        case Other(value=value):
            return value
    return None
