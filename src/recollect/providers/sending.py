"""What leaves this machine: a prompt without secrets, in whatever part of it they stand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.model.messages import Media, Other, Text, Thinking, ToolCall, ToolResult
from recollect.text.clean import clean, clean_value

if TYPE_CHECKING:
    from typing import Any

    from recollect.model.messages import Message, Part
    from recollect.ports import OfferedTool, Prompt


def cleaned(prompt: Prompt) -> Prompt:
    """The prompt as it may be sent."""
    return prompt._replace(
        system=clean(prompt.system),
        messages=tuple(map(_message, prompt.messages)),
        headers={name: clean(value) for name, value in prompt.headers.items()},
        tools=tuple(map(_tool, prompt.tools)),
        schema=None if prompt.schema is None else _value(prompt.schema),
    )


def _message(message: Message) -> Message:
    # `extra` is what another provider added: nothing of it is sent.
    return message._replace(parts=tuple(map(_part, message.parts)), extra={})


def _part(part: Part) -> Part:
    match part:
        case Text() | Thinking():
            return part._replace(text=clean(part.text), extra={})
        case ToolCall():
            return part._replace(arguments=_arguments(part.arguments), extra={})
        case ToolResult():
            return part._replace(parts=tuple(map(_part, part.parts)), extra={})  # type: ignore[arg-type]
        case Media():
            return part._replace(source={}, extra={})  # a picture is named, never sent
        case Other():
            return Text("(something else)")


def _arguments(text: str) -> str:
    """A call's arguments; as JSON, where a key can tell what its value is."""
    try:
        return json.dumps(_value(json.loads(text)), ensure_ascii=False)
    except (ValueError, RecursionError):
        return clean(text)


def _tool(tool: OfferedTool) -> OfferedTool:
    return tool._replace(description=clean(tool.description), arguments_schema=_value(tool.arguments_schema))


def _value(value: Any) -> Any:
    return clean_value(value)
