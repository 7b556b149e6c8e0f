"""goose's sessions: the SQLite database, and the JSONL files of versions before it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from recollect.hosts.databases import Database, has_columns, object_in, read_database
from recollect.hosts.events import unfenced
from recollect.hosts.reading import (
    attachments_of,
    clip,
    dict_of,
    files_below,
    home_in,
    int_of,
    list_of,
    parse_object,
    parse_time,
    read_records,
    str_of,
    text_of,
)
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Began, Called, Compacted, Returned, Said, Skipped, Spent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "goose"
TOOLS: dict[str, tuple[str, str]] = {
    "developer__shell": ("command", "command"),
    "shell": ("command", "command"),
    "developer__text_editor": ("change", "path"),
    "text_editor": ("change", "path"),
    "write": ("change", "path"),
    "edit": ("change", "path"),
    "developer__write": ("change", "path"),
    "developer__edit": ("change", "path"),
    "developer__analyze": ("read", "path"),
    "developer__tree": ("search", "path"),
    "tree": ("search", "path"),
    "developer__screen_capture": ("other", "window_title"),
    "todo__todo_write": ("other", "content"),
    "subagent__execute_task": ("other", "task"),
    "delegate": ("other", "instructions"),
}
# These run without a person: their prompts are recipes and orders of another agent.
_UNATTENDED = frozenset(("sub_agent", "hidden", "scheduled"))
_MESSAGES = "SELECT *, rowid AS place FROM messages WHERE session_id = ? ORDER BY rowid"
_CONTINUATION = "context was compacted"


class _Message(Record):
    role: str
    content: list[object]
    at: float
    record_id: str
    user_visible: bool
    agent_visible: bool


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """Where goose keeps its sessions."""
    home = home_in(environ, platform)
    roots: list[str] = []
    if environ.get("GOOSE_PATH_ROOT"):
        roots.append(os.path.join(environ["GOOSE_PATH_ROOT"], "data"))
    if platform == "win32" and environ.get("APPDATA"):
        roots.append(os.path.join(environ["APPDATA"], "Block", "goose", "data"))
    data = environ.get("XDG_DATA_HOME") or (os.path.join(home, ".local", "share") if home else "")
    if data:
        roots.append(os.path.join(data, "goose"))
    if platform == "darwin" and home:
        roots.append(os.path.join(home, "Library", "Application Support", "Block", "goose"))
    return [os.path.join(root, "sessions") for root in roots]


def find(places: Iterable[str]) -> Iterator[str]:
    """The databases and the older files below the given places."""
    yield from files_below(places, "sessions.db", ".jsonl")


def recognises(path: str, head: bytes) -> bool:
    """Whether this is goose's database, or one of its older files by its first line."""
    if has_columns(path, head, "messages", "session_id", "role", "content_json"):
        return True
    header = parse_object(head.lstrip().split(b"\n", 1)[0])
    if header is None:
        return False
    return "working_dir" in header and "role" not in header and ("message_count" in header or "description" in header)


def read(path: str) -> Iterator[Event]:
    """The sessions of a database in the order in which they began, or the one session of an older file."""
    return unfenced(_from_lines(path) if path.endswith(".jsonl") else read_database(path, _from_database))


def read_session(path: str, native_id: str) -> Iterator[Event]:
    """One session of a database; of an older file, the session it holds."""
    if path.endswith(".jsonl"):
        return read(path)
    return unfenced(read_database(path, lambda database: _from_database(database, native_id)))


def _from_database(database: Database, only: str = "") -> Iterator[Event]:
    sessions = database.rows("SELECT * FROM sessions")
    for row in sorted(sessions, key=lambda row: (str(row.get("created_at")), str(row.get("id")))):
        session_id = str(row.get("id") or "")
        if only and only not in (session_id, row.get("parent_session_id"), row.get("parent_id")):
            continue
        messages = [_stored(stored) for stored in database.rows(_MESSAGES, session_id)]
        if not messages:
            continue
        kind = str_of(row.get("session_type"))
        yield Began(
            HOST,
            session_id,
            at=parse_time(row.get("created_at")),
            cwd=str_of(row.get("working_dir")),
            title=str_of(row.get("name")) or str_of(row.get("description")),
            model=str_of(object_in(row.get("model_config_json")).get("model_name")),
            parent=str_of(row.get("parent_session_id")) or str_of(row.get("parent_id")),
            agent=kind if kind in _UNATTENDED else "",
        )
        yield from _events(messages, attended=kind not in _UNATTENDED)
        spent = int_of(row.get("accumulated_input_tokens")), int_of(row.get("accumulated_output_tokens"))
        if any(spent):
            yield Spent(*spent, record_id=session_id)


