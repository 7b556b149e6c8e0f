"""opencode's messages and their parts, as its first generation stores and exports them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.hosts.opencode.wire import as_typed
from recollect.hosts.reading import clip, dict_of, int_of, list_of, parse_time, str_of
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Began, Called, Compacted, Moved, Returned, Said, Spent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

HOST = "opencode"
TOOLS: dict[str, tuple[str, str]] = {
    "bash": ("command", "command"),
    "shell": ("command", "command"),
    "read": ("read", "filePath"),
    "list": ("search", "path"),
    "glob": ("search", "pattern"),
    "grep": ("search", "pattern"),
    "codesearch": ("search", "query"),
    "websearch": ("search", "query"),
    "webfetch": ("read", "url"),
    "lsp": ("read", "filePath"),
    "edit": ("change", "filePath"),
    "write": ("change", "filePath"),
    "multiedit": ("change", "filePath"),
    "patch": ("change", "patchText"),
    "apply_patch": ("change", "patchText"),
    "task": ("other", "description"),
    "skill": ("other", "name"),
    "todowrite": ("other", "todos"),
    "todoread": ("other", "todos"),
    "question": ("other", "questions"),
}
_DONE = ("completed", "error")


class Message(Record):
    """One message with its id, and its parts in order."""

    info: Json
    parts: tuple[Json, ...]


def began_of(info: Json, agent: str) -> Began:
    """How a session of either generation begins; one with a parent is a sub-agent's."""
    parent = str_of(info.get("parentID"))
    return Began(
        HOST,
        str_of(info.get("id")),
        at=parse_time(dict_of(info.get("time")).get("created")),
        cwd=str_of(info.get("directory")),
        title=str_of(info.get("title")),
        version=str_of(info.get("version")),
        model=model_of(info),
        parent=parent or str_of(info.get("forkedFrom")),
        agent=(agent or "subagent") if parent else "",
    )


def model_of(info: Json) -> str:
    """The model of a message or a session, which the versions name in three ways."""
    model = dict_of(info.get("model"))
    return str_of(info.get("modelID")) or str_of(model.get("modelID")) or str_of(model.get("id"))


def session_events(info: Json, messages: Sequence[Message]) -> Iterator[Event]:
    """The events of one session, without what the user took back; nothing when there are no messages."""
    ordered = _active(info, messages)
    if not ordered:
        return
    agent = str_of(info.get("agent")) or next((name for m in ordered if (name := str_of(m.info.get("agent")))), "")
    began = began_of(info, agent)
    yield began
    cwd = began.cwd
    automatic = False
    for message in ordered:
        if message.info.get("role") == "user":
            automatic = _compaction_trigger(message, automatic)
            if not began.agent:
                yield from _said(message)
            continue
        here = str_of(dict_of(message.info.get("path")).get("cwd"))
        if here and here != cwd:
            cwd = here
            yield Moved(cwd=cwd, at=_created(message))
        yield from _answered(message, automatic)


def _active(info: Json, messages: Sequence[Message]) -> list[Message]:
    """The messages by time, each once, up to the one that was reverted."""
    unique: dict[str, Message] = {}
    for place, message in enumerate(messages):
        unique.setdefault(str_of(message.info.get("id")) or f"#{place}", message)
    ordered = sorted(unique.values(), key=lambda m: (_created(m), str_of(m.info.get("id"))))
    revert = dict_of(info.get("revert"))
    first = str_of(revert.get("messageID"))
    for place, message in enumerate(ordered):
        if first and message.info.get("id") == first:
            return ordered[:place] + _before_part(message, str_of(revert.get("partID")))
    return ordered


def _before_part(message: Message, part_id: str) -> list[Message]:
    if not part_id:
        return []
    kept = tuple(part for part in message.parts if str_of(part.get("id")) < part_id)
    return [Message(message.info, kept)] if kept else []


def _created(message: Message) -> float:
    return parse_time(dict_of(message.info.get("time")).get("created"))


def _compaction_trigger(message: Message, automatic: bool) -> bool:
    for part in message.parts:
        if part.get("type") == "compaction":
            automatic = part.get("auto") is True
    return automatic


def _said(message: Message) -> Iterator[Event]:
    spoken = [
        str_of(part.get("text"))
        for part in message.parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    files = sum(1 for part in message.parts if part.get("type") == "file")
    if typed := typed_text(as_typed("\n".join(text for text in spoken if text))):
        yield Said(typed, _created(message), str_of(message.info.get("id")), attachments=files)


def _answered(message: Message, automatic: bool) -> Iterator[Event]:
    record_id, at = str_of(message.info.get("id")), _created(message)
    texts = [str_of(part.get("text")) for part in message.parts if part.get("type") == "text"]
    if message.info.get("summary") is True:
        trigger = "auto" if automatic else "manual"
        yield Compacted("\n".join(texts), at=at, trigger=trigger, record_id=record_id)
        return
    for part in message.parts:
        if part.get("type") == "text" and str_of(part.get("text")).strip() and not part.get("ignored"):
            yield Answered(str_of(part.get("text")), at, record_id, model_of(message.info))
        elif part.get("type") == "tool":
            yield from tool_events(str_of(part.get("callID")), str_of(part.get("tool")), dict_of(part.get("state")), at)
    yield from spent_events(message.info, record_id)


def spent_events(info: Json, record_id: str) -> Iterator[Event]:
    """The tokens of an assistant's message, cached input included."""
    tokens = dict_of(info.get("tokens"))
    cache = dict_of(tokens.get("cache"))
    read = int_of(tokens.get("input")) + int_of(cache.get("read")) + int_of(cache.get("write"))
    written = int_of(tokens.get("output")) + int_of(tokens.get("reasoning"))
    if read or written:
        yield Spent(read, written, record_id)


def tool_events(call_id: str, name: str, state: Json, at: float) -> Iterator[Event]:
    """A call, and its result once there is one."""
    times = dict_of(state.get("time"))
    yield Called(call_id, name, dict_of(state.get("input")), parse_time(times.get("start")) or at)
    status = str_of(state.get("status"))
    if status not in _DONE:
        return
    metadata = dict_of(state.get("metadata")) or dict_of(state.get("structured"))
    code = metadata.get("exit")
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    yield Returned(
        call_id,
        clip(_output(state)),
        ok=status == "completed" and not exit_code,
        exit_code=exit_code,
        at=parse_time(times.get("end")) or at,
        paths=_changed(metadata) if TOOLS.get(name, ("", ""))[0] == "change" and status == "completed" else (),
    )


def _output(state: Json) -> str:
    texts = [str_of(dict_of(block).get("text")) for block in list_of(state.get("content"))]
    error = state.get("error")
    return (
        str_of(state.get("output"))
        or "\n".join(text for text in texts if text)
        or str_of(error)
        or str_of(dict_of(error).get("message"))
    )


def _changed(metadata: Json) -> tuple[str, ...]:
    """The files that an edit's metadata names."""
    diffs = [dict_of(metadata.get("filediff")), *map(dict_of, list_of(metadata.get("files")))]
    named = [str_of(diff.get("file")) or str_of(diff.get("filePath")) for diff in diffs]
    named.append(str_of(metadata.get("filepath")))
    return tuple(dict.fromkeys(os.path.normpath(path) for path in named if path))
