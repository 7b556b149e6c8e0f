"""What happened in a session of our own, one row an event that means something to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.model.record import Record
from recollect.sessions import events
from recollect.sessions.encodings import message_of
from recollect.sessions.replay import Replay
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.messages import Json, Message
    from recollect.sessions.events import Event


# Events of which one field tells everything: what a row calls it, and the field.
_TOLD = {
    events.TITLE: ("titled", "title"),
    events.MODEL: ("model", "newModel"),
    events.ERROR: ("error", "message"),
    events.TODOS: ("todos", "content"),
    events.PLAN: ("plan", "content"),
    events.SKILL: ("skill", "name"),
    events.AGENT: ("agent", "agentName"),
    events.PROVIDER_COMPACTION: ("provider", "source"),
}


class Happening(Record):
    """One row of a timeline."""

    at: float
    turn: int
    what: str
    text: str
    event_id: str = ""


def timeline(log: Iterable[Event]) -> Iterator[Happening]:
    """All that happened, also what was rewound since; a compaction is an entry of its own."""
    replay = Replay()
    for event in log:
        replay.apply(event)
        for what, text in _rows(event):
            yield Happening(event.at, replay.turn, what, text, event.event_id)


def compaction_text(data: Json) -> str:
    """What a compaction did, in a sentence."""
    if data.get("success") is not True:
        why = data.get("error")
        return f"Compaction failed: {_text(why) or _text(_dict(why).get('message')) or 'no reason given'}"
    before, removed = _number(data.get("preCompactionMessagesLength")), _number(data.get("messagesRemoved"))
    tokens = f"{_number(data.get('preCompactionTokens')):,} tokens to {_number(data.get('postCompactionTokens')):,}"
    checkpoint = f", checkpoint {data['checkpointNumber']}" if data.get("checkpointNumber") else ""
    return f"Conversation compacted: {before} messages to {before - removed}, {tokens}{checkpoint}"


def _rows(event: Event) -> Iterator[tuple[str, str]]:
    data = event.data
    if event.kind in events.MESSAGES:
        yield from _message_rows(event)
        return
    if event.kind in _TOLD:
        what, field = _TOLD[event.kind]
        yield what, _text(data.get(field))
        return
    match event.kind:
        case events.START:
            yield "started", _text(_dict(data.get("context")).get("cwd"))
        case events.RESUME:
            yield "resumed", ""
        case events.SHUTDOWN:
            yield "ended", _text(data.get("shutdownType"))
        case events.COMPACTION_COMPLETE:
            yield "compacted" if data.get("success") is True else "error", compaction_text(data)
        case events.TRUNCATION:
            yield "truncated", f"A request was cut by {_number(data.get('messagesRemovedDuringTruncation'))} messages"
        case events.REWIND:
            sizes = f"{_number(data.get('messagesBefore'))} messages to {_number(data.get('messagesAfter'))}"
            yield "rewound", f"{'Undone' if data.get('reason') == 'undo' else 'Rewound'}: {sizes}"


def _message_rows(event: Event) -> Iterator[tuple[str, str]]:
    message = _message(event)
    if message is None or event.kind == events.SYSTEM:
        return
    if event.kind == events.TOOL_COMPLETE:
        yield "result", "failed" if event.data.get("success") is False else "ok"
        return
    if message.text and event.kind == events.USER and events.begins_turn(event):
        yield "asked", strip_fences(message.text).strip()  # without what memory put before it
    elif message.text:
        yield "notice" if event.kind == events.USER else "answered", message.text
    for call in message.calls:
        yield "called", f"{call.name} {call.arguments}"


def _message(event: Event) -> Message | None:
    try:
        return message_of(event.data.get("message"))
    except (ValueError, TypeError):
        return None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