def _stored(row: Mapping[str, object]) -> _Message:
    content = object_in('{"content":' + str_of(row.get("content_json")) + "}").get("content")
    return _message(
        {
            "role": row.get("role"),
            "content": content,
            "created": row.get("created_timestamp"),
            "id": str_of(row.get("message_id")) or f"row-{row.get('place')}",
            "metadata": object_in(row.get("metadata_json")),
        }
    )


def _from_lines(path: str) -> Iterator[Event]:
    began = False
    messages: list[_Message] = []
    for number, record in enumerate(read_records(path)):
        if isinstance(record, Skipped):
            yield record
        elif not began:
            began = True
            yield _began(path, record)
            if "role" in record:
                messages.append(_message(record, number))
        elif "role" in record:
            messages.append(_message(record, number))
    yield from _events(messages, attended=True)


def _began(path: str, header: Json) -> Began:
    name = os.path.basename(path).removesuffix(".jsonl")
    return Began(
        HOST,
        name,
        at=parse_time(header.get("created_at")) or _time_in(name),
        cwd=str_of(header.get("working_dir")),
        title=str_of(header.get("description")) or str_of(header.get("name")),
    )


def _time_in(name: str) -> float:
    """Older files are named after the local time at which they began, such as 20250401_093000."""
    try:
        return time.mktime(time.strptime(name, "%Y%m%d_%H%M%S"))
    except (ValueError, OverflowError):
        return 0.0


def _message(record: Json, number: int = 0) -> _Message:
    metadata = dict_of(record.get("metadata"))
    content = record.get("content")
    return _Message(
        role=str_of(record.get("role")),
        content=[{"type": "text", "text": content}] if isinstance(content, str) else list_of(content),
        at=parse_time(record.get("created")),
        record_id=str_of(record.get("id")) or f"line-{number}",
        user_visible=metadata.get("userVisible") is not False,
        agent_visible=metadata.get("agentVisible") is not False,
    )


def _events(messages: Iterable[_Message], *, attended: bool) -> Iterator[Event]:
    seen: set[str] = set()
    hidden = False
    for message in messages:
        if message.record_id in seen:
            continue
        seen.add(message.record_id)
        hidden = hidden or not message.agent_visible
        if not message.user_visible:
            yield from _compacted(message, hidden)
            continue
        yield from _spoken(message, attended)
        yield from _worked(message)


def _compacted(message: _Message, after_hidden: bool) -> Iterator[Event]:
    """A message for the agent alone, after history was hidden from it, is the summary in that history's place."""
    text = text_of(message.content)
    if after_hidden and text and _CONTINUATION not in text:
        yield Compacted(text, at=message.at, record_id=message.record_id)


def _spoken(message: _Message, attended: bool) -> Iterator[Event]:
    text = text_of([block for block in message.content if dict_of(block).get("type") == "text"])
    if message.role == "assistant" and text:
        yield Answered(text, at=message.at, record_id=message.record_id)
    elif message.role == "user" and attended and (typed := typed_text(text)):
        yield Said(typed, message.at, message.record_id, attachments=attachments_of(message.content))


def _worked(message: _Message) -> Iterator[Event]:
    for block in map(dict_of, message.content):
        call_id = str_of(block.get("id"))
        if block.get("type") in ("toolRequest", "frontendToolRequest"):
            call = dict_of(block.get("toolCall"))
            value = dict_of(call.get("value") or call.get("Ok"))
            yield Called(call_id, str_of(value.get("name")), dict_of(value.get("arguments")), message.at)
        elif block.get("type") == "toolResponse":
            yield _returned(call_id, dict_of(block.get("toolResult")), message.at)


def _returned(call_id: str, result: Json, at: float) -> Returned:
    value = result.get("value", result.get("Ok"))
    failed = result.get("status") == "error" or "Err" in result or dict_of(value).get("isError") is True
    output = text_of(dict_of(value).get("content", value)) or str_of(result.get("error")) or str_of(result.get("Err"))
    return Returned(call_id, clip(output), ok=not failed, at=at)
