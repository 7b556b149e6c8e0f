"""Messages as JSON and back, exactly; and the JSON without the secrets that were said in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from recollect.model.messages import Media, Message, Other, Text, Thinking, ToolCall, ToolResult
from recollect.text.secrets.redacting import redact, redact_value

if TYPE_CHECKING:
    from recollect.model.messages import Json, Part

PARTS: dict[str, Any] = {
    "text": Text,
    "thinking": Thinking,
    "media": Media,
    "call": ToolCall,
    "result": ToolResult,
    "other": Other,
}
NAMES = {kind: name for name, kind in PARTS.items()}
# What only a provider can read, or what names something else, would be spoilt by a redaction and says nothing.
SEALED = frozenset({"signature", "encrypted_content", "data", "url", "thought_signature"})
IDENTITIES = frozenset(
    {"call_id", "toolCallId", "tool_call_id", "messageId", "requestId", "toEventId", "id", "parentSessionId"}
)
_SEALED = re.compile(r"(?:data:[\w.+/;=-]+,)?[A-Za-z0-9+/_=\-]{64,}")
_IDENTITY = re.compile(r"[\w.:|/-]{1,80}")


def message_json(message: Message) -> Json:
    """A message as JSON; what is as usual is left out."""
    fields = _fields(message)
    fields["parts"] = [part_json(part) for part in message.parts]
    return fields


def message_of(value: Any) -> Message:
    """The message of its JSON. Raises ValueError when it is none."""
    fields = _known(value, Message)
    fields["parts"] = tuple(part_of(part) for part in _list(fields.get("parts", [])))
    return Message(**fields)


def part_json(part: Part) -> Json:
    """One part of a message, with its kind."""
    fields = _fields(part)
    if isinstance(part, ToolResult):
        fields["parts"] = [part_json(inner) for inner in part.parts]
    return {"part": NAMES[type(part)], **fields}


def part_of(value: Any) -> Part:
    """The part of its JSON. Raises ValueError when it is none."""
    name = value.get("part") if isinstance(value, dict) else None
    if not isinstance(name, str) or name not in PARTS:
        raise ValueError("no part of a message")
    kind = PARTS[name]
    fields = _known(value, kind)
    if kind is ToolResult:
        fields["parts"] = tuple(part_of(inner) for inner in _list(fields.get("parts", [])))
    part: Part = kind(**fields)
    return part


def redacted(value: Any, name: str = "") -> Any:
    """JSON with its secrets taken out. Ids and what is sealed stay: a conversation could not go on without them."""
    if isinstance(value, dict):
        return {redact(str(key)): redacted(item, str(key)) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item, name) for item in value]
    if isinstance(value, str):
        if name in SEALED and _SEALED.fullmatch(value):
            return value
        if name in IDENTITIES and _IDENTITY.fullmatch(value):
            return value
    return redact_value(value, name)


def _fields(record: Any) -> Json:
    usual = record._field_defaults
    return {
        name: value
        for name, value in zip(record._fields, record, strict=True)
        if name != "parts" and (name not in usual or value != usual[name])
    }


def _known(value: Any, kind: Any) -> Json:
    if not isinstance(value, dict):
        raise ValueError("no object")
    fields = {name: value[name] for name in kind._fields if name in value}
    missing = set(kind._fields) - set(fields) - set(kind._field_defaults)
    if missing:
        raise ValueError(f"{', '.join(sorted(missing))} missing")
    return fields


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("no list")
    return value
