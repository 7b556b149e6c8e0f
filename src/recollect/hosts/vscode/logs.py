"""VS Code's chat sessions: whole JSON files, and since 2026 logs of changes to the same object."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.documents import MAX_DOCUMENT_BYTES
from recollect.hosts.events import unfenced
from recollect.hosts.reading import (
    dict_of,
    list_of,
    parse_object,
    parse_time,
    read_head,
    read_records,
    read_whole,
    str_of,
)
from recollect.hosts.vscode.mutations import replay
from recollect.hosts.vscode.requests import TOOLS, request_events
from recollect.hosts.workspaces import folder_of_window, server_folders, user_folders
from recollect.model.sessions import Began, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

__all__ = ["HOST", "TOOLS", "find", "places", "read", "recognises"]

HOST = "vscode"
EDITORS = ("Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS")
SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".vscode-remote")
_WITHOUT_FOLDER = ("emptyWindowChatSessions", "transferredChatSessions")


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The `User` folders of VS Code, its Insiders, VSCodium and the servers for remote windows."""
    return [*user_folders(EDITORS, environ, platform), *server_folders(SERVERS, environ, platform)]


def find(places: Iterable[str]) -> Iterator[str]:
    """The chat sessions of all windows of a `User` folder, or in a folder of sessions itself."""
    for place in places:
        if os.path.isfile(place):
            yield place
            continue
        windows = os.path.join(place, "workspaceStorage")
        folders = [os.path.join(windows, name, "chatSessions") for name in _names(windows)]
        folders += [os.path.join(place, "globalStorage", name) for name in _WITHOUT_FOLDER]
        if os.path.basename(os.path.normpath(place)) in ("chatSessions", *_WITHOUT_FOLDER):
            folders.append(place)
        for folder in folders:
            yield from _sessions_in(folder)


def _sessions_in(folder: str) -> Iterator[str]:
    """A session that has a log of changes is not read from the whole file it came from."""
    names = _names(folder)
    for name in names:
        if name.endswith(".jsonl") or (name.endswith(".json") and f"{name}l" not in names):
            yield os.path.join(folder, name)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def recognises(path: str, head: bytes) -> bool:
    """Whether a log of changes begins with a chat's state, or a whole file has a chat's fields."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if re.match(rb'\{\s*"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{', text):
        return b'"sessionId"' in text or b'"requests"' in text
    first = parse_object(text.split(b"\n", 1)[0])
    if first is not None and first.get("kind") == 0:
        return "requests" in dict_of(first.get("v"))
    return text.startswith(b"{") and b'"requests"' in text and b'"responderUsername"' in text


def read(path: str) -> Iterator[Event]:
    """The one session of a file, as the editor would show it now."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    state: Json = {}
    if path.endswith(".jsonl"):
        entries = list(_entries(path))
        yield from (entry for entry in entries if isinstance(entry, Skipped))
        state = replay(entry for entry in entries if not isinstance(entry, Skipped))
    else:
        whole = read_whole(path)
        if isinstance(whole, Skipped):
            yield whole
            return
        state = dict_of(whole.get("v")) or whole
    requests = _requests(state)
    if not requests:
        return
    yield _began(path, state, requests)
    for request in requests:
        yield from request_events(request)


def _entries(path: str) -> Iterator[Json | Skipped]:
    """The changes in order. A state may fill one line of many mebibytes, so that the limit is on the whole file."""
    data = read_head(path, MAX_DOCUMENT_BYTES + 1)
    if not data or len(data) > MAX_DOCUMENT_BYTES:
        yield from read_records(path)
        return
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        entry = parse_object(line.strip(b"\x00\xef\xbb\xbf \t\r"))
        if entry is not None:
            yield entry
        elif line.strip() and number < len(lines):
            yield Skipped(path, "the line is not a JSON object", number)


def _requests(state: Json) -> list[Json]:
    """The requests in order, each once; those the user took back are gone."""
    unique: dict[str, Json] = {}
    for place, request in enumerate(map(dict_of, list_of(state.get("requests")))):
        if request and request.get("shouldBeRemovedOnSend") is None and not request.get("isHidden"):
            unique.setdefault(str_of(request.get("requestId")) or f"#{place}", request)
    return list(unique.values())


def _began(path: str, state: Json, requests: list[Json]) -> Began:
    folder = os.path.dirname(os.path.abspath(path))
    models = (str_of(request.get("modelId")) for request in requests)
    return Began(
        HOST,
        str_of(state.get("sessionId")) or os.path.splitext(os.path.basename(path))[0],
        at=parse_time(state.get("creationDate")) or parse_time(requests[0].get("timestamp")),
        cwd=folder_of_window(os.path.dirname(folder)) if os.path.basename(folder) == "chatSessions" else "",
        title=str_of(state.get("customTitle")),
        model=next(filter(None, models), ""),
    )
