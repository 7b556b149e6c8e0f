"""Truncation: what is left out of a request that does not fit, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.context import BasicTruncator, Counter
from recollect.context.events import Event
from recollect.context.limit_errors import is_context_limit, reported_limit
from recollect.context.requests import is_request, is_system
from recollect.errors import ContextTooLong
from tests.histories import (
    assistant,
    call,
    histories,
    is_whole,
    long_session,
    ran,
    real_sessions,
    result,
    said,
    system,
    user,
)


def truncator(limit: int, **more) -> BasicTruncator:
    return BasicTruncator(counter=Counter(), limit_tokens=limit, **more)


def test_what_fits_goes_out_as_it_is_and_only_the_usage_is_told() -> None:
    heard: list[Event] = []
    messages = long_session(3)
    cut = truncator(100_000, emit=heard.append).truncate(messages)
    assert list(cut.messages) == messages
    assert [event.type for event in heard] == ["session.usage_info"]
    assert heard[0].data["isInitial"]
    assert heard[0].data["currentTokens"] == Counter().count(messages).total


def test_orphans_are_removed_even_when_everything_fits() -> None:
    heard: list[Event] = []
    messages = [system(), user("go"), result("nobody", "x"), assistant("ok")]
    cut = truncator(100_000, emit=heard.append).truncate(messages)
    assert is_whole(cut.messages)
    assert len(cut.messages) == 3
    assert heard[0].data["messagesRemovedDuringTruncation"] == 1


def test_older_work_goes_before_older_turns() -> None:
    messages = long_session(20)
    cut = truncator(4_000).truncate(messages)
    assert cut.fits
    assert all(message in cut.messages for message in messages if is_request(message))
    assert not any("module_0.py" in said([message]) for message in cut.messages if message.role == "assistant")


def test_older_turns_go_when_older_work_was_not_enough_and_the_last_prompt_stays() -> None:
    messages = [system(), *(user(f"turn {n} " + "x " * 400) for n in range(20)), user("the last prompt")]
    cut = truncator(1_500).truncate(messages)
    assert cut.fits
    assert cut.messages[0] == messages[0]
    assert cut.messages[-1] == messages[-1]
    assert messages[1] not in cut.messages


def test_a_cut_leaves_headroom_below_the_limit() -> None:
    one = truncator(4_000)
    assert one.truncate(long_session(20)).tokens.total <= one.effective_limit_tokens * 0.9


def test_an_oversized_result_is_clipped_in_the_middle_and_says_where_the_whole_is() -> None:
    output = "first line\n" + "noise " * 20_000 + "\nlast line"
    messages = [system(), user("go"), *ran(1, "make", output)]
    cut = truncator(6_000, stored=lambda one: f"results/{one.call_id}.txt").truncate(messages)
    assert cut.fits
    assert cut.clipped == 1
    text = said(cut.messages)
    assert "first line" in text
    assert "last line" in text
    assert "the whole is in results/c1.txt" in text


def test_many_large_results_of_one_turn_are_clipped_until_they_fit() -> None:
    calls = [call(f"p{n}", "bash", command="ls") for n in range(1)]
    messages = [system(), user("go"), *calls, result("p0", "x " * 30_000)]
    messages += [m for n in range(30) for m in ran(n, "cat", "y " * 600)]
    cut = truncator(3_000).truncate(messages)
    assert cut.fits
    assert is_whole(cut.messages)
    assert user("go") in cut.messages


def test_the_log_is_left_alone() -> None:
    messages = long_session(20)
    before = list(messages)
    heard: list[Event] = []
    truncator(3_000, emit=heard.append).truncate(messages)
    assert messages == before
    told = next(event.data for event in heard if event.type == "session.truncation")
    assert told["performedBy"] == "BasicTruncator"
    assert told["preTruncationMessagesLength"] == len(messages)
    assert told["tokensRemovedDuringTruncation"] > 0


def test_tools_count_towards_the_limit() -> None:
    messages = long_session(10)
    room = Counter().count(messages).total + 500
    assert truncator(room).truncate(messages).removed == 0
    tools = [{"name": "t", "description": "words " * 3_000}]
    assert truncator(room).truncate(messages, tools).removed > 0


def test_a_reported_limit_lowers_the_limit_and_other_refusals_widen_the_buffer_up_to_a_maximum() -> None:
    one = truncator(200_000)
    assert one.on_error("prompt is too long: 190000 tokens > 180000 maximum")
    assert one.limit_tokens == 180_000
    before = one.effective_limit_tokens
    refusals = 0
    while one.on_error({"status": 413, "message": "request_too_large"}):
        refusals += 1
    assert 2 <= refusals < 10
    assert one.effective_limit_tokens < before
    assert one.effective_limit_tokens >= 0.55 * one.limit_tokens
    assert not one.on_error("overloaded")


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
            128_000,
        ),
        ("prompt is too long: 210003 tokens > 200000 maximum", 200_000),
        ("input length and `max_tokens` exceed context limit: 195000 + 20000 > 200000, decrease input length", 200_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
        ("prompt token count of 130000 exceeds the limit of 128000", 128_000),
        ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072),
        ("Prompt contains 40,000 tokens, too large for model with 32,768 maximum context length", 32_768),
        ("the request exceeds the available context size (4096 tokens)", 4_096),
        ("too many tokens: total number of tokens in the prompt cannot exceed 4081", 4_081),
        ("Input is too long for requested model.", 0),
        ("Your input exceeds the context window of this model. Please adjust your input and try again.", 0),
        ("error code: context_length_exceeded", 0),
        ("Please reduce the length of the messages or completion.", 0),
    ],
)
def test_refusals_of_the_common_providers_are_recognised(text: str, limit: int) -> None:
    assert is_context_limit(text)
    assert reported_limit(text) == limit


@pytest.mark.parametrize(
    "error",
    [
        "Rate limit reached for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000. Request too large.",
        {"status": 429, "message": "prompt is too long"},
        "invalid api key",
        {"status": 500},
        "max_tokens must be at least 1",
    ],
)
def test_other_errors_are_not_taken_for_a_full_window(error) -> None:
    assert not is_context_limit(error)


def test_a_status_of_413_and_our_own_error_are_recognised() -> None:
    class Refusal(Exception):
        status_code = 413

    assert is_context_limit(Refusal("no"))
    assert is_context_limit(ContextTooLong(limit_tokens=9_000))
    assert reported_limit(ContextTooLong(limit_tokens=9_000)) == 9_000


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(), st.sampled_from([300, 2_000, 10_000]))
def test_truncation_keeps_pairs_system_messages_and_the_last_prompt(history, limit) -> None:
    cut = truncator(limit).truncate(history)
    assert is_whole(cut.messages)
    assert [m for m in cut.messages if is_system(m)] == [m for m in history if is_system(m)]
    requests = [m for m in history if is_request(m)]
    if requests:
        parts = [part for message in cut.messages for part in message.parts]
        assert all(part in parts for part in requests[-1].parts if type(part).__name__ in ("Text", "Media"))
    assert cut.tokens.total <= Counter().count(history).total
    assert cut.fits == (cut.tokens.total <= limit)


def test_real_sessions_fit_after_truncation() -> None:
    for _, messages in real_sessions():
        cut = truncator(24_000).truncate(messages)
        assert cut.fits
        assert is_whole(cut.messages)
