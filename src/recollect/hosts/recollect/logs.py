"""Session logs of Recollect itself: one folder per session, its events in JSONL.

A rewind names the event whose state holds again: what was said between is left out, as it is of the conversation.
What a compaction replaced was said all the same. A turn begins where `sessions.replay` counts one: its message may say
nothing that was typed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.files.home import Home, home_directory
from recollect.hosts.events import unfenced
from recollect.hosts.reading import (
    Seen,
    dict_of,
    int_of,
    list_of,
    parse_object,
    parse_time,
    raw_lines,
    read_records,
    squeezed,
    str_of,
)
from recollect.hosts.tools import arguments_of, target_text
from recollect.hosts.wrappers import tool_text, typed_text
from recollect.model.message_sources import HEARD, TERMINAL, begins_turn
from recollect.model.sessions import (
    DETACHED,
    Answered,
    Began,
    Called,
    Compacted,
    Moved,
    Returned,
    Said,
    Skipped,
    Spent,
    Titled,
)
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "recollect"
EVENTS = "events.jsonl"
UNNAMED = "agent"  # a sub-agent whose name the log does not say
TOOLS: dict[str, tuple[str, str]] = {}  # tools are the program's that keeps the session: see kind_of
_FIRST = re.compile(rb'\{"id":"[^"\\]*","type":"session\.start",.{0,400}?"producer":"recollect"', re.S)
_HEAD = re.compile(rb'\{"id":"([^"\\]+)","type":"([^"\\]+)"')
_STATES = frozenset(
    b"system.message user.message assistant.message tool.execution_complete session.compaction_complete".split()
)
_BEGINNINGS = _STATES - {b"system.message"} | {b"session.title_changed"}
_REWIND = b"session.rewind"
_TARGETS = (("command", "command"), ("cmd", "command"), ("pattern", "search"), ("query", "search"))
_PATHS = ("path", "file_path", "filename", "file")
_CHANGING = ("write", "edit", "create", "patch", "replace", "insert", "delete")


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folder of sessions in the home."""
    known = ("RECOLLECT_HOME", "USERPROFILE" if platform == "win32" else "HOME")
    return [Home(home_directory(environ, platform=platform)).sessions] if any(map(environ.get, known)) else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The event logs right inside the sessions' folders, in the order of their names, without chats that were opened
    and left."""
    for place in places:
        try:
            names = sorted(os.listdir(place))
        except OSError:
            continue
        for name in names:
            if os.path.isfile(path := os.path.join(place, name, EVENTS)) and _is_begun(path):
                yield path


def _is_begun(path: str) -> bool:
    """Was something said or named in it? One that cannot be read counts too, so that somebody is told."""
    for line in raw_lines(path):
        if isinstance(line, Skipped):
            return True
        head = _HEAD.match(line[1])
        if head is None or head[2] in _BEGINNINGS:
            return True
    return False


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is a log of ours."""
    return _FIRST.match(squeezed(head)) is not None


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about: command, read, change, search or other, and its target; told by its arguments."""
    for field, kind in _TARGETS:
        if field in arguments:
            return kind, target_text(arguments[field])
    path = next((target_text(arguments[field]) for field in _PATHS if field in arguments), "")
    if not path:
        return "other", ""
    return "change" if any(word in name.lower() for word in _CHANGING) else "read", path


def read(path: str) -> Iterator[Event]:
    """The events of a log in order, of the conversation as it stands. It never raises for what the file holds."""
    return unfenced(_events(path))


def _events(path: str) -> Iterator[Event]:
    log = _Log(path, _rewound(path))
    for record in read_records(path):
        if isinstance(record, Skipped):
            yield record
        else:
            yield from log.take(record)


def _rewound(path: str) -> frozenset[str]:
    """The events that a rewind took out of the conversation."""
    before: dict[str, str] = {}  # each state, and the one it rests on
    state_after = {"": ""}  # each event, and the state it leaves
    head, is_rewound = "", False
    for line in raw_lines(path):
        found = _HEAD.match(line[1]) if not isinstance(line, Skipped) else None
        if found is None or isinstance(line, Skipped):
            continue
        event = found[1].decode("utf-8", "replace")
        if event in state_after or (record := parse_object(line[1]) if found[2] == _REWIND else {}) is None:
            continue
        if found[2] in _STATES:
            before[event], head = head, event
        elif found[2] == _REWIND:
            target = dict_of(record.get("data")).get("toEventId")
            head = state_after.get(target, head) if isinstance(target, str) else head
            is_rewound = True
        state_after[event] = head
    if not is_rewound:
        return frozenset()
    kept = set()
    while head:
        kept.add(head)
        head = before[head]
    return frozenset(before) - kept


def _typed(text: str) -> str:
    """What was typed of a message; nothing where fences of ours were hidden inside of others."""
    typed = strip_fences(typed_text(text))
    return typed if strip_fences(typed) == typed else ""


class _Log:
    def __init__(self, path: str, rewound: frozenset[str]) -> None:
        self.path = path
        self.rewound = rewound
        self.seen = Seen()
        self.began: Began | None = None
        self.cwd = ""
        self.model = ""

    def take(self, record: Json) -> list[Event]:
        event_id, kind, data = str_of(record.get("id")), record.get("type"), record.get("data")
        if not event_id or not isinstance(data, dict) or not self.seen.first(event_id) or event_id in self.rewound:
            return []
        at = parse_time(record.get("timestamp"))
        events: list[Event] = []
        if self.began is None:
            self.began = self._begin(data if kind == "session.start" else {}, at)
            events.append(self.began)
        match kind:
            case "session.resume":
                events += self._moved(str_of(dict_of(data.get("context")).get("cwd")), at)
            case "session.title_changed" if title := str_of(data.get("title")):
                events.append(Titled(title))
            case "session.model_change":
                self.model = str_of(data.get("newModel")) or self.model
            case "session.compaction_complete" if data.get("success") is True:
                summary = str_of(data.get("summaryContent"))
                events.append(Compacted(summary, at, str_of(data.get("trigger")), event_id))
            case "user.message" | "assistant.message" | "tool.execution_complete":
                events += self._message(kind, data, event_id, at)
        return events

    def _begin(self, data: Json, at: float) -> Began:
        context = dict_of(data.get("context"))
        self.cwd, self.model = str_of(context.get("cwd")), str_of(data.get("selectedModel"))
        repository = str_of(context.get("repository"))
        return Began(
            host=HOST,
            native_id=str_of(data.get("sessionId")) or os.path.basename(os.path.dirname(os.path.abspath(self.path))),
            at=at,
            cwd=self.cwd,
            branch=str_of(context.get("branch")),
            remote=f"https://{repository}" if repository.count("/") > 1 and ":" not in repository else "",
            version=str_of(data.get("producerVersion")),
            model=self.model,
            parent=(parent := str_of(data.get("parentSessionId"))),
            # A session that another one started is a sub-agent's; in a person's own, an agent is only who answers.
            agent=(str_of(data.get("agent")) or UNNAMED) if parent else "",
            mode=DETACHED if data.get("detached") is True else "",
        )

    def _moved(self, cwd: str, at: float) -> list[Event]:
        if not cwd or cwd == self.cwd:
            return []
        self.cwd = cwd
        return [Moved(cwd, "", at)]

    def _message(self, kind: str, data: Json, event_id: str, at: float) -> list[Event]:
        parts = [part for part in list_of(dict_of(data.get("message")).get("parts")) if isinstance(part, dict)]
        text = "\n".join(str_of(part.get("text")) for part in parts if part.get("part") == "text")
        events: list[Event] = []
        if kind == "user.message":
            source = data.get("source")
            if not begins_turn(source):
                return []
            attached = sum(part.get("part") == "media" for part in parts)
            mark = "" if source != TERMINAL else HEARD if data.get("heard") is True else TERMINAL
            return [Said(_typed(text), at, event_id, self.cwd, attachments=attached, mark=mark)]
        if kind == "assistant.message":
            if text.strip():
                events.append(Answered(text, at, event_id, str_of(data.get("model")) or self.model))
            if spent := int_of(data.get("inputTokens")) + int_of(data.get("outputTokens")):
                events.append(
                    Spent(spent - int_of(data.get("outputTokens")), int_of(data.get("outputTokens")), event_id)
                )
        for part in parts:
            events += self._tool(part, at)
        return events

    def _tool(self, part: Json, at: float) -> list[Event]:
        call_id = str_of(part.get("call_id"))
        if part.get("part") == "call" and self.seen.first(("call", call_id)):
            return [Called(call_id, str_of(part.get("name")) or "tool", arguments_of(part.get("arguments")), at)]
        if part.get("part") == "result" and ("call", call_id) in self.seen and self.seen.first(("result", call_id)):
            inner = [dict_of(one) for one in list_of(part.get("parts"))]
            output = "\n".join(filter(None, (str_of(one.get("text")) for one in inner)))
            return [Returned(call_id, tool_text(output), part.get("is_error") is not True, at=at)]
        return []
