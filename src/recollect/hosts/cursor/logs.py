"""Cursor's sessions in its four shapes: transcripts as JSONL or text, the editor's database, the command line's.

The same conversation may stand in several of them; its id is the same in each.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.cursor.chats import read_chat
from recollect.hosts.cursor.composers import read_composers
from recollect.hosts.cursor.tools import HOST, TOOLS
from recollect.hosts.cursor.transcripts import read_text_transcript, read_transcript
from recollect.hosts.databases import MAGIC, has_columns, read_database
from recollect.hosts.events import unfenced
from recollect.hosts.reading import dict_of, files_below, home_in, parse_object
from recollect.hosts.workspaces import server_folders, user_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.model.sessions import Event

__all__ = ["HOST", "TOOLS", "find", "places", "read", "recognises"]

_ROLES = ("user", "assistant")
_TEXT = re.compile(rb"\A\s*(?:user|assistant):[ \t]*\r?\n", re.IGNORECASE)


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """Cursor's folder of projects, its folder of chats, and the editor's `User` folders."""
    home = home_in(environ, platform)
    root = environ.get("CURSOR_CONFIG_DIR") or (os.path.join(home, ".cursor") if home else "")
    found = [os.path.join(root, name) for name in ("projects", "chats")] if root else []
    found += user_folders(("Cursor", "Cursor Nightly"), environ, platform)
    return found + server_folders((".cursor-server",), environ, platform)


def find(places: Iterable[str]) -> Iterator[str]:
    """The transcripts, the command line's databases and the editor's one."""
    for place in places:
        if os.path.isfile(place):
            yield place
            continue
        database = os.path.join(place, "globalStorage", "state.vscdb")
        if os.path.isfile(database):
            yield database
        if os.path.isdir(os.path.join(place, "workspaceStorage")):
            continue
        for path in files_below((place,), ".jsonl", ".txt", "store.db"):
            if path.endswith("store.db") or f"{os.sep}agent-transcripts{os.sep}" in path:
                yield path


def recognises(path: str, head: bytes) -> bool:
    """Whether this is one of Cursor's databases, or a transcript by its first line."""
    if head.startswith(MAGIC):
        return has_columns(path, head, "cursorDiskKV", "key", "value") or (
            has_columns(path, head, "blobs", "id", "data") and has_columns(path, head, "meta", "key", "value")
        )
    if _TEXT.match(head):
        return True
    first = parse_object(head.lstrip(b"\x00\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0])
    if first is None:
        # The first record alone may be longer than the head.
        return re.match(rb'\s*\{"role":\s*"(user|assistant)",\s*"message":\s*\{"content":', head) is not None
    return first.get("role") in _ROLES and "content" in dict_of(first.get("message")) and "type" not in first


def read(path: str) -> Iterator[Event]:
    """The sessions of a database, or the one of a transcript."""
    if path.endswith(".vscdb"):
        return unfenced(read_database(path, read_composers))
    if path.endswith(".db"):
        return unfenced(read_database(path, read_chat))
    return unfenced(read_text_transcript(path) if path.endswith(".txt") else read_transcript(path))


def read_session(path: str, native_id: str) -> Iterator[Event]:
    """One session of the editor's database; of any other file, the session it holds."""
    if path.endswith(".vscdb"):
        return unfenced(read_database(path, lambda database: read_composers(database, native_id)))
    return read(path)
