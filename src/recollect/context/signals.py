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
from recollect.model.messages import Message, Other
from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from recollect.context.events import Emit

DELTA_TYPES = ("compaction_delta",)
REMOTE_TYPES = ("agent.thread_context_compacted", "thread.context_compacted", "context_compacted")
EDIT_KEYS = ("applied_edits",)
TRUSTED_REQUESTS = 3
CONTROL_KEYS = ("compaction_control", "compactionControl", "context_management")


class Signal(Record):
    """One thing a provider said about compacting."""

    kind: str  # block | edit | delta | remote | control
    source: str  # the type or the key by which it was recognised
    text: str  # a readable summary; empty when the provider keeps it to itself
    tokens: int  # freed or left, when the provider says
    key: str  # the same signal has the same key, however often it is seen


class SignalLog:
    """Records each signal once, and says whether the provider looks after the window itself.

    It is trusted to do so for a few requests after each new signal and never for good: one that has stopped compacting
    says nothing about it.
    """

    def __init__(self, emit: Emit = nobody) -> None:
        self._emit = emit
        self._seen: set[str] = set()
        self._trusted_requests = 0
        self._heard: tuple[Message, ...] = ()

    @property
    def provider_compacts(self) -> bool:
        """Whether the provider has compacted so lately that it is left to do so."""
        return self._trusted_requests > 0

    def is_trusted(self) -> bool:
        """The same, as a function to hand on."""
        return self.provider_compacts

    def next_request(self, messages: Iterable[Message]) -> None:
        """A request is about to be sent: trust runs out with each, and what is new in it is heard."""
        self._trusted_requests = max(0, self._trusted_requests - 1)
        now, known = tuple(messages), len(self._heard)
        self.hear_messages(now[known:] if now[:known] == self._heard else now)
        self._heard = now

    def hear(self, value: Any) -> list[Signal]:
        """Take in a reply, a stream event or a request; the signals in it that are new."""
        new = [signal for signal in signals_in(_plain(value)) if signal.key not in self._seen]
        for signal in new:
            self._seen.add(signal.key)
            self._trusted_requests = TRUSTED_REQUESTS
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


def _plain(value: Any) -> Any:
    """A reply as JSON: the libraries of the providers give objects that can write themselves down."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return dump()
    return [part.value for part in value.parts if isinstance(part, Other)] if isinstance(value, Message) else value


def _nested(value: Mapping[str, Any]) -> Iterator[Signal]:
    for name, one in value.items():
        if name in EDIT_KEYS and isinstance(one, list):
            for edit in one:
                if isinstance(edit, dict):
                    kind = str(edit.get("type", name))
                    yield _signal("block" if kind in PROVIDER_COMPACTIONS else "edit", kind, edit)
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
