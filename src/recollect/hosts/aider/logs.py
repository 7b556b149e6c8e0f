"""Aider's chat history: one Markdown file a repository, with one chat after the other.

Aider ends every line it writes for the user or for itself with two spaces; a heading or a quotation in an answer has
none. Files that lost their trailing spaces are read by the marks alone.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from recollect.hosts.aider.chats import TOOLS, Chat, chat_events
from recollect.hosts.events import unfenced
from recollect.hosts.reading import MAX_LINE_BYTES, home_in
from recollect.model.sessions import Began, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.model.sessions import Event

__all__ = ["HOST", "TOOLS", "find", "places", "read", "recognises"]

HOST = "aider"
FILE_NAME = ".aider.chat.history.md"
_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """A history that stands elsewhere, and the home folder's own; the others lie in each repository."""
    home = home_in(environ, platform)
    named = environ.get("AIDER_CHAT_HISTORY_FILE", "")
    return [place for place in (named, os.path.join(home, FILE_NAME) if home else "") if place]


def find(places: Iterable[str]) -> Iterator[str]:
    """The history files that are given, and those right inside the folders that are given."""
    for place in places:
        for path in (place, os.path.join(place, FILE_NAME)):
            if os.path.isfile(path):
                yield path


def recognises(path: str, head: bytes) -> bool:
    """Whether a chat's heading stands near the beginning."""
    return re.search(rb"^# aider chat started at \d{4}-\d\d-\d\d ", head, re.MULTILINE) is not None


def read(path: str) -> Iterator[Event]:
    """The chats of a file, each a session; what stands before the first heading is one too."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    folder = os.path.dirname(os.path.abspath(path))
    cwd = folder if os.path.basename(path) == FILE_NAME else ""
    used: dict[str, int] = {}
    for chat in _chats(path):
        if isinstance(chat, Skipped):
            yield chat
            continue
        events = list(chat_events(chat))
        if not events:
            continue
        name = f"{chat.started or 'before'} {os.path.basename(folder)}".strip()
        used[name] = used.get(name, 0) + 1
        native_id = name if used[name] == 1 else f"{name} #{used[name]}"
        yield Began(HOST, native_id, _local_time(chat.started), cwd, version=chat.version(), model=chat.model())
        yield from events


def _chats(path: str) -> Iterator[Chat | Skipped]:
    started = ""
    lines: list[str] = []
    for line in _texts(path):
        if isinstance(line, Skipped):
            yield line
            continue
        heading = _STARTED.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        yield Chat(started, tuple(lines))
        started, lines = heading[1], []
    yield Chat(started, tuple(lines))


def _texts(path: str) -> Iterator[str | Skipped]:
    """The lines with their trailing spaces, which the shared reader takes away."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            for line in iter(lambda: stream.readline(MAX_LINE_BYTES), ""):
                yield line.rstrip("\r\n")
    except (OSError, ValueError) as error:
        yield Skipped(path, f"it cannot be read: {error}")


def _local_time(text: str) -> float:
    """Aider writes local time without a zone."""
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d %H:%M:%S"))
    except (ValueError, OverflowError):
        return 0.0
