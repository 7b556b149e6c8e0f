"""The chats of Cursor's command line: one database each, a store of blobs under a root that lists the messages."""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.cursor.tools import HOST, arguments_in, returned
from recollect.hosts.cursor.transcripts import typed_query
from recollect.hosts.databases import Database, object_in
from recollect.hosts.reading import (
    attachments_of,
    dict_of,
    list_of,
    parse_object,
    parse_time,
    read_whole,
    str_of,
    text_of,
)
from recollect.hosts.workspaces import path_in_uri
from recollect.model.record import Record
from recollect.model.sessions import Answered, Began, Called, Said, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

_BYTES = 2  # the wire type of strings, bytes and messages
_MESSAGES, _WORKSPACE = 1, 9
_WORKSPACE_LINE = re.compile(r"Workspace Path: (\S[^\n]*)")


class _Stored(Record):
    blob_id: str
    message: Json


def read_chat(database: Database) -> Iterator[Event]:
    """The one chat of a database, in the order of its root; without a root, in the order of storing."""
    meta = _meta(database)
    root_id = str_of(meta.get("latestRootBlobId"))
    root = _fields(_blob(database, root_id)) if root_id else []
    stored = _listed(database, root) or _all(database)
    if not stored:
        return
    began = _began(database.path, meta, root, stored)
    yield began
    used: dict[str, int] = {}
    for blob_id, message in stored:
        record_id = str_of(message.get("id")) or blob_id[:16]
        # Equal messages are one blob, which the root lists as often as they were sent.
        used[record_id] = used.get(record_id, 0) + 1
        record_id = record_id if used[record_id] == 1 else f"{record_id}#{used[record_id]}"
        yield from _message_events(message, record_id, typed=not began.agent)


def _meta(database: Database) -> Json:
    """What the chat says about itself, as JSON written in hexadecimal; older stores have one row a field."""
    rows = database.rows("SELECT key, value FROM meta")
    meta: Json = {str(row.get("key")): row.get("value") for row in rows}
    for value in list(meta.values()):
        try:
            meta.update(object_in(bytes.fromhex(str_of(value))))
        except ValueError:
            continue
    return meta


def _blob(database: Database, blob_id: str) -> bytes:
    for row in database.rows("SELECT data FROM blobs WHERE id = ?", blob_id):
        data = row.get("data")
        return data if isinstance(data, bytes) else str_of(data).encode()
    return b""


def _listed(database: Database, root: list[tuple[int, bytes]]) -> list[_Stored]:
    ids = [value.hex() for number, value in root if number == _MESSAGES and len(value) == 32]
    messages = {blob_id: parse_object(_blob(database, blob_id)) for blob_id in dict.fromkeys(ids)}
    return [_Stored(blob_id, message) for blob_id in ids if (message := messages[blob_id]) is not None]


def _all(database: Database) -> list[_Stored]:
    stored = []
    for row in database.rows("SELECT id, data FROM blobs ORDER BY rowid"):
        message = object_in(row.get("data"))
        if "role" in message:
            stored.append(_Stored(str(row.get("id")), message))
    return stored


def _began(path: str, meta: Json, root: list[tuple[int, bytes]], stored: list[_Stored]) -> Began:
    folder = os.path.dirname(os.path.abspath(path))
    described = read_whole(os.path.join(folder, "meta.json"))
    beside: Json = {} if isinstance(described, Skipped) else described
    workspaces = [value.decode("utf-8", "replace") for number, value in root if number == _WORKSPACE]
    named = [_WORKSPACE_LINE.search(text_of(message.get("content"))) for _, message in stored[:4]]
    candidates = [str_of(beside.get("cwd")), *workspaces, *(found[1].strip() for found in named if found)]
    return Began(
        HOST,
        str_of(meta.get("agentId")) or os.path.basename(folder),
        at=parse_time(meta.get("createdAt")) or parse_time(beside.get("createdAtMs")),
        cwd=_confirmed(candidates, os.path.basename(os.path.dirname(folder))),
        title=str_of(meta.get("name")) or str_of(beside.get("title")),
        model=str_of(meta.get("lastUsedModel")),
        parent=str_of(meta.get("parentAgentId")),
        agent="subagent" if beside.get("isSubagent") is True or meta.get("parentAgentId") else "",
    )


def _confirmed(candidates: list[str], digest: str) -> str:
    """The path that the folder of the chat is named after: it is the hash of the working directory."""
    for candidate in candidates:
        path = path_in_uri(candidate)
        if path and hashlib.md5(path.encode(), usedforsecurity=False).hexdigest() == digest:
            return path
    return ""


def _message_events(message: Json, record_id: str, *, typed: bool) -> Iterator[Event]:
    content = message.get("content")
    match message.get("role"):
        case "user":
            if typed and (query := typed_query(text_of(content))):
                yield Said(query, record_id=record_id, attachments=attachments_of(content))
        case "assistant":
            for block in [content] if isinstance(content, str) else list_of(content):
                fields = dict_of(block)
                if fields.get("type") == "tool-call":
                    arguments = arguments_in(fields.get("args"), fields.get("input"))
                    yield Called(str_of(fields.get("toolCallId")), str_of(fields.get("toolName")), arguments)
                elif text := text_of(block).strip():
                    yield Answered(text, record_id=record_id)
        case "tool":
            for block in map(dict_of, list_of(content)):
                if block.get("type") == "tool-result":
                    result = block.get("result", block.get("output", block.get("experimental_content")))
                    status = "error" if block.get("isError") is True else ""
                    yield returned(str_of(block.get("toolCallId")), result, status, 0.0)


def _fields(data: bytes) -> list[tuple[int, bytes]]:
    """The byte fields of a protobuf message, by number; what cannot be read ends the list."""
    found: list[tuple[int, bytes]] = []
    position = 0
    while position < len(data):
        key, position = _varint(data, position)
        if key & 7 == _BYTES:
            length, position = _varint(data, position)
            found.append((key >> 3, data[position : position + length]))
            position += length
        elif key & 7 == 0:
            _, position = _varint(data, position)
        elif key & 7 in (1, 5):
            position += 8 if key & 7 == 1 else 4
        else:
            break
    return found


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data):
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 or shift > 63:
            break
    return value, position
