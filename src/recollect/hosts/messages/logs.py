"""Message lists of the OpenAI and Anthropic programming interfaces: an array, or an object with `messages`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.documents import parse_value, read_document
from recollect.hosts.events import unfenced
from recollect.hosts.reading import attachments_of, clip, dict_of, files_below, list_of, parse_time, str_of, text_of
from recollect.hosts.wrappers import is_summary, typed_text
from recollect.model.sessions import Answered, Began, Called, Compacted, Returned, Said, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "messages"
TOOLS: dict[str, tuple[str, str]] = {
    "bash": ("command", "command"),
    "shell": ("command", "command"),
    "run_command": ("command", "command"),
    "read_file": ("read", "path"),
    "write_file": ("change", "path"),
    "edit_file": ("change", "path"),
    "str_replace_based_edit_tool": ("change", "path"),
    "str_replace_editor": ("change", "path"),
    "apply_patch": ("change", "input"),
    "grep": ("search", "pattern"),
    "search": ("search", "query"),
    "web_search": ("search", "query"),
}
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_SHAPE = re.compile(
    rb'(?:"messages"\s*:\s*)?\[\s*\{[^{}\[\]]{0,400}?"role"\s*:\s*"(?:' + "|".join(_ROLES).encode() + rb')"'
)


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """Nowhere: such files are given by the user."""
    return []


def find(places: Iterable[str]) -> Iterator[str]:
    """The JSON files below the given places."""
    return files_below(places, ".json")


def recognises(path: str, head: bytes) -> bool:
    """Whether a list of messages with roles begins the file, or stands in it as `messages`."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"["):
        return _SHAPE.match(text) is not None
    found = _SHAPE.search(text) if text.startswith(b"{") else None
    return found is not None and found[0].startswith(b'"messages"')


def read(path: str) -> Iterator[Event]:
    """The one conversation of a file."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    document = read_document(path, "messages")
    messages = [item for item in document.items if item.get("role") in _ROLES]
    if messages:
        yield _began(path, document.fields, messages)
    seen: set[str] = set()
    for message in messages:
        record_id = str_of(message.get("id"))
        if not record_id or record_id not in seen:
            seen.add(record_id)
            yield from message_events(message, record_id)
    if document.broken:
        yield Skipped(path, document.broken)
    elif not messages:
        yield Skipped(path, "it contains no messages")


def _began(path: str, fields: Json, messages: list[Json]) -> Began:
    named = (str_of(fields.get(key)) for key in ("session_id", "conversation_id", "thread_id", "id"))
    return Began(
        HOST,
        next(filter(None, named), "") or os.path.splitext(os.path.basename(path))[0],
        at=parse_time(fields.get("created_at")) or parse_time(fields.get("created")) or _time_of(messages[0]),
        cwd=str_of(fields.get("cwd")),
        title=str_of(fields.get("title")),
        model=str_of(fields.get("model")),
    )


def _time_of(message: Json) -> float:
    return next(filter(None, (parse_time(message.get(key)) for key in ("timestamp", "created_at", "ts"))), 0.0)


def message_events(message: Json, record_id: str) -> Iterator[Event]:
    """The events of one message of either shape; instructions to the model are none."""
    at = _time_of(message)
    match message.get("role"):
        case "user":
            yield from _user_events(message, at, record_id)
        case "assistant":
            yield from _assistant_events(message, at, record_id)
        case "tool" | "function":
            output = text_of(message.get("content"))
            yield Returned(str_of(message.get("tool_call_id")) or str_of(message.get("name")), clip(output), at=at)


def _user_events(message: Json, at: float, record_id: str) -> Iterator[Event]:
    content = message.get("content")
    for block in map(dict_of, list_of(content)):
        if block.get("type") == "tool_result":
            failed = block.get("is_error")
            ok = None if failed is None else not failed
            output = clip(text_of(block.get("content")))
            yield Returned(str_of(block.get("tool_use_id")), output, ok=ok, at=at)
    text = text_of(content)
    if is_summary(text):
        yield Compacted(text, at=at, record_id=record_id)
    elif typed := typed_text(text):
        yield Said(typed, at, record_id, attachments=attachments_of(content) + _images(content))


def _images(content: object) -> int:
    return sum(1 for block in list_of(content) if dict_of(block).get("type") == "image_url")


def _assistant_events(message: Json, at: float, record_id: str) -> Iterator[Event]:
    model = str_of(message.get("model"))
    content = message.get("content")
    for block in [content] if isinstance(content, str) else list_of(content):
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield Called(str_of(block.get("id")), str_of(block.get("name")), dict_of(block.get("input")), at)
        elif (text := text_of(block)).strip():
            yield Answered(text, at, record_id, model)
    for call in map(dict_of, list_of(message.get("tool_calls"))):
        yield _called(str_of(call.get("id")), dict_of(call.get("function")) or dict_of(call.get("custom")), at)
    if legacy := dict_of(message.get("function_call")):
        yield _called(str_of(legacy.get("name")), legacy, at)


def _called(call_id: str, function: Json, at: float) -> Called:
    raw = function.get("arguments", function.get("input"))
    value = parse_value(raw)
    arguments = value if isinstance(value, dict) else {"input": value} if value else {}
    return Called(call_id, str_of(function.get("name")), arguments, at)
