"""Session logs of Gemini CLI: a JSONL file that is replayed into a document, before that one JSON object.

A message written again replaces the one with its id, `$rewindTo` takes messages back, and `$set` with messages is a
checkpoint: it shortens what the model sees, not what was said, so that earlier messages stay.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from recollect.hosts.documents import read_document
from recollect.hosts.gemini_cli.projects import parent_session, project_root
from recollect.hosts.reading import (
    Seen,
    attachments_of,
    dict_of,
    files_below,
    home_in,
    int_of,
    list_of,
    parse_time,
    read_records,
    squeezed,
    str_of,
    text_of,
)
from recollect.hosts.tools import kind_in
from recollect.hosts.wrappers import inside, tool_text, typed_text
from recollect.model.sessions import Answered, Began, Called, Compacted, Returned, Said, Skipped, Spent
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "gemini-cli"
TOOLS: dict[str, tuple[str, str]] = {
    "run_shell_command": ("command", "command"),
    "read_file": ("read", "file_path"),
    "read_many_files": ("read", "include"),
    "list_directory": ("read", "dir_path"),
    "replace": ("change", "file_path"),
    "edit": ("change", "file_path"),
    "write_file": ("change", "file_path"),
    "grep_search": ("search", "pattern"),
    "search_file_content": ("search", "pattern"),
    "glob": ("search", "pattern"),
    "google_web_search": ("search", "query"),
    "web_fetch": ("other", "prompt"),
    "activate_skill": ("other", "name"),
    "write_todos": ("other", "todos"),
}
HELD_CHARACTERS = 24_000_000
_SNAPSHOT = "state_snapshot"
# What Gemini CLI says in the user's place when the model stopped early.
_GO_ON = frozenset(("Please continue.", "System: Please continue."))
_ACKNOWLEDGED = "Got it. Thanks for the additional context!"
_COMMAND = re.compile(r"[/?][a-zA-Z][\w:-]*(?:\s|\Z)")
_EXIT_CODE = re.compile(r"^(?:Exit Code|Process exited with code): (-?\d{1,9})\s*$", re.M | re.I)


def places(environ: Mapping[str, str], platform: str) -> list[str]:
    """The folder with a folder a project."""
    home = environ.get("GEMINI_CLI_HOME") or home_in(environ, platform)
    return [os.path.join(home, ".gemini", "tmp")] if home else []


def find(places: Iterable[str]) -> Iterator[str]:
    """The chats below the places, sub-agents' included."""
    for path in files_below(places, ".jsonl", ".json"):
        if "chats" in os.path.dirname(path).split(os.sep) or os.path.basename(path).startswith("session-"):
            yield path


def recognises(path: str, head: bytes) -> bool:
    """Whether the content is a log of Gemini CLI."""
    head = squeezed(head).replace(b"\n  ", b"").replace(b"\r", b"")
    return head.startswith(b"{") and b'"sessionId":"' in head and b'"projectHash":"' in head


def kind_of(name: str, arguments: Mapping[str, object]) -> tuple[str, str]:
    """What a call was about: command, read, change, search or other, and its target."""
    kind, target = kind_in(TOOLS, name, arguments)
    return kind, target or str_of(arguments.get("absolute_path") or arguments.get("path"))


def read(path: str) -> Iterator[Event]:
    """The events of a log in order. It never raises for what the file holds."""
    replay = _Replay(path)
    if path.endswith(".json"):
        document = read_document(path, "messages")
        if document.broken:
            yield Skipped(path, document.broken)
        replay.describe(document.fields)
        for message in document.items:
            replay.put(message)
            if replay.held > HELD_CHARACTERS:
                yield from replay.emit()
    else:
        for record in read_records(path):
            if isinstance(record, Skipped):
                yield record
            else:
                replay.take(record)
                if replay.held > HELD_CHARACTERS:
                    yield from replay.emit()
    yield from replay.emit()


