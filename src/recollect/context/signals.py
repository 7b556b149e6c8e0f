"""Providers compact too: what they say about it is understood and recorded once, and never done again here.

Understood are Anthropic's compaction blocks, context edits (`applied_edits`), `compaction_delta` and compaction
control, OpenAI's compaction items, and `agent.thread_context_compacted` of remote agents.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from recollect.context.events import PROVIDER_COMPACTION, Event, nobody
from recollect.context.requests import PROVIDER_COMPACTIONS
from recollect.model.messages import Other
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.context.events import Emit
    from recollect.model.messages import Message

DELTA_TYPES = ("compaction_delta",)
REMOTE_TYPES = ("agent.thread_context_compacted", "thread.context_compacted", "context_compacted")
EDIT_KEYS = ("applied_edits",)
CONTROL_KEYS = ("compaction_control", "compactionControl", "context_management")


class Signal(Record):
    """One thing a provider said about compacting."""

    kind: str  # block | edit | delta | remote | control
    source: str  # the type or the key by which it was recognised
    text: str  # a readable summary; empty when the provider keeps it to itself
    tokens: int  # freed or left, when the provider says
    key: str  # the same signal has the same key, however often it is seen


class SignalLog:
    """Records each signal once, and says whether the provider looks after the window itself."""

    def __init__(self, emit: Emit = nobody) -> None:
        self._emit = emit
        self._seen: set[str] = set()
        self.provider_compacts = False

    def hear(self, value: Any) -> list[Signal]:
        """Take in a reply, a stream event or a request; the signals in it that are new."""
        new = [signal for signal in signals_in(value) if signal.key not in self._seen]
        for signal in new:
            self._seen.add(signal.key)
            self.provider_compacts = True
            data = {"kind": signal.kind, "source": signal.source, "summaryContent": signal.text}
            self._emit(Event(PROVIDER_COMPACTION, {**data, "tokens": signal.tokens}))
        return new

    def hear_messages(self, messages: Iterable[Message]) -> list[Signal]:
        """Take in compaction items that stand in a conversation."""
        return [
            signal
            for message in messages
            for part in message.parts
            if isinstance(part, Other)
            for signal in self.hear(part.value)
        ]


def signals_in(value: Any) -> Iterator[Signal]:
    """Every signal in a reply, an event or a request, as JSON."""
    if isinstance(value, dict):
        kind = str(value.get("type", ""))
        if kind in PROVIDER_COMPACTIONS:
            yield _signal("block", kind, value)
        elif kind in DELTA_TYPES:
            yield _signal("delta", kind, value)
        elif kind in REMOTE_TYPES:
            yield _signal("remote", kind, value)
        else:
            yield from _nested(value)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from signals_in(one)


def _nested(value: Mapping[str, Any]) -> Iterator[Signal]:
    for name, one in value.items():
        if name in EDIT_KEYS and isinstance(one, list):
            for edit in one:
                if isinstance(edit, dict):
                    yield _signal("edit", str(edit.get("type", name)), edit)
        elif name in CONTROL_KEYS and isinstance(one, dict) and _is_control(one):
            yield _signal("control", name, one)
        else:
            yield from signals_in(one)


def _is_control(value: Mapping[str, Any]) -> bool:
    if any(key in value for key in EDIT_KEYS):
        return False
    edits = value.get("edits")
    if isinstance(edits, list):
        return any("compact" in str(one.get("type", "")) for one in edits if isinstance(one, dict))
    return bool(value.get("enabled") or value.get("compact_threshold") or "compact" in str(value.get("type", "")))


def _signal(kind: str, source: str, value: Mapping[str, Any]) -> Signal:
    key = hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]
    identity = value.get("id") or value.get("event_id")
    return Signal(kind, source, _readable(value), _tokens(value), f"{source}:{identity or key}")


def _readable(value: Mapping[str, Any]) -> str:
    for name in ("content", "summary", "text"):
        found = value.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, list):
            texts = [str(one.get("text", "")) for one in found if isinstance(one, dict)]
            return "\n".join(filter(None, texts))
    return ""


def _tokens(value: Mapping[str, Any]) -> int:
    for name in ("cleared_input_tokens", "tokens_removed", "tokensRemoved", "original_input_tokens"):
        found = value.get(name)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
    return 0
