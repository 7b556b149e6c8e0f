"""Summaries by a model: what it is asked, what is believed, and what happens when it fails."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from recollect.context import CompactionResult, Counter, ModelSummariser, compact
from recollect.context.model_summary import validated
from recollect.errors import ProviderError, ReplyInvalid
from recollect.model.messages import Message
from recollect.ports import Prompt, Provider, Usage
from recollect.providers.rules import RulesProvider
from recollect.providers.scripted import GOOD_SUMMARY, NONSENSE, Scripted, ScriptedProvider
from recollect.text.tokens import estimate_tokens
from tests.histories import assistant, long_session, system, user


def squeeze(messages: Sequence[Message], provider: Provider, **more: Any) -> CompactionResult:
    return compact(messages, counter=Counter(), window=8_000, summarise=ModelSummariser(provider), **more)


def test_a_models_summary_stands_beside_what_rules_found() -> None:
    outcome = squeeze(long_session(), ScriptedProvider([GOOD_SUMMARY.replace("none", "pool chosen", 1)]))
    assert outcome.compacted
    assert not outcome.model_error
    assert "pool chosen" in outcome.summary
    assert "src/app/module_30.py" in outcome.summary


def test_the_request_carries_its_interaction_type_and_the_system_context_apart() -> None:
    provider = ScriptedProvider()
    messages = [system("Secret rule 17."), *long_session()[1:]]
    squeeze(messages, provider)
    prompt = provider.prompts[0]
    assert "conversation-compaction" in prompt.headers.values()
    assert "Secret rule 17." in prompt.system
    assert "Secret rule 17." not in prompt.messages[0].text
    assert prompt.max_output_tokens < 8_000


def too_long(prompt: Prompt) -> str:
    """A summary with all its sections that is far larger than it may be."""
    return GOOD_SUMMARY + "\n" + "and so on " * (prompt.max_output_tokens * 4)


@pytest.mark.parametrize("answer", ["", "   ", NONSENSE, too_long, ProviderError("down"), "<think>hm</think>"])
@pytest.mark.parametrize("fallback", [True, False])
def test_a_bad_answer_is_never_used(answer, fallback) -> None:
    messages = long_session()
    outcome = squeeze(messages, ScriptedProvider([answer]), fallback=fallback)
    if fallback:
        assert outcome.compacted
        assert outcome.model_error
        assert "<summary>" not in outcome.summary
    else:
        assert outcome.status == "failed"
        assert list(outcome.messages) == messages


def test_without_a_model_rules_do_the_work() -> None:
    outcome = squeeze(long_session(), RulesProvider())
    assert outcome.compacted
    assert "No model is configured" in outcome.model_error


def test_the_summarisers_input_is_bounded_by_its_own_window() -> None:
    provider = ScriptedProvider(window_tokens=6_000)
    messages = [*long_session(120), assistant("x " * 60_000), user("on")]
    assert squeeze(messages, provider).compacted
    assert 1 < len(provider.prompts) <= 13
    for prompt in provider.prompts:
        asked = estimate_tokens(prompt.system) + sum(estimate_tokens(message.text) for message in prompt.messages)
        assert asked + prompt.max_output_tokens <= provider.window_tokens


def test_each_piece_is_given_the_summary_so_far() -> None:
    provider = ScriptedProvider([GOOD_SUMMARY.replace("none", "piece one")], window_tokens=6_000)
    squeeze(long_session(120), provider)
    assert "piece one" not in provider.prompts[0].messages[0].text
    assert "piece one" in provider.prompts[1].messages[0].text


def test_the_next_compaction_gives_the_model_the_summary_before() -> None:
    first = squeeze(long_session(), ScriptedProvider([GOOD_SUMMARY.replace("none", "the port is 7443", 1)]))
    provider = ScriptedProvider()
    squeeze([*first.messages, *long_session()[1:]], provider)
    assert "the port is 7443" in provider.prompts[0].messages[0].text


def test_a_cancelled_summary_stops_between_pieces() -> None:
    provider = ScriptedProvider(window_tokens=6_000)
    outcome = squeeze(long_session(120), provider, cancelled=lambda: len(provider.prompts) >= 2)
    assert len(provider.prompts) == 2
    assert "cancelled" in outcome.model_error


def test_a_summary_in_a_fence_or_behind_thoughts_is_accepted() -> None:
    wrapped = f"<thinking>hm</thinking>\n```markdown\n{GOOD_SUMMARY}\n```"
    assert validated(wrapped, limit_tokens=500, source_tokens=5_000) == GOOD_SUMMARY


def test_a_summary_larger_than_its_source_is_refused() -> None:
    with pytest.raises(ReplyInvalid, match="not smaller"):
        validated(GOOD_SUMMARY + " more" * 300, limit_tokens=5_000, source_tokens=100)


def test_a_cancelled_summary_does_not_wait_for_its_model() -> None:
    provider = ScriptedProvider()
    provider.hold()
    began = time.monotonic()
    outcome = squeeze(long_session(), provider, cancelled=provider.entered.is_set)
    assert time.monotonic() - began < 10
    assert len(provider.prompts) == 1
    assert "cancelled" in outcome.model_error


def test_a_summary_whose_stream_breaks_is_never_used() -> None:
    half = Scripted((GOOD_SUMMARY[:60], ProviderError("The connection was lost.")))
    outcome = squeeze(long_session(), ScriptedProvider([half]))
    assert outcome.compacted
    assert outcome.model_error == "The connection was lost."
    assert "Finish what the user asked for" not in outcome.summary


def test_what_the_summaries_cost_is_summed() -> None:
    usage = Usage(100, 10, cached_tokens=50, cost_usd=0.25)
    summarise = ModelSummariser(ScriptedProvider([Scripted((GOOD_SUMMARY,), usage=usage)], window_tokens=6_000))
    assert summarise.usage["costUsd"] is None
    compact(long_session(120), counter=Counter(), window=8_000, summarise=summarise)
    pieces = len(summarise.replies)
    assert pieces > 1
    assert summarise.usage == {
        "inputTokens": 100 * pieces,
        "outputTokens": 10 * pieces,
        "cachedTokens": 50 * pieces,
        "costUsd": 0.25 * pieces,
        "requestId": f"req-{pieces}",
        "model": "scripted",
    }
