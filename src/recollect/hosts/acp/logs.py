"""Sessions that passed through `recollect acp`: one file per session in the home, written by `flows/acp/recording`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.files.home import Home, home_directory
from recollect.hosts.events import unfenced
from recollect.hosts.reading import dict_of, files_below, int_of, list_of, parse_time, read_records, squeezed, str_of
from recollect.hosts.tools import kind_in, target_text
from recollect.hosts.wrappers import tool_text, typed_text
from recollect.model.sessions import Answered, Began, Called, Moved, Returned, Said, Skipped, Titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "acp"
# By the kinds of the protocol: agents name their tools as they like.
TOOLS: dict[str, tuple[str, str]] = {
    "execute": ("command", "command"),
    "read": ("read", "path"),
    "fetch": ("read", "url"),
    "edit": ("change", "path"),
    "delete": ("change", "path"),
    "move": ("change", "path"),
    "search": ("search", "query"),
    "plan": ("other", "todos"),
}
_FIELDS = {
    "command": ("command", "cmd", "script"),
    "path": ("path", "file_path", "filePath", "abs_path"),
    "url": ("url",),
    "query": ("pattern", "query", "regex"),
    "todos": ("todos",),
}
_FIRST = re.compile(rb'\{"type":"acp\.session",')


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folder of these logs in the home."""
    known = ("RECOLLECT_HOME", "USERPROFILE" if platform == "win32" else "HOME")
    return [Home(home_directory(environ, platform=platform)).acp] if any(map(environ.get, known)) else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The logs below the given places."""
    return files_below(places, ".jsonl")


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is such a log."""
    return _FIRST.match(squeezed(head)) is not None


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about; where its arguments do not say, what the agent told the client about it does."""
    kind, target = kind_in(TOOLS, name, arguments)
    return kind, target or target_text(arguments.get("title"))


def read(path: str) -> Iterator[Event]:
    """The events of a log in order. It never raises for what the file holds."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    began: Began | None = None
    for record in read_records(path):
        if isinstance(record, Skipped):
            yield record
            continue
        at = parse_time(record.get("at"))
        if record.get("type") == "acp.session":
            cwd = str_of(record.get("cwd"))
            if began is None:
                began = _began(path, record, at)
                yield began
            elif cwd:
                yield Moved(cwd, "", at)
        elif began is not None:
            yield from _record_events(record, at)


def _began(path: str, record: Json, at: float) -> Began:
    return Began(
        HOST,
        str_of(record.get("session")) or os.path.splitext(os.path.basename(path))[0],
        at=at,
        cwd=str_of(record.get("cwd")),
        version=str_of(record.get("agent")),
        # What another agent sends was typed by nobody.
        agent=str_of(record.get("drivenBy")),
    )


def _record_events(record: Json, at: float) -> Iterator[Event]:
    match record.get("type"):
        case "user":
            typed = typed_text(str_of(record.get("text")))
            attached = int_of(record.get("attachments"))
            yield Said(typed, at, str_of(record.get("id")), attachments=attached)
        case "agent":
            yield Answered(str_of(record.get("text")), at)
        case "title":
            yield Titled(str_of(record.get("title")))
        case "tool":
            yield from _tool_events(record, at)


def _tool_events(record: Json, at: float) -> Iterator[Event]:
    call_id, kind = str_of(record.get("id")), str_of(record.get("kind")) or "other"
    changed = tuple(path for path in list_of(record.get("changed")) if isinstance(path, str))
    yield Called(call_id, kind, _arguments(record, kind, changed), at)
    ok = record.get("ok")
    output = tool_text(str_of(record.get("output")))
    yield Returned(call_id, output, ok if isinstance(ok, bool) else None, at=at, paths=changed)


def _arguments(record: Json, kind: str, changed: tuple[str, ...]) -> dict[str, object]:
    """What the tool was given, with its target under the name that the table knows."""
    given = dict_of(record.get("input"))
    arguments: dict[str, object] = {**given, "title": str_of(record.get("title"))}
    field = TOOLS.get(kind, ("", ""))[1]
    found = next((given[name] for name in _FIELDS.get(field, ()) if given.get(name)), None)
    if field == "path":
        places = [path for path in list_of(record.get("places")) if isinstance(path, str)]
        found = found or next(iter((*changed, *places)), None)
    return {**arguments, field: found} if field and found else arguments
