"""Sessions of our own: what a log tells is the conversation, whatever was compacted, cut, rewound or taken back."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Recollect
from recollect.context import events as context_events
from recollect.context.compaction import CompactionResult, compact
from recollect.context.compaction_options import Thresholds
from recollect.context.counting import Counter
from recollect.context.processor import CompactionProcessor
from recollect.context.truncation import BasicTruncator
from recollect.errors import Ambiguous, NotFound, Refused, UsageError
from recollect.flows.sessions.own_session import OwnSession
from recollect.model.messages import Message, Text, ToolCall, ToolResult
from recollect.model.sessions import Session, Turn
from recollect.ports import Reply, Usage
from recollect.sessions import events
from recollect.sessions.events import Event
from recollect.sessions.observing import Observers
from recollect.sessions.replay import Replay, replay
from recollect.sessions.telemetry import telemetry
from recollect.sessions.timeline import timeline
from tests.command_line import Run
from tests.sessions.test_event_log import compacted, sessions_in, texts, user


def agent(text: str) -> Message:
    return Message("assistant", (Text(text),))


@pytest.fixture
def session(tmp_path: Path) -> OwnSession:
    return sessions_in(tmp_path).create(session_id="s_1", cwd="/w/app", repository="github.com/owner/app")


def talk(session: OwnSession, turns: int, first: int = 1) -> None:
    for number in range(first, first + turns):
        session.add(user(f"ask {number}"))
        session.add(agent(f"answer {number}"))


# -- replay is what was tracked in memory


class Tracked:
    """The same conversation, kept in the plainest way: a copy of the messages after every event."""

    def __init__(self) -> None:
        self.log: list[Event] = []
        self.copies: dict[str, tuple[list[str], int]] = {"": ([], 0)}
        self.now: list[str] = []
        self.turn = 0
        self.before_change: tuple[list[str], int] | None = None
        self.last_change = ""

    def record(self, new: events.NewEvent) -> None:
        event = Event(f"v_{len(self.log)}", new.kind, json.loads(json.dumps(new.data)), float(len(self.log)))
        self.log.append(event)
        self.copies[event.event_id] = (list(self.now), self.turn)

    def change(self, kind: str, now: list[str], turn: int, new: events.NewEvent) -> None:
        self.before_change, self.last_change = (self.now, self.turn), kind
        self.now, self.turn = now, turn
        self.record(new)


ROLES = st.sampled_from(["system", "user", "assistant", "tool"])
STEPS = st.one_of(
    st.tuples(st.just("add"), ROLES),
    st.tuples(st.just("compact"), st.integers(0, 3)),
    st.tuples(st.just("fail"), st.just(0)),
    st.tuples(st.just("truncate"), st.just(0)),
    st.tuples(st.just("rewind"), st.integers(0, 60)),
    st.tuples(st.just("unknown"), st.just(0)),
)


@given(st.lists(STEPS, max_size=40))
@settings(deadline=None)
def test_a_replay_is_the_conversation_that_was_tracked_in_memory(steps) -> None:
    tracked = Tracked()
    for number, (step, what) in enumerate(steps):
        match step:
            case "add":
                message = Message(what, (Text(f"{number}"),))
                turn = tracked.turn + (what == "user")
                tracked.change("message", [*tracked.now, repr(message)], turn, events.of_message(message))
            case "compact":
                messages = Replay(tracked.log).messages
                kept = messages[max(0, len(messages) - what) :]
                after = [user(f"summary {number}"), *kept]
                new = events.compaction_complete(after, {"checkpointNumber": number})
                tracked.change("compaction", [repr(m) for m in after], tracked.turn, new)
            case "fail":
                tracked.record(events.compaction_failed("too large", {}))
            case "truncate":
                tracked.record(
                    events.truncation(
                        limit_tokens=1, tokens_before=9, tokens_after=1, messages_before=9, messages_after=1
                    )
                )
            case "rewind" if tracked.log:
                target = tracked.log[what % len(tracked.log)].event_id if what else ""
                now, turn = tracked.copies[target]
                new = events.rewind(target, reason="rewind", messages_before=0, messages_after=0)
                tracked.change("rewind", list(now), turn, new)
            case "unknown":
                tracked.record(events.NewEvent("vendor.thing", {"n": number}))
        told = Replay(tracked.log)
        assert [repr(message) for message in told.messages] == tracked.now
        assert told.turn == tracked.turn
        if told.last_change is not None:
            assert told.last_change.kind == tracked.last_change
    for end in range(len(tracked.log) + 1):
        copy = tracked.copies[tracked.log[end - 1].event_id][0] if end else []
        assert [repr(message) for message in replay(tracked.log[:end])] == copy


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(0, 3)),
        st.tuples(st.just("compact"), st.integers(0, 2)),
        st.tuples(st.just("truncate"), st.just(0)),
        st.tuples(st.just("rewind"), st.integers(1, 4)),
        st.tuples(st.just("undo"), st.just(0)),
        st.tuples(st.just("reopen"), st.just(0)),
    ),
    max_size=14,
)


@given(OPERATIONS)
@settings(deadline=None, max_examples=20)
def test_a_session_opened_again_has_the_messages_of_the_one_that_was_used(operations) -> None:
    with TemporaryDirectory() as folder:
        sessions = sessions_in(Path(folder))
        session = sessions.create(session_id="s_1")
        past: list[list[str]] = []  # the conversation before each change that an undo takes back
        for number, (operation, what) in enumerate(operations):
            before = texts(session)
            try:
                match operation:
                    case "ask":
                        session.add(user(f"ask {number}"))
                        for more in range(what):
                            session.add(agent(f"answer {number} {more}"))
                        past = [before]
                    case "compact":
                        of = session.messages()
                        after = (user(f"summary {number}"), *of[len(of) - min(what, len(of)) :])
                        result = CompactionResult("compacted", "", after, "s", 9, 1, len(of), len(after))
                        session.apply_compaction(result, of=of)
                        past = [before]
                    case "truncate":
                        session.record(
                            events.truncation(
                                limit_tokens=1, tokens_before=9, tokens_after=1, messages_before=9, messages_after=1
                            )
                        )
                    case "rewind":
                        session.rewind(turn=what)
                        past = [before]
                    case "undo":
                        session.undo()
                        assert texts(session) == past[-1]
                        past = [before]
                    case "reopen":
                        session = sessions.open("s_1")
                        assert texts(session) == before
            except (Refused, NotFound):
                assert texts(session) == before
            again = sessions.open("s_1")
            assert again.messages() == session.messages() == replay(session.events())
            assert again.in_effect == session.in_effect
            assert again.workspace.fields()["summary_count"] == len(again.in_effect)


# -- compaction


def test_a_compaction_takes_effect_and_leaves_a_checkpoint(session) -> None:
    talk(session, 3)
    before = session.messages()
    session.record(events.compaction_start(trigger="auto", system_tokens=10, conversation_tokens=900, tool_tokens=90))
    result = CompactionResult(
        "compacted", "", (user("# The login\nDone."), *before[-2:]), "# The login\nDone.", 1000, 200, 6, 3
    )
    reply = Reply(Message("assistant"), Usage(900, 80), request_id="req_1", model="gpt-x")
    done = session.apply_compaction(result, of=before, trigger="auto", reply=reply, seconds=1.5)
    assert texts(session) == ["# The login\nDone.", "ask 3", "answer 3"]
    replacement = done.data.pop("replacement")
    assert len(replacement) == 3
    assert done.data == {
        "success": True,
        "durationMs": 1500,
        "requestId": "req_1",
        "model": "gpt-x",
        "compactionTokensUsed": {"input": 900, "output": 80},
        "trigger": "auto",
        "preCompactionTokens": 1000,
        "postCompactionTokens": 200,
        "tokensRemoved": 800,
        "preCompactionMessagesLength": 6,
        "postCompactionMessagesLength": 3,
        "messagesRemoved": 3,
        "summaryContent": "# The login\nDone.",
        "boundary": 0,
        "keptIndexes": [],
        "note": "",
        "checkpointNumber": 1,
        "checkpointTitle": "The login",
        "checkpointPath": "checkpoints/001-the-login.md",
    }
    text = Path(session.workspace.folder, "checkpoints", "001-the-login.md").read_text()
    assert text.endswith("# The login\n\n# The login\nDone.\n")
    assert session.workspace.fields()["summary_count"] == 1
    index = Path(session.workspace.folder, "checkpoints", "index.md").read_text()
    assert "| 001 |" in index
    assert "[The login](<001-the-login.md>) | 6 → 3 | 1,000 → 200 | in effect |" in index


def test_a_compaction_says_what_its_model_cost(session) -> None:
    talk(session, 2)
    usage = Usage(900, 80, cached_tokens=700, cost_usd=0.004)
    done = session.apply_compaction(
        compacted(session), of=session.messages(), reply=Reply(Message("assistant"), usage, request_id="req_1")
    )
    assert done.data["compactionTokensUsed"] == {"input": 900, "output": 80, "cached": 700}
    assert done.data["compactionCostUsd"] == 0.004


def test_a_real_compaction_replays_exactly(session, tmp_path) -> None:
    session.add(Message("system", (Text("You are careful."),)))
    for number in range(12):
        session.add(user(f"Please fix bug {number} in src/file{number}.py, and never touch the tests. " + "word " * 80))
        session.add(
            Message("assistant", (ToolCall(f"c{number}", "edit", json.dumps({"path": f"src/file{number}.py"})),))
        )
        session.add(Message("tool", (ToolResult(f"c{number}", (Text("done " * 200),)),)))
        session.add(agent("Fixed. " * 40))
    before = session.messages()
    for _ in range(2):
        result = compact(session.messages(), counter=Counter(), window=8_000)
        session.apply_compaction(result, of=session.messages())
        session.add(user("one more thing " + "word " * 900))
        session.add(agent("Done. " * 900))
    assert session.in_effect
    assert "Please fix bug 11" in session.checkpoints()[0].title
    again = sessions_in(tmp_path).open("s_1")
    assert repr(again.messages()) == repr(session.messages())
    session.rewind(to=session.events()[len(before)].event_id)
    assert repr(session.messages()) == repr(before)
    assert session.in_effect == ()


def long_talk(session: OwnSession) -> None:
    session.add(Message("system", (Text("You are careful."),)))
    for number in range(12):
        session.add(user(f"Please fix bug {number} in src/file{number}.py. " + "word " * 80))
        session.add(agent("Fixed. " * 100))


def test_what_the_processor_compacts_and_cuts_takes_effect_in_the_session(session, tmp_path) -> None:
    long_talk(session)
    at_once = Thresholds(background=0.8, exhaustion=0.8)
    processor = CompactionProcessor(counter=Counter(), window=3_000, thresholds=at_once, emit=session.emit)
    for number in range(3):
        request = tuple(processor.process(session.messages()))
        assert repr(session.messages()) == repr(request)
        session.add(user(f"and bug {number}? " + "word " * 600))
        session.add(agent("Fixed. " * 100))
    result = processor.compact_history(session.messages())
    assert repr(session.messages()) == repr(result.messages)
    assert len(session.in_effect) >= 2
    truncator = BasicTruncator(counter=Counter(), limit_tokens=300, emit=session.emit)
    assert len(truncator.process(session.messages())) < len(session.messages())
    assert repr(sessions_in(tmp_path).open("s_1").messages()) == repr(session.messages())
    kinds = {event.kind for event in session.events()}
    assert {"session.compaction_start", "session.truncation", "session.usage_info"} <= kinds


def test_a_compaction_of_other_messages_than_the_sessions_own_takes_no_effect(session) -> None:
    long_talk(session)
    result = compact(session.messages(), counter=Counter(), window=3_000)
    session.rewind(turn=3)
    before = session.messages()
    session.emit(context_events.compaction_complete(result, trigger="threshold"))
    assert session.messages() == before
    assert session.events()[-1].data["success"] is False


def test_messages_that_came_during_a_compaction_stay_behind_it(session) -> None:
    talk(session, 2)
    of = session.messages()
    result = compacted(session)
    session.add(user("meanwhile"))
    session.apply_compaction(result, of=of)
    assert texts(session) == ["What was done.", "answer 2", "meanwhile"]


def test_a_compaction_of_a_conversation_that_was_changed_meanwhile_is_discarded(session) -> None:
    talk(session, 3)
    of, result = session.messages(), compacted(session)
    session.rewind(turn=2)
    done = session.apply_compaction(result, of=of)
    assert done.data["success"] is False
    assert "changed in the meantime" in done.data["error"]["message"]
    assert texts(session) == ["ask 1", "answer 1"]
    assert session.checkpoints() == []


def test_a_failed_compaction_is_an_event_and_changes_nothing(session) -> None:
    talk(session, 1)
    of = session.messages()
    done = session.apply_compaction(CompactionResult("failed", "the model failed", of), of=of)
    assert (done.data["success"], done.data["error"]) == (False, {"message": "the model failed"})
    assert session.messages() == of
    assert session.workspace.fields()["summary_count"] == 0


def test_a_truncation_cuts_a_request_and_never_the_conversation(session) -> None:
    talk(session, 2)
    session.record(
        events.truncation(limit_tokens=100, tokens_before=150, tokens_after=90, messages_before=4, messages_after=2)
    )
    session.record(
        events.usage_info(limit_tokens=100, system_tokens=10, conversation_tokens=70, tool_tokens=10, messages=2)
    )
    assert len(session.messages()) == 4


def test_rewinds_and_compactions_cannot_be_written_past_their_methods(session) -> None:
    with pytest.raises(UsageError):
        session.record(events.rewind("", reason="rewind", messages_before=0, messages_after=0))


# -- rewind and undo


def test_a_rewind_goes_back_to_before_a_turn(session) -> None:
    talk(session, 3)
    done = session.rewind(turn=2)
    assert texts(session) == ["ask 1", "answer 1"]
    assert (done.messages_before, done.messages_after, done.turn) == (6, 2, 1)
    talk(session, 1, first=7)
    assert texts(session) == ["ask 1", "answer 1", "ask 7", "answer 7"]
    session.rewind()
    session.rewind()
    assert texts(session) == []
    with pytest.raises(Refused):
        session.rewind()


def test_a_rewind_before_a_compaction_restores_what_was_there_and_aligns_the_checkpoints(session) -> None:
    talk(session, 2)
    session.apply_compaction(compacted(session), of=session.messages(), title="First")
    talk(session, 1, first=3)
    session.apply_compaction(compacted(session), of=session.messages(), title="Second")
    session.rewind(turn=3)
    assert texts(session) == ["What was done.", "answer 2"]
    assert session.in_effect == (1,)
    session.rewind(turn=2)
    assert texts(session) == ["ask 1", "answer 1"]
    assert session.in_effect == ()
    assert session.workspace.fields()["summary_count"] == 0
    assert [one.title for one in session.checkpoints()] == ["First", "Second"], "the files stay"
    index = Path(session.workspace.folder, "checkpoints", "index.md").read_text()
    assert index.count("| rewound |") == 2
    session.undo()
    assert session.in_effect == (1,)
    session.rewind(turn=1)
    talk(session, 1)
    session.apply_compaction(compacted(session), of=session.messages(), title="Third")
    assert session.in_effect == (3,), "a number is never used twice"


def test_what_was_rewound_can_be_gone_back_to(session) -> None:
    talk(session, 2)
    last = session.events()[-1].event_id
    session.rewind(turn=1)
    session.add(user("another way"))
    session.rewind(to=last)
    assert texts(session) == ["ask 1", "answer 1", "ask 2", "answer 2"]


def test_an_undo_takes_back_a_turn_a_compaction_or_a_rewind_and_itself(session) -> None:
    with pytest.raises(Refused):
        session.undo()
    talk(session, 2)
    session.undo()
    assert texts(session) == ["ask 1", "answer 1"]
    session.undo()
    assert texts(session) == ["ask 1", "answer 1", "ask 2", "answer 2"]
    session.apply_compaction(compacted(session), of=session.messages())
    session.undo()
    assert len(session.messages()) == 4
    assert session.in_effect == ()


def test_a_rewind_to_where_the_conversation_is_changes_nothing(session) -> None:
    talk(session, 1)
    size = len(session.events())
    with pytest.raises(Refused, match="already"):
        session.rewind(to=session.events()[-1].event_id)
    with pytest.raises(NotFound, match="turn 9"):
        session.rewind(turn=9)
    with pytest.raises(NotFound):
        session.rewind(to="v_zzz")
    with pytest.raises(Ambiguous):
        session.rewind(to="v_")
    with pytest.raises(UsageError):
        session.rewind(turn=1, to="v_")
    assert len(session.events()) == size


# -- observing


def test_events_are_told_to_whoever_asked_for_their_kind(session) -> None:
    everything: list[str] = []
    tools: list[str] = []
    session.subscribe(lambda event: everything.append(event.kind))
    end = session.subscribe(lambda event: tools.append(event.kind), ["tool.*", "session.error"])
    call = ToolCall("c1", "bash", "{}")
    session.add(Message("assistant", (call,)))
    session.record(events.tool_start(call))
    session.add(Message("tool", (ToolResult("c1", (Text("ok"),)),)))
    session.record(events.error("provider", "overloaded", status_code=529))
    end()
    session.record(events.error("provider", "again"))
    assert tools == ["tool.execution_start", "tool.execution_complete", "session.error"]
    assert everything == ["assistant.message", *tools, "session.error"]
    with pytest.raises(UsageError):
        session.subscribe(print, "tool.*")


def test_an_observer_sees_an_event_only_once_it_is_written(session, tmp_path) -> None:
    seen: list[list[str]] = []
    session.subscribe(lambda _: seen.append(texts(sessions_in(tmp_path).open("s_1"))))
    session.add(user("one"))
    assert seen == [["one"]]


def test_an_observer_that_fails_loses_no_event_and_keeps_nobody_from_hearing(session) -> None:
    heard: list[str] = []

    def fail(event: Event) -> None:
        raise RuntimeError(event.kind)

    session.subscribe(fail, ["user.message"])
    session.subscribe(lambda event: heard.append(event.kind))
    with pytest.raises(RuntimeError):
        session.add(user("one"))
    session.add(agent("two"))
    assert heard == ["user.message", "assistant.message"]
    assert texts(session) == ["one", "two"]


def test_an_event_that_an_observer_causes_comes_after_the_one_it_was_told_of(session) -> None:
    heard: list[str] = []
    session.subscribe(lambda _: session.record(events.title_changed("Named")), ["user.message"])
    session.subscribe(lambda event: heard.append(event.kind))
    session.add(user("one"))
    assert heard == ["user.message", "session.title_changed"]


def test_a_failing_observer_does_not_hold_back_what_waits() -> None:
    observers, heard = Observers(), []

    def fail(event: Event) -> None:
        heard.append(event.event_id)
        raise RuntimeError(event.event_id)

    observers.subscribe(fail)
    with pytest.raises(RuntimeError):
        observers.tell([Event("v_1", "x", {}, 1.0), Event("v_2", "x", {}, 2.0)])
    assert heard == ["v_1", "v_2"]


# -- telling


def test_the_timeline_shows_compactions_cuts_and_rewinds_as_entries(session) -> None:
    talk(session, 2)
    session.apply_compaction(compacted(session), of=session.messages())
    session.apply_compaction(CompactionResult("failed", "the model failed", ()), of=())
    session.record(
        events.truncation(limit_tokens=9, tokens_before=9, tokens_after=1, messages_before=4, messages_after=2)
    )
    session.record(events.model_change("big", "small"))
    session.rewind(turn=2)
    session.record(events.shutdown())
    rows = [(row.turn, row.what, row.text) for row in timeline(session.events())]
    assert rows == [
        (0, "started", "/w/app"),
        (1, "asked", "ask 1"),
        (1, "answered", "answer 1"),
        (2, "asked", "ask 2"),
        (2, "answered", "answer 2"),
        (2, "compacted", "Conversation compacted: 4 messages to 2, 1,000 tokens to 100, checkpoint 1"),
        (2, "error", "Compaction failed: the model failed"),
        (2, "truncated", "A request was cut by 2 messages"),
        (2, "model", "small"),
        (1, "rewound", "Rewound: 2 messages to 2"),
        (1, "ended", "routine"),
    ]


def test_a_session_is_shown_turn_by_turn_with_its_compactions(session, tmp_path) -> None:
    session.add(user("fix it"))
    session.add(Message("assistant", (Text("Looking."), ToolCall("c1", "bash", '{"command": "make test"}'))))
    session.add(Message("tool", (ToolResult("c1", (Text("1 failed"),), is_error=True),)))
    session.add(agent("It fails."))
    session.apply_compaction(compacted(session), of=session.messages())
    session.add(user("and now?"))
    session.add(user("rewound away"))
    session.rewind()
    shown = sessions_in(tmp_path).show("s_1")
    assert [(turn.number, turn.user, turn.compactions) for turn in shown.turns] == [
        (1, "fix it", ("What was done.",)),
        (2, "and now?", ()),
    ]
    tool = shown.turns[0].tools[0]
    assert (tool.kind, tool.target, tool.ok, tool.output) == ("command", "make test", False, "1 failed")
    assert shown.session.repository == "github.com/owner/app"


# -- OpenTelemetry


def test_events_become_spans_and_metrics(session) -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, numbers = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider()
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    session.subscribe(telemetry("s_1", tracer_provider=tracers, meter_provider=MeterProvider(metric_readers=[numbers])))
    session.add(user("a secret plan"))
    call = ToolCall("c1", "bash", "{}")
    session.add(Message("assistant", (call,)), inputTokens=50, outputTokens=7)
    session.record(events.tool_start(call))
    session.add(Message("tool", (ToolResult("c1", (), is_error=True),)))
    session.record(events.compaction_start(trigger="auto", conversation_tokens=900))
    session.apply_compaction(
        compacted(session),
        of=session.messages(),
        trigger="auto",
        reply=Reply(Message("assistant"), Usage(40, 4), request_id="req", model="m"),
    )
    session.record(
        events.usage_info(limit_tokens=200, system_tokens=20, conversation_tokens=60, tool_tokens=20, messages=2)
    )
    session.record(events.shutdown())
    done = {span.name: span for span in spans.get_finished_spans()}
    assert list(done) == ["execute_tool bash", "conversation-compaction", "turn", "session"]
    assert done["execute_tool bash"].parent.span_id == done["turn"].context.span_id  # type: ignore[union-attr]
    assert not done["execute_tool bash"].status.is_ok
    about = dict(done["conversation-compaction"].attributes or {})
    assert about["recollect.tokens.removed"] == 900
    assert about["recollect.checkpoint.number"] == 1
    assert about["recollect.trigger"] == "auto"
    assert about["gen_ai.conversation.id"] == "s_1"
    data = numbers.get_metrics_data()
    assert data is not None
    text = data.to_json()
    for name in (
        "recollect.session.events",
        "recollect.session.compactions",
        "recollect.compaction.tokens_removed",
        "recollect.context.utilization",
        "gen_ai.client.token.usage",
    ):
        assert name in text
    assert "a secret plan" not in text + "".join(span.to_json() for span in done.values())


def test_without_the_extra_telemetry_does_nothing(session, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    session.subscribe(telemetry("s_1"))
    session.add(user("one"))
    assert texts(session) == ["one"]


# -- the command line


@pytest.fixture
def chat(cli: Run, tmp_path: Path) -> OwnSession:
    """A session with a checkpoint in the home of the command line."""
    session = sessions_in(tmp_path / "home" / "sessions").create(session_id="s_01chat", title="Chat")
    talk(session, 2)
    session.apply_compaction(compacted(session, "What we did."), of=session.messages(), title="First steps")
    talk(session, 1, first=3)
    return session


def test_checkpoints_are_listed_and_printed(cli, chat) -> None:
    [one] = cli("session", "checkpoints", "s_01", "--json").json
    assert one["path"].endswith("/sessions/s_01chat/checkpoints/001-first-steps.md")
    assert {
        name: one[name] for name in ("number", "title", "in_effect", "summary", "tokens_before", "tokens_after")
    } == {
        "number": 1,
        "title": "First steps",
        "in_effect": True,
        "summary": "What we did.",
        "tokens_before": 1000,
        "tokens_after": 100,
    }
    assert "First steps" in cli("session", "checkpoints", "s_01chat").out
    assert "What we did." in cli("session", "checkpoints", "s_01chat", "--number", "1").out
    assert cli("session", "checkpoints", "s_01chat", "--number", "2").code == 1


def test_a_session_without_checkpoints_says_when_they_are_made(cli, tmp_path) -> None:
    sessions_in(tmp_path / "home" / "sessions").create(session_id="s_02")
    done = cli("session", "checkpoints", "s_02")
    assert (done.code, done.out) == (0, "")
    assert done.err == "No checkpoints yet: one is made each time the conversation is compacted.\n"
    assert cli("session", "checkpoints", "s_02", "--json").json == []


def test_a_replay_prints_the_conversation_now_or_as_it_was(cli, chat) -> None:
    said = cli("session", "replay", "s_01chat").out
    assert said.splitlines() == ["you: What we did.", "agent: answer 2", "you: ask 3", "agent: answer 3"]
    before = cli("session", "replay", "s_01chat", "--turn", "2").out
    assert before.splitlines() == ["you: ask 1", "agent: answer 1"]
    document = cli("session", "replay", "s_01chat", "--shape", "openai", "--json").json
    assert document["messages"][-1] == {"role": "assistant", "content": "answer 3"}
    assert (document["turns"], document["checkpoints"]) == (3, [1])
    neutral = cli("session", "replay", "s_01chat", "--json").json["messages"]
    assert neutral[0] == {"role": "user", "parts": [{"part": "text", "text": "What we did."}]}
    assert cli("session", "replay", "s_01chat", "--shape", "openai").code == 2


def test_a_rewind_says_what_is_left_and_how_to_take_it_back(cli, chat) -> None:
    done = cli("session", "rewind", "s_01chat", "--turn", "2")
    assert done.out == "The conversation now has 1 turn and 2 messages; it had 4 messages before.\n"
    assert done.err == "Undo with `recollect session rewind s_01chat --undo`.\n"
    assert "(rewound)" in cli("session", "checkpoints", "s_01chat").out
    again = cli("session", "rewind", "s_01chat", "--undo", "--json").json
    assert (again["messages_after"], again["turns"], again["checkpoints"]) == (4, 3, [1])
    assert cli("session", "rewind", "s_01chat", "--undo", "--turn", "1").code == 2


def test_our_own_sessions_are_listed_shown_and_told_like_any_other(cli, chat) -> None:
    [row] = cli("session", "list", "--json").json
    assert (row["id"], row["host"], row["title"], row["turn_count"]) == ("s_01chat", "recollect", "Chat", 3)
    shown = cli("session", "show", "s_01chat", "--json").json
    assert [turn["user"] for turn in shown["turns"]] == ["ask 1", "ask 2", "ask 3"]
    assert shown["turns"][1]["compactions"] == ["What we did."]
    rows = cli("session", "timeline", "s_01chat", "--json").json
    [compaction] = [row for row in rows if row["what"] == "compacted"]
    assert compaction["text"].startswith("Conversation compacted: 4 messages to 2")
    assert "Conversation compacted" in cli("session", "timeline", "s_01chat").out


def test_a_session_of_a_host_shows_its_compactions_but_is_not_rewound_here(cli, tmp_path) -> None:
    with Recollect.open(str(tmp_path / "home"), environ={"HOME": str(tmp_path)}) as memory, memory.opened.store.write():
        session_id = memory.opened.store.sessions.save(Session("s_09host", "codex", "native", started=1.0))
        memory.opened.store.sessions.add_turns(
            session_id, [Turn(1, "fix", compactions=("What Codex did.",), record_id="u")], [""]
        )
    [one] = cli("session", "checkpoints", "s_09host", "--json").json
    assert (one["number"], one["summary"], one["path"]) == (1, "What Codex did.", "")
    for words in (["replay"], ["rewind", "--turn", "1"]):
        done = cli("session", words[0], "s_09host", *words[1:])
        assert done.code == 1
        assert "kept by its host, codex" in done.err
    assert cli("session", "replay", "s_nobody").code == 1


def test_a_beginning_that_fits_two_sessions_is_not_guessed(cli, chat, tmp_path) -> None:
    with Recollect.open(str(tmp_path / "home"), environ={"HOME": str(tmp_path)}) as memory, memory.opened.store.write():
        memory.opened.store.sessions.save(Session("s_01other", "codex", "native", started=1.0))
    done = cli("session", "timeline", "s_01")
    assert done.code == 1
    assert "give more characters" in done.err
    assert cli("session", "timeline", "s_01chat").code == 0


def test_what_a_compaction_finds_the_user_said_for_good_waits_for_a_person(memory) -> None:
    session = memory.own_sessions.create()
    session.add(Message("user", (Text("We use pnpm in this repository, never npm."),)))
    for number in range(12):
        session.add(Message("assistant", (Text(f"Part {number} is changed. " * 120),)))
        session.add(Message("user", (Text(f"Please change part {number + 1} of the importer."),)))
    messages = session.messages()
    result = compact(messages, counter=Counter(), window=2_000)
    assert result.compacted
    session.apply_compaction(result, of=messages)
    assert any("pnpm" in candidate.what for candidate in memory.pending.waiting())
    assert memory.entries.list(everywhere=True) == []
