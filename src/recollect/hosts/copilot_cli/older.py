"""The oldest sessions of Copilot CLI: one JSON document that holds the messages as they went to the model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.hosts.documents import read_document
from recollect.hosts.reading import attachments_of, dict_of, list_of, parse_time, str_of, text_of
from recollect.hosts.tools import arguments_of
from recollect.hosts.wrappers import tool_text, typed_text
from recollect.model.sessions import Answered, Began, Called, Returned, Said, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event


def read_older(path: str, host: str) -> Iterator[Event]:
    """The events of such a document; messages carry no times."""
    document = read_document(path, "chatMessages")
    if document.broken:
        yield Skipped(path, document.broken)
    if not document.items:
        return
    native_id = str_of(document.fields.get("sessionId")) or os.path.basename(path).partition(".")[0]
    at = parse_time(document.fields.get("startTime"))
    yield Began(host, native_id, at)
    for number, message in enumerate(document.items):
        yield from _events_of(message, f"{native_id}:{number}", at)


def _events_of(message: Json, record_id: str, at: float) -> Iterator[Event]:
    content = message.get("content")
    match message.get("role"):
        case "user":
            if text := typed_text(text_of(content)):
                yield Said(text, at, record_id, attachments=attachments_of(content))
        case "assistant":
            if (text := text_of(content)).strip():
                yield Answered(text, at, record_id)
            for call in map(dict_of, list_of(message.get("tool_calls"))):
                function = dict_of(call.get("function"))
                arguments = arguments_of(function.get("arguments"))
                yield Called(str_of(call.get("id")), str_of(function.get("name")), arguments, at)
        case "tool":
            yield Returned(str_of(message.get("tool_call_id")), tool_text(text_of(content)), at=at)
