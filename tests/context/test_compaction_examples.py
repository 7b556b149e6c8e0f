"""The examples in `examples/` run, and compacted messages are what the providers take."""

from __future__ import annotations

from typing import Any

import pytest

from examples import anthropic_loop, openai_loop
from recollect.context import Counter, compact
from recollect.context.shapes import parse, render
from tests.histories import is_whole, long_session, real_sessions


def test_the_openai_loop_survives_a_refusal_and_stays_inside_its_window() -> None:
    history: list[dict[str, Any]] = render(long_session(), "openai_chat")
    sent: list[list[dict[str, Any]]] = []

    def send(messages: list[dict[str, Any]]) -> dict[str, Any]:
        sent.append(messages)
        if len(sent) == 1:
            raise ValueError("This model's maximum context length is 9000 tokens")
        return {"role": "assistant", "content": "ok"}

    after = openai_loop.ask(history, send, openai_loop.pipeline(1_000_000))
    assert after[-1]["content"] == "ok"
    assert len(sent) == 2
    assert Counter().count(parse(sent[1], "openai_chat")).total < 9_000


def test_the_anthropic_loop_goes_on_with_what_was_compacted() -> None:
    history: list[dict[str, Any]] = render(long_session()[1:], "anthropic")
    after = anthropic_loop.ask(
        history, lambda messages: {"content": [{"type": "text", "text": "ok"}]}, Counter(), 8_000
    )
    assert len(after) < len(history)
    assert "Answer in one sentence." in str(after[0])


@pytest.mark.parametrize("shape", ["openai_chat", "openai_responses", "anthropic"])
def test_what_was_compacted_can_be_sent_in_every_shape(shape: str) -> None:
    for messages in [long_session(), *(messages for _, messages in real_sessions())]:
        outcome = compact(messages, counter=Counter(), window=8_000)
        again = parse(render(outcome.messages, shape), shape)
        assert is_whole(again)
        if outcome.compacted:
            assert compact(again, counter=Counter(), window=8_000).status == "unchanged"
