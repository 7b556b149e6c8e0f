"""opencode's sessions: the SQLite database of either generation, the folders before it, and exported files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.hosts.databases import MAGIC, Database, has_columns, object_in, read_database
from recollect.hosts.documents import read_document
from recollect.hosts.events import unfenced
from recollect.hosts.opencode.messages import TOOLS, Message, session_events
from recollect.hosts.opencode.row_messages import row_events
from recollect.hosts.reading import dict_of, home_in, list_of, parse_time, read_whole, str_of
from recollect.model.sessions import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.databases import Row
    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

__all__ = ["HOST", "TOOLS", "find", "places", "read", "recognises"]

HOST = "opencode"


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """Where opencode keeps its data, and a database that stands elsewhere."""
    home = home_in(environ, platform)
    data = environ.get("XDG_DATA_HOME") or (os.path.join(home, ".local", "share") if home else "")
    roots = [os.path.join(data, "opencode")] if data else []
    if platform == "darwin" and home:
        roots.append(os.path.join(home, "Library", "Application Support", "opencode"))
    if platform == "win32" and environ.get("LOCALAPPDATA"):
        roots.append(os.path.join(environ["LOCALAPPDATA"], "opencode"))
    database = environ.get("OPENCODE_DB", "")
    if database and database != ":memory:":
        roots.append(database if os.path.isabs(database) or not roots else os.path.join(roots[0], database))
    return roots


def find(places: Iterable[str]) -> Iterator[str]:
    """The databases, and the session files of versions before them."""
    for place in places:
        if os.path.isfile(place):
            yield place
            continue
        for name in _names(place):
            if name.startswith("opencode") and name.endswith(".db"):
                yield os.path.join(place, name)
        sessions = os.path.join(place, "storage", "session")
        for project in _names(sessions):
            for name in _names(os.path.join(sessions, project)):
                if name.endswith(".json"):
                    yield os.path.join(sessions, project, name)


def recognises(path: str, head: bytes) -> bool:
    """Whether this is opencode's database, a session of its folders, or an exported one."""
    if head.startswith(MAGIC):
        return has_columns(path, head, "session_v2", "id", "directory") or has_columns(
            path, head, "session", "id", "directory", "project_id"
        )
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    if b'"projectID"' in head and b'"directory"' in head:
        return True
    return b'"info"' in head and b'"sessionID"' in head and b'"parts"' in head


def read(path: str) -> Iterator[Event]:
    """The sessions of a database in the order in which they began, or the one session of a file."""
    if path.endswith(".json"):
        return unfenced(_from_file(path))
    return unfenced(read_database(path, _from_database))


def read_session(path: str, native_id: str) -> Iterator[Event]:
    """One session of a database and its sub-agents; of a file, the session it holds."""
    if path.endswith(".json"):
        return read(path)
    return unfenced(read_database(path, lambda database: _from_database(database, native_id)))


def _from_database(database: Database, only: str = "") -> Iterator[Event]:
    live = {str(row["session_id"]) for row in _second_generation(database)}
    sessions: dict[str, Row] = {}
    for table in ("session", "session_v2"):
        if database.columns(table):
            rows = database.rows("SELECT * FROM session" if table == "session" else "SELECT * FROM session_v2")
            sessions.update((str(row.get("id")), row) for row in rows)
    for session_id, row in sorted(
        sessions.items(), key=lambda item: (parse_time(item[1].get("time_created")), item[0])
    ):
        if only and only not in (session_id, row.get("parent_id")):
            continue
        info = _info_of(row)
        if session_id in live:
            stored = database.rows("SELECT * FROM session_message WHERE session_id = ?", session_id)
            yield from row_events(info, stored)
        elif database.columns("message"):
            yield from session_events(info, _stored_messages(database, session_id))


def _second_generation(database: Database) -> list[Row]:
    """The sessions whose messages the second generation holds; the first's rows stay behind as they were."""
    if not database.columns("session_message").issuperset(("session_id", "type", "data")):
        return []
    return database.rows("SELECT DISTINCT session_id FROM session_message WHERE type IN ('user', 'assistant')")


def _info_of(row: Row) -> Json:
    return {
        "id": row.get("id"),
        "parentID": row.get("parent_id"),
        "directory": row.get("directory"),
        "title": row.get("title"),
        "version": row.get("version"),
        "agent": row.get("agent"),
        "model": object_in(row.get("model")),
        "forkedFrom": row.get("fork_session_id"),
        "revert": object_in(row.get("revert")),
        "time": {"created": row.get("time_created"), "updated": row.get("time_updated")},
    }


def _stored_messages(database: Database, session_id: str) -> list[Message]:
    parts: dict[str, list[Json]] = {}
    for row in database.rows("SELECT * FROM part WHERE session_id = ? ORDER BY id", session_id):
        part = {**object_in(row.get("data")), "id": row.get("id")}
        parts.setdefault(str(row.get("message_id")), []).append(part)
    messages = []
    for row in database.rows("SELECT * FROM message WHERE session_id = ? ORDER BY id", session_id):
        data = {**object_in(row.get("data")), "id": row.get("id")}
        data.setdefault("time", {"created": row.get("time_created")})
        messages.append(Message(data, tuple(parts.get(str(row.get("id")), ()))))
    return messages


def _from_file(path: str) -> Iterator[Event]:
    document = read_document(path, "messages")
    if document.broken:
        yield Skipped(path, document.broken)
    if document.items:
        messages = [_exported(item) for item in document.items]
        yield from session_events(dict_of(document.fields.get("info")) or _info_from(messages), messages)
    elif "directory" in document.fields and "id" in document.fields:
        yield from _from_folders(path, document.fields)
    elif not document.broken:
        yield Skipped(path, "it contains no opencode session")


def _exported(item: Json) -> Message:
    parts = tuple(part for part in list_of(item.get("parts")) if isinstance(part, dict))
    return Message(dict_of(item.get("info")), parts)


def _info_from(messages: list[Message]) -> Json:
    """What the messages say about their session, when the head of the file is lost."""
    return {"id": str_of(messages[0].info.get("sessionID")), "time": dict_of(messages[0].info.get("time"))}


def _from_folders(path: str, info: Json) -> Iterator[Event]:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    messages: list[Message] = []
    for message in _objects(os.path.join(root, "message", str_of(info.get("id")) or "none")):
        if isinstance(message, Skipped):
            yield message
            continue
        parts = list(_objects(os.path.join(root, "part", str_of(message.get("id")) or "none")))
        yield from (part for part in parts if isinstance(part, Skipped))
        messages.append(Message(message, tuple(part for part in parts if not isinstance(part, Skipped))))
    yield from session_events(info, messages)


def _objects(folder: str) -> Iterator[Json | Skipped]:
    for name in _names(folder):
        if name.endswith(".json"):
            yield read_whole(os.path.join(folder, name))


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []
