"""Events of a session as OpenTelemetry spans and metrics, for a program that has set up where those go.

`session.subscribe(telemetry(session.session_id))` is all it takes. Without the extra `otel`, or without a provider set
up by the program, nothing happens. No text of the conversation is in what is told: kinds, names of tools and models,
counts and times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.sessions import events

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from opentelemetry.metrics import Meter, MeterProvider
    from opentelemetry.trace import Span, Tracer, TracerProvider

    from recollect.sessions.events import Event

    Attributes = dict[str, str | int | bool]

SCOPE = "recollect"
SESSION_ID = "gen_ai.conversation.id"
_SIZES = {
    "systemTokens": "recollect.tokens.system",
    "conversationTokens": "recollect.tokens.conversation",
    "toolDefinitionsTokens": "recollect.tokens.tools",
    "preCompactionTokens": "recollect.tokens.before",
    "postCompactionTokens": "recollect.tokens.after",
    "tokensRemoved": "recollect.tokens.removed",
    "messagesRemoved": "recollect.messages.removed",
    "checkpointNumber": "recollect.checkpoint.number",
    "durationMs": "recollect.duration_ms",
}
_WORDS = {"trigger": "recollect.trigger", "model": "gen_ai.request.model", "requestId": "gen_ai.response.id"}


def telemetry(
    session_id: str, *, tracer_provider: TracerProvider | None = None, meter_provider: MeterProvider | None = None
) -> Callable[[Event], None]:
    """An observer that turns events into spans and metrics of these providers, or of the program's own."""
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        return _ignore
    tracer = trace.get_tracer(SCOPE, tracer_provider=tracer_provider)
    meter = metrics.get_meter(SCOPE, meter_provider=meter_provider)
    spans, measures = _Spans(session_id, tracer), _Measures(meter)

    def observe(event: Event) -> None:
        spans.take(event)
        measures.take(event)

    return observe


def _ignore(event: Event) -> None:
    """Nobody measures."""


class _Spans:
    """A session, its turns, tools and compactions, each from its first event to its last."""

    def __init__(self, session_id: str, tracer: Tracer) -> None:
        self._session_id = session_id
        self._tracer = tracer
        self._session: Span | None = None
        self._turn: Span | None = None
        self._open: dict[str, Span] = {}

    def take(self, event: Event) -> None:
        if event.kind in (events.START, events.RESUME, events.SHUTDOWN):
            self._end_session(event)
        if event.kind != events.SHUTDOWN and self._session is None:
            self._session = self._begin("session", event, None, {})
        data = event.data
        match event.kind:
            case events.USER if events.begins_turn(event):
                self._end_turn(event)
                self._turn = self._begin("turn", event, self._session, {})
            case events.TOOL_START:
                name = str(data.get("toolName", ""))
                about: Attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
                key = f"tool {data.get('toolCallId')}"
                self._open[key] = self._begin(f"execute_tool {name}", event, self._turn or self._session, about)
            case events.TOOL_COMPLETE:
                self._end(f"tool {data.get('toolCallId')}", event, failed=data.get("success") is False)
            case events.COMPACTION_START:
                self._end("compaction", event, failed=True)
                self._open["compaction"] = self._begin("conversation-compaction", event, self._session, _about(data))
            case events.COMPACTION_COMPLETE:
                if "compaction" not in self._open:
                    self._open["compaction"] = self._begin("conversation-compaction", event, self._session, {})
                self._open["compaction"].set_attributes(_about(data))
                self._end("compaction", event, failed=data.get("success") is not True)
            case events.TRUNCATION | events.REWIND | events.ERROR | events.MODEL:
                span = self._turn or self._session
                if span is not None:
                    span.add_event(event.kind, _about(data), timestamp=_nanoseconds(event.at))

    def _begin(self, name: str, event: Event, inside: Span | None, attributes: Attributes) -> Span:
        from opentelemetry.trace import set_span_in_context

        return self._tracer.start_span(
            name,
            context=set_span_in_context(inside) if inside is not None else None,
            attributes={SESSION_ID: self._session_id, **attributes},
            start_time=_nanoseconds(event.at),
        )

    def _end(self, key: str, event: Event, *, failed: bool) -> None:
        from opentelemetry.trace import StatusCode

        span = self._open.pop(key, None)
        if span is not None:
            if failed:
                span.set_status(StatusCode.ERROR)
            span.end(end_time=_nanoseconds(event.at))

    def _end_turn(self, event: Event) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.end(end_time=_nanoseconds(event.at))

    def _end_session(self, event: Event) -> None:
        for key in list(self._open):
            self._end(key, event, failed=True)
        self._end_turn(event)
        session, self._session = self._session, None
        if session is not None:
            session.end(end_time=_nanoseconds(event.at))


class _Measures:
    """Counts and sizes; without the id of the session, which would make every session a series of its own."""

    def __init__(self, meter: Meter) -> None:
        self._events = meter.create_counter("recollect.session.events", unit="{event}")
        self._compactions = meter.create_counter("recollect.session.compactions", unit="{compaction}")
        self._removed = meter.create_histogram("recollect.compaction.tokens_removed", unit="{token}")
        self._cut = meter.create_counter("recollect.truncation.messages_removed", unit="{message}")
        self._used = meter.create_histogram("recollect.context.tokens", unit="{token}")
        self._share = meter.create_histogram("recollect.context.utilization", unit="1")
        self._tokens = meter.create_histogram("gen_ai.client.token.usage", unit="{token}")

    def take(self, event: Event) -> None:
        data = event.data
        self._events.add(1, {"type": event.kind})
        match event.kind:
            case events.COMPACTION_COMPLETE:
                self._compactions.add(1, {"success": data.get("success") is True})
                if data.get("success") is True:
                    self._removed.record(_number(data.get("tokensRemoved")))
                for spent in _calls(data):
                    self._spend(spent, "conversation-compaction")
            case events.TRUNCATION:
                self._cut.add(_number(data.get("messagesRemovedDuringTruncation")))
            case events.USAGE:
                used, limit = _number(data.get("currentTokens")), _number(data.get("tokenLimit"))
                self._used.record(used)
                if limit:
                    self._share.record(used / limit)
            case events.ASSISTANT:
                self._spend(data, "conversation")

    def _spend(self, call: Mapping[str, Any], interaction: str) -> None:
        """What one call of a model took and gave."""
        model = call.get("model")
        named: Attributes = {"gen_ai.request.model": model} if isinstance(model, str) and model else {}
        for kind, field in (("input", "inputTokens"), ("output", "outputTokens")):
            number = _number(call.get(field))
            if number:
                about: Attributes = {"gen_ai.token.type": kind, "recollect.interaction": interaction, **named}
                self._tokens.record(number, {"gen_ai.operation.name": "chat", **about})


def _calls(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The calls of a model that a compaction made; one that tells only their sum counts as one."""
    calls = data.get("compactionCalls")
    if isinstance(calls, list):
        return [one for one in calls if isinstance(one, dict)]
    spent = data.get("compactionTokensUsed")
    if not isinstance(spent, dict):
        return []
    tokens = {f"{kind}Tokens": spent.get(f"{kind}Tokens", spent.get(kind)) for kind in ("input", "output")}
    return [{**tokens, "model": data.get("model")}]


def _about(data: Mapping[str, Any]) -> Attributes:
    sizes: Attributes = {name: _number(data[key]) for key, name in _SIZES.items() if key in data}
    words = {name: data[key] for key, name in _WORDS.items() if isinstance(data.get(key), str)}
    return {**sizes, **words}


def _nanoseconds(at: float) -> int:
    return int(at * 1e9)


def _number(value: Any) -> int:
    return max(0, value) if isinstance(value, int) else 0
