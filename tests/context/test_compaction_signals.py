"""What providers say about their own compaction, and the order of what happens to a request."""

from __future__ import annotations

import pytest

from recollect.context import BasicTruncator, CompactionProcessor, Counter, RequestPipeline
from recollect.context.events import Event
from recollect.context.pipeline import Function
from recollect.context.signals import SignalLog, signals_in
from recollect.errors import UsageError
from recollect.model.messages import Message, Other
from tests.histories import long_session, system, user

BLOCK = {"type": "compaction", "content": "The user builds a parser."}
REPLY = {"content": [BLOCK, {"type": "text", "text": "ok"}]}
EDITS = {"context_management": {"applied_edits": [{"type": "clear_tool_uses_20250919", "cleared_input_tokens": 900}]}}
CONTROL = {"context_management": {"edits": [{"type": "compact_20260112"}]}}
SDK_CONTROL = {"compactionControl": {"enabled": True, "contextTokenThreshold": 1000}}
OPENAI = {"output": [{"id": "cmp_1", "type": "compaction", "encrypted_content": "xyz"}]}
DELTA = {"type": "content_block_delta", "delta": {"type": "compaction_delta", "content": "half"}}
REMOTE = {"type": "agent.thread_context_compacted", "event_id": "e7", "tokens_removed": 50}


@pytest.mark.parametrize(
    ("value", "kind", "tokens"),
    [
        (REPLY, "block", 0),
        (EDITS, "edit", 900),
        (CONTROL, "control", 0),
        (SDK_CONTROL, "control", 0),
        (OPENAI, "block", 0),
        (DELTA, "delta", 0),
        (REMOTE, "remote", 50),
    ],
)
def test_every_providers_signal_is_understood(value, kind: str, tokens: int) -> None:
    (signal,) = signals_in(value)
    assert (signal.kind, signal.tokens) == (kind, tokens)


def test_a_readable_summary_of_a_provider_is_kept() -> None:
    (signal,) = signals_in(REPLY)
    assert signal.text == "The user builds a parser."


def test_a_signal_is_recorded_once_however_often_it_is_seen() -> None:
    heard: list[Event] = []
    log = SignalLog(heard.append)
    assert log.hear(REPLY)
    assert not log.hear(REPLY)
    assert not log.hear_messages([Message("assistant", (Other(BLOCK),))])
    assert [event.type for event in heard] == ["session.provider_compaction"]
    assert log.provider_compacts


def test_ordinary_replies_are_no_signals() -> None:
    assert not list(signals_in({"content": [{"type": "text", "text": "compaction"}], "context_management": None}))
    assert not list(signals_in({"context_management": {"edits": [{"type": "clear_tool_uses_20250919"}]}}))


def test_a_request_passes_its_steps_in_order_whatever_order_they_were_given_in() -> None:
    counter = Counter()
    late = Function(lambda messages: [*messages, user("late")])
    early = Function(lambda messages: [system("attached"), *messages])
    pipeline = RequestPipeline(
        late_content=late,
        truncation=BasicTruncator(counter=counter, limit_tokens=6_000),
        compaction=CompactionProcessor(counter=counter, window=6_000),
        attachments=early,
    )
    assert pipeline.names == ("attachments", "compaction", "truncation", "late_content")
    sent = pipeline.process(long_session())
    assert sent[0] == system("attached")
    assert sent[-1] == user("late")
    assert counter.count(sent).total < 6_000


def test_a_step_can_be_replaced_taken_out_and_not_invented() -> None:
    pipeline = RequestPipeline(truncation=BasicTruncator(counter=Counter(), limit_tokens=100))
    pipeline.replace("truncation", Function(lambda messages: messages[:1]))
    assert pipeline.process([user("a"), user("b")]) == [user("a")]
    pipeline.replace("truncation", None)
    assert pipeline.names == ()
    with pytest.raises(UsageError, match="no step 'magic'"):
        pipeline.replace("magic", None)


def test_a_refusal_teaches_every_step_and_the_retry_is_smaller() -> None:
    counter = Counter()
    messages = long_session()
    room = counter.count(messages).total * 2
    pipeline = RequestPipeline(
        compaction=CompactionProcessor(counter=counter, window=room),
        truncation=BasicTruncator(counter=counter, limit_tokens=room),
    )
    assert len(pipeline.process(messages)) == len(messages)
    assert pipeline.on_error("This model's maximum context length is 9000 tokens")
    assert counter.count(pipeline.process(messages)).total < 9_000
    pipeline.on_success()
    assert not pipeline.on_error("invalid api key")
