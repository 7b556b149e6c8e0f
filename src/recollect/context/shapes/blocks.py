"""What the shapes have in common: a content that is a text, a list, null or missing, and the keys we do not know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from recollect.errors import UsageError
from recollect.model.messages import Message, Other, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from recollect.model.messages import Json, Part

# How a content stood in the message it came from. item: beside messages, not in one; whole: nothing in it was read.
FORMS = ("", "text", "blocks", "null", "absent", "object", "item", "whole")


def without(block: Json, *names: str) -> Json:
    """The keys of a block that have no field in the model."""
    return {name: value for name, value in block.items() if name not in names}


def read_content(block: Json, name: str, read: Callable[[Any], Any]) -> tuple[tuple[Any, ...], str]:
    """The parts of a content, and how it stood there."""
    if name not in block:
        return (), "absent"
    match block[name]:
        case str(text):
            return (Text(text),), "text"
        case list(items):
            return tuple(read(item) for item in items), "blocks"
        case None:
            return (), "null"
        case value:
            return (read(value),), "object"


def written_content(
    name: str, parts: Sequence[Any], form: str, write: Callable[[Any], Any], *, usual: str = "text"
) -> Json:
    """The content as it stood, as far as these parts still allow; otherwise as it usually stands in this shape."""
    if not parts and form in ("null", "absent"):
        return {name: None} if form == "null" else {}
    form = form or usual
    if len(parts) == 1:
        if form in ("text", "null", "absent") and isinstance(parts[0], Text) and not parts[0].extra:
            return {name: parts[0].text}
        if form == "object":
            return {name: write(parts[0])}
    if not parts and form == "text":
        return {name: ""}
    return {name: [write(part) for part in parts]}


def whole(value: Any, role: str, shape: str) -> Message:
    """A message that could not be read, carried as it is."""
    return Message(role, (Other(value),), shape=shape, form="whole")


def open_request(request: Any, shape: str, *, system: str, inside: str, read: Callable[[Any], Part]) -> list[Message]:
    """The message that stands apart from the list in a whole request: the system context and every other setting."""
    if inside not in request:
        raise UsageError(f"A request needs {inside!r}; there are {', '.join(map(repr, request)) or 'no keys'}.")
    parts, form = read_content(request, system, read) if system else ((), "absent")
    return [Message("system", parts, without(request, system, inside), shape, form, apart=True)]


def closed_request(apart: Message | None, inside: str, items: Any, content: Json) -> Any:
    """The list, in its request when it came in one."""
    if apart is None:
        return items
    return {**content, inside: items, **apart.extra}


def take_apart(messages: Iterable[Message]) -> tuple[Message | None, list[Message]]:
    """The first message that stands apart, and the others."""
    rest = list(messages)
    for place, message in enumerate(rest):
        if message.apart:
            return rest.pop(place), rest
    return None, rest


def json_text(value: Any) -> str:
    """JSON text that reads back as the same value."""
    return json.dumps(value, ensure_ascii=False)


def from_json(text: str) -> Any:
    """What the JSON text says; the text itself when it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text