class _Replay:
    """The document as it grows. Messages are held back, as events, because a later line may replace or rewind them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.about: Json = {}
        self.messages: dict[str, list[Event]] = {}
        self.weights: dict[str, int] = {}
        self.newest: tuple[str, Json] | None = None
        self.document: set[str] = set()
        self.held = 0
        self.seen = Seen()
        self.is_begun = False

    def take(self, record: Json) -> None:
        if "$rewindTo" in record:
            self._rewind(str_of(record["$rewindTo"]))
        elif "$set" in record:
            self.describe(dict_of(record["$set"]))
        elif isinstance(record.get("id"), str) and "type" in record:
            self.put(record)
        else:
            self.describe(record)

    def describe(self, fields: Json) -> None:
        """Take what a line says of the session; the messages it may hold are a checkpoint."""
        for name in ("sessionId", "startTime", "kind", "directories", "summary"):
            if name in fields:
                self.about[name] = fields[name]
        if isinstance(fields.get("messages"), list):
            self._checkpoint([message for message in list_of(fields["messages"]) if isinstance(message, dict)])

    def put(self, message: Json) -> None:
        """Take a message. It is turned into events when another follows: most are written again at once."""
        message_id = str_of(message.get("id"))
        if self.newest is not None and message_id != self.newest[0]:
            self._settle()
        self.newest = (message_id, message)

    def _settle(self) -> None:
        if self.newest is None:
            return
        message_id, message = self.newest
        self.newest = None
        events = _events_of(message, message_id, is_agent=self.about.get("kind") == "subagent")
        weight = sum(map(_characters, events))
        self.held += weight - self.weights.get(message_id, 0)
        self.weights[message_id] = weight
        self.messages[message_id] = events
        self.document.add(message_id)

    def _rewind(self, target: str) -> None:
        """Drop this message and the later ones. An unknown one takes nothing back: its line may have been damaged."""
        self._settle()
        is_dropped = False
        for message_id in list(self.messages) if target in self.document else ():
            is_dropped = is_dropped or message_id == target
            if is_dropped and message_id in self.document:
                self.held -= self.weights.pop(message_id)
                del self.messages[message_id]
                self.document.discard(message_id)

    def _checkpoint(self, messages: list[Json]) -> None:
        """Make these the document. What they repeat under a new id was said once."""
        self._settle()
        known = {_gist(events): message_id for message_id, events in self.messages.items() if _gist(events)}
        self.document = set()
        for message in messages:
            message_id = str_of(message.get("id"))
            twin = known.get(_gist(_events_of(message, message_id, is_agent=False)))
            if twin is None or message_id in self.messages:
                self.put(message)
            else:
                self.document.add(twin)

    def emit(self) -> Iterator[Event]:
        """The held events, in order, each once; a log too long to be held whole is let go of in parts."""
        self._settle()
        if not self.is_begun and (self.about or self.messages):
            self.is_begun = True
            yield self._began()
        for events in self.messages.values():
            for event in events:
                if self.seen.first(_identity(event)):
                    yield event
        self.messages = {}
        self.weights = {}
        self.document = set()
        self.held = 0

    def _began(self) -> Began:
        about = self.about
        is_agent = about.get("kind") == "subagent"
        native_id = str_of(about.get("sessionId")) or os.path.basename(self.path).partition(".")[0]
        folders = [folder for folder in list_of(about.get("directories")) if isinstance(folder, str)]
        return Began(
            host=HOST,
            native_id=native_id,
            at=parse_time(about.get("startTime")),
            cwd=project_root(self.path) or next(iter(folders), ""),
            title=str_of(about.get("summary")),
            parent=parent_session(self.path) if is_agent else "",
            agent=native_id if is_agent else "",
        )


def _events_of(message: Json, message_id: str, *, is_agent: bool) -> list[Event]:
    at = parse_time(message.get("timestamp"))
    content = message.get("content")
    text = text_of(content)
    if f"<{_SNAPSHOT}>" in text:
        return [Compacted(strip_fences(inside(text, _SNAPSHOT) or ""), at, "", message_id)]
    if message.get("type") == "user" and not is_agent:
        typed = typed_text(text_of(message.get("displayContent")) or text)
        if not typed or typed in _GO_ON or _COMMAND.match(typed):
            return []
        return [Said(typed, at, message_id, attachments=attachments_of(content))]
    return _answer(message, message_id, text, at) if message.get("type") == "gemini" else []


def _answer(message: Json, message_id: str, text: str, at: float) -> list[Event]:
    events: list[Event] = []
    if text.strip() and text.strip() != _ACKNOWLEDGED:
        events.append(Answered(text, at, message_id, str_of(message.get("model"))))
    for call in map(dict_of, list_of(message.get("toolCalls"))):
        events += _call(call, at)
    tokens = dict_of(message.get("tokens"))
    if tokens:
        written = int_of(tokens.get("output")) + int_of(tokens.get("thoughts"))
        events.append(Spent(int_of(tokens.get("input")), written, message_id))
    return events


def _call(call: Json, at: float) -> list[Event]:
    call_id, name, arguments = str_of(call.get("id")), str_of(call.get("name")), dict_of(call.get("args"))
    at = parse_time(call.get("timestamp")) or at
    events: list[Event] = [Called(call_id, name, arguments, at)]
    status = str_of(call.get("status"))
    if status not in ("success", "error", "cancelled") and not call.get("result"):
        return events
    output = _output(call)
    found = _EXIT_CODE.search(output, max(len(output) - 400, 0)) if name == "run_shell_command" else None
    code = int(found[1]) if found else None
    ok = status == "success" and not code if status else None
    kind, target = kind_of(name, arguments)
    paths = (target,) if kind == "change" and ok and target else ()
    return [*events, Returned(call_id, tool_text(output), ok, code, at, paths)]


def _output(call: Json) -> str:
    """What the model was told; without that, what the screen showed."""
    texts = []
    result = call.get("result")
    for part in [result] if isinstance(result, str) else list_of(result):
        answer = dict_of(dict_of(dict_of(part).get("functionResponse")).get("response"))
        texts.append(text_of(answer.get("output")) or text_of(answer.get("error")) or text_of(part))
    return "\n".join(text for text in texts if text) or str_of(call.get("resultDisplay"))


def _characters(event: Event) -> int:
    """Roughly what an event takes to hold."""
    if isinstance(event, Called):
        return 400 + sum(len(value) for value in event.arguments.values() if isinstance(value, str))
    if isinstance(event, Returned):
        return 400 + len(event.output)
    return 400 + (len(event.text) if isinstance(event, Said | Answered) else 0)


def _gist(events: list[Event]) -> Hashable:
    """What was said, whatever the id it was said under; None when nothing was."""
    return next(((type(event), event.text) for event in events if isinstance(event, Said | Answered)), None)


def _identity(event: Event) -> Hashable:
    match event:
        case Called() | Returned():
            return type(event), event.call_id
        case Answered():
            return type(event), event.record_id, event.text
        case Said() | Spent() | Compacted():
            return type(event), event.record_id
    return event
