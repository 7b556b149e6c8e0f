"""pi's sessions, and oh-my-pi's: a tree of entries in one file, of which the branch of the last leaf is the session."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

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
from recollect.model.sessions import Answered, Began, Called, Compacted, Returned, Said, Skipped, Spent, Titled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "pi"
TOOLS: dict[str, tuple[str, str]] = {
    "bash": ("command", "command"),
    "bashExecution": ("command", "command"),
    "pythonExecution": ("command", "code"),
    "python": ("command", "code"),
    "ssh": ("command", "command"),
    "read": ("read", "path"),
    "fetch": ("read", "url"),
    "edit": ("change", "path"),
    "write": ("change", "path"),
    "ast_edit": ("change", "path"),
    "grep": ("search", "pattern"),
    "search": ("search", "pattern"),
    "find": ("search", "pattern"),
    "ls": ("search", "path"),
    "web_search": ("search", "query"),
    "task": ("other", "agent"),
    "todo_write": ("other", "todos"),
}
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_COMPACTIONS = frozenset(("compaction", "branch_summary", "compactionSummary", "branchSummary"))


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """Where pi and oh-my-pi keep their sessions."""
    home = home_in(environ, platform)
    agent = environ.get("PI_CODING_AGENT_DIR", "")
    found = [os.path.join(agent, "sessions")] if agent else []
    if home:
        found += [os.path.join(home, folder, "agent", "sessions") for folder in (".pi", ".omp")]
    return found


def find(places: Iterable[str]) -> Iterator[str]:
    """The session files below the given places."""
    return files_below(places, ".jsonl")


def recognises(path: str, head: bytes) -> bool:
    """Whether one of the first two lines is the header of a session; a title slot may stand before it."""
    for line in head.lstrip(b"\x00\xef\xbb\xbf \t\r\n").split(b"\n")[:2]:
        record = parse_object(line.strip(b"\x00 \t\r"))
        if record is None:
            return False
        if record.get("type") == "session" and "cwd" in record and "timestamp" in record:
            return True
        if record.get("type") != "title":
            return False
    return False


def read(path: str) -> Iterator[Event]:
    """The session's active branch; what was tried on other branches stays out."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    header: Json = {}
    title = ""
    entries: list[Json] = []
    for record in read_records(path):
        if isinstance(record, Skipped):
            yield record
        elif record.get("type") == "session":
            header = header or record
        elif record.get("type") == "title":
            title = str_of(record.get("title"))
        else:
            entries.append(record)
    if not header and not entries:
        return
    began = _began(path, header, title, entries)
    yield began
    seen: set[str] = set()
    for entry in _branch(entries):
        record_id = str_of(entry.get("id"))
        if not record_id or record_id not in seen:
            seen.add(record_id)
            yield from _entry_events(entry, typed=not began.agent)


def _began(path: str, header: Json, title: str, entries: list[Json]) -> Began:
    parent, agent = _parent_in(path)
    if not agent and any(entry.get("type") == "session_init" for entry in entries):
        agent = "task"
    forked = str_of(header.get("parentSession")) or str_of(header.get("branchedFrom"))
    return Began(
        HOST,
        str_of(header.get("id")) or _last_id(path) or os.path.basename(path).removesuffix(".jsonl"),
        at=parse_time(header.get("timestamp")),
        cwd=str_of(header.get("cwd")),
        title=title or str_of(header.get("title")),
        model=str_of(header.get("modelId")),
        parent=parent or _last_id(forked) or forked,
        agent=agent,
    )


def _parent_in(path: str) -> tuple[str, str]:
    """oh-my-pi keeps a sub-agent's session in a folder that is named like its parent's file."""
    folder, name = os.path.split(path)
    folder = os.path.basename(folder)
    if re.match(r"\d{4}-\d\d-\d\dT", folder) and (parent := _last_id(folder)):
        return parent, name.removesuffix(".jsonl")
    return "", ""


def _last_id(text: str) -> str:
    found = _ID.findall(text)
    return found[-1] if found else ""


