"""opencode's messages as its second generation stores them: one row each, the role in a column, no parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.databases import object_in
from recollect.hosts.opencode.messages import began_of, model_of, spent_events, tool_events
from recollect.hosts.reading import clip, dict_of, int_of, list_of, parse_time, str_of
from recollect.hosts.wrappers import typed_text
from recollect.model.record import Record
from recollect.model.sessions import Answered, Called, Compacted, Moved, Returned, Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.hosts.databases import Row
    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event


class _Stored(Record):
    record_id: str
    kind: str
    data: Json
    at: float


def row_events(info: Json, rows: Sequence[Row]) -> Iterator[Event]:
    """The events of one session, in the order of its rows."""
    stored = _active(info, rows)
    began = began_of(info, str_of(info.get("agent")))
    yield began
    for message in stored:
        match message.kind:
            case "user" if not began.agent:
                yield from _said(message)
            case "assistant":
                yield from _answered(message)
            case "shell":
                yield from _ran(message)
            case "compaction":
                yield from _compacted(message)
            case "location-switched":
                place = dict_of(message.data.get("location")) or message.data
                if cwd := str_of(place.get("directory")):
                    yield Moved(cwd=cwd, at=message.at)


def _active(info: Json, rows: Sequence[Row]) -> list[_Stored]:
    first = str_of(dict_of(info.get("revert")).get("messageID"))
    kept: dict[str, _Stored] = {}
    for row in sorted(
        rows, key=lambda row: (int_of(row.get("seq")), parse_time(row.get("time_created")), str(row.get("id")))
    ):
        record_id = str(row.get("id"))
        if first and record_id == first:
            break
        data = object_in(row.get("data"))
        at = parse_time(dict_of(data.get("time")).get("created")) or parse_time(row.get("time_created"))
        kept.setdefault(record_id, _Stored(record_id, str_of(row.get("type")), data, at))
    return list(kept.values())


def _said(message: _Stored) -> Iterator[Event]:
    if typed := typed_text(str_of(message.data.get("text"))):
        yield Said(typed, message.at, message.record_id, attachments=len(list_of(message.data.get("files"))))


def _answered(message: _Stored) -> Iterator[Event]:
    for block in map(dict_of, list_of(message.data.get("content"))):
        if block.get("type") == "text" and str_of(block.get("text")).strip():
            yield Answered(str_of(block.get("text")), message.at, message.record_id, model_of(message.data))
        elif block.get("type") == "tool":
            call_id = str_of(block.get("id")) or str_of(block.get("callID"))
            name = str_of(block.get("name")) or str_of(block.get("tool"))
            yield from tool_events(call_id, name, dict_of(block.get("state")), message.at)
    yield from spent_events(message.data, message.record_id)


def _ran(message: _Stored) -> Iterator[Event]:
    """A command that the user ran from the prompt."""
    call_id = str_of(message.data.get("callID")) or message.record_id
    yield Called(call_id, "shell", {"command": str_of(message.data.get("command"))}, message.at)
    yield Returned(call_id, clip(str_of(message.data.get("output"))), at=message.at)


def _compacted(message: _Stored) -> Iterator[Event]:
    reason = str_of(message.data.get("reason"))
    summary = str_of(message.data.get("summary")) or str_of(message.data.get("text"))
    if summary or message.data.get("status") in (None, "completed"):
        trigger = reason if reason in ("auto", "manual") else ""
        yield Compacted(summary, at=message.at, trigger=trigger, record_id=message.record_id)
