"""Messages as a summariser and a summary may have them: the same, without secrets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recollect.model.messages import Other, Text, Thinking, ToolCall, ToolResult
from recollect.text.secrets.redacting import redact, redact_value

if TYPE_CHECKING:
    from recollect.model.messages import Message, Part


def without_secrets(message: Message) -> Message:
    """The message with the secrets taken out of everything that is said, called and returned in it."""
    return message._replace(parts=tuple(map(_part, message.parts)))


def _part(part: Part) -> Any:
    match part:
        case Text(text=text):
            told = redact(text)
            return part if told == text else part._replace(text=told)
        case Thinking(text=text):
            return part._replace(text=redact(text))
        case ToolCall(name=name, arguments=arguments):
            return part._replace(name=redact(name), arguments=_arguments(arguments))
        case ToolResult(parts=parts):
            return part._replace(parts=tuple(map(_part, parts)))
        case Other(value=value):
            return part._replace(value=redact_value(value))
    return part


def _arguments(arguments: str) -> str:
    """JSON stays JSON: a key such as `password` tells what its value is."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return redact(arguments)
    told = redact_value(value)
    return arguments if told == value else json.dumps(told, ensure_ascii=False)