def _branch(entries: list[Json]) -> list[Json]:
    """From the root to the last leaf. Without ids the file is one line; a lost parent is the entry before."""
    index: dict[str, int] = {}
    for place, entry in enumerate(entries):
        if entry_id := str_of(entry.get("id")):
            index.setdefault(entry_id, place)
    if not index:
        return entries
    parents = {str_of(entries[place].get("parentId")) for place in index.values()}
    leaves = [place for entry_id, place in index.items() if entry_id not in parents]
    branch: list[Json] = []
    visited: set[int] = set()
    place = _last(leaves or list(index.values()), entries, doubled=len(index) < len(entries))
    while 0 <= place < len(entries) and place not in visited:
        visited.add(place)
        branch.append(entries[place])
        parent = entries[place].get("parentId")
        if parent is None and "parentId" in entries[place]:
            break
        place = index.get(str_of(parent), place - 1)
    return branch[::-1]


def _last(places: list[int], entries: list[Json], *, doubled: bool) -> int:
    """The last place in the file; where entries stand twice, their order says less than their times."""
    if not doubled:
        return max(places)
    return max(places, key=lambda place: (parse_time(entries[place].get("timestamp")), place))


def _entry_events(entry: Json, *, typed: bool) -> Iterator[Event]:
    kind = str_of(entry.get("type"))
    if kind == "message":
        yield from _message_events(entry, dict_of(entry.get("message")), typed)
    elif kind in _COMPACTIONS:
        at = parse_time(entry.get("timestamp"))
        yield Compacted(str_of(entry.get("summary")), at=at, record_id=str_of(entry.get("id")))
    elif kind in ("session_info", "title_change") and (title := str_of(entry.get("name") or entry.get("title"))):
        yield Titled(title)


def _message_events(entry: Json, message: Json, typed: bool) -> Iterator[Event]:
    record_id = str_of(entry.get("id"))
    at = parse_time(message.get("timestamp")) or parse_time(entry.get("timestamp"))
    match message.get("role"):
        case "user" if typed:
            content = message.get("content")
            # An extension or the host itself may speak in the user's place, and says so.
            if message.get("synthetic") is not True and (text := typed_text(text_of(content))):
                yield Said(text, at, record_id, attachments=attachments_of(content))
        case "assistant":
            yield from _assistant_events(message, at, record_id)
        case "toolResult":
            yield Returned(
                str_of(message.get("toolCallId")),
                clip(text_of(message.get("content"))),
                ok=None if message.get("isError") is None else not message.get("isError"),
                at=at,
            )
        case "bashExecution" | "pythonExecution" as role:
            yield from _run_events(str(role), message, at, record_id)
        case "compactionSummary" | "branchSummary":
            yield Compacted(str_of(message.get("summary")), at=at, record_id=record_id)


def _assistant_events(message: Json, at: float, record_id: str) -> Iterator[Event]:
    model = str_of(message.get("model"))
    content = message.get("content")
    for block in list_of(content) if not isinstance(content, str) else [content]:
        if isinstance(block, dict) and block.get("type") == "toolCall":
            yield Called(str_of(block.get("id")), str_of(block.get("name")), dict_of(block.get("arguments")), at)
        elif text := text_of(block).strip():
            yield Answered(text, at, record_id, model)
    usage = dict_of(message.get("usage"))
    read = sum(int_of(usage.get(name)) for name in ("input", "cacheRead", "cacheWrite"))
    if read or int_of(usage.get("output")):
        yield Spent(read, int_of(usage.get("output")), record_id)


def _run_events(role: str, message: Json, at: float, record_id: str) -> Iterator[Event]:
    """A command that the user ran from the prompt."""
    call_id = record_id or f"{role}-{at:.3f}"
    argument = TOOLS[role][1]
    code = message.get("exitCode")
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    yield Called(call_id, role, {argument: str_of(message.get(argument))}, at)
    ok = None if exit_code is None else exit_code == 0
    yield Returned(call_id, clip(str_of(message.get("output"))), ok=ok, exit_code=exit_code, at=at)
