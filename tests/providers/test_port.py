"""What every provider promises: a whole answer or an error, soon, in the form that was asked for, with what it took."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from recollect.errors import ProviderError, ReplyInvalid, RequestCancelled, RequestTimedOut, UsageError
from recollect.model.messages import Media, Message, Text, ToolCall
from recollect.ports import OfferedTool, Prompt, Provider, Reply, Usage
from recollect.providers.rules import RulesProvider
from recollect.providers.sampling import Sampled, SamplingProvider
from recollect.providers.scripted import Scripted, ScriptedProvider

FACT = {
    "type": "object",
    "properties": {"fact": {"type": "string"}, "sure": {"type": "number", "maximum": 1}},
    "required": ["fact"],
    "additionalProperties": False,
}
READ = OfferedTool("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
SOON_SECONDS = 10.0  # a busy machine; without the promise these would wait for half a minute


def prompt(**more: Any) -> Prompt:
    return Prompt("default", "Be short.", [Message("user", (Text("What do you know?"),))], **more)


def scripted(text: str) -> Provider:
    return ScriptedProvider([text])


def sampling(text: str) -> Provider:
    return SamplingProvider(lambda asked: Sampled(text, "theirs"))


def slow_scripted() -> Provider:
    provider = ScriptedProvider()
    provider.hold()
    return provider


def slow_sampling() -> Provider:
    def sample(asked):
        never = threading.Event()
        asked.patience.wait(never, 30)
        return Sampled("too late")

    return SamplingProvider(sample)


ANSWERING = pytest.mark.parametrize("saying", [scripted, sampling])
SLOW = pytest.mark.parametrize("slow", [slow_scripted, slow_sampling])


# -- an answer in a form


@ANSWERING
@pytest.mark.parametrize("around", ["%s", " %s\n", "```json\n%s\n```", "<think>Hm.</think>\n%s"])
def test_an_answer_that_fits_its_schema_arrives_as_a_value(saying: Callable[[str], Provider], around: str) -> None:
    reply = saying(around % '{"fact": "pnpm", "sure": 0.5}').complete(prompt(schema=FACT))
    assert reply.value == {"fact": "pnpm", "sure": 0.5}


def test_what_looks_like_thoughts_inside_of_json_stays() -> None:
    fact = {"fact": "Models write <think>hm</think> first."}
    assert ScriptedProvider([fact]).complete(prompt(schema=FACT)).value == fact


@ANSWERING
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I know nothing.", "not valid JSON"),
        ('{"fact": "pnpm", "sure":', "not valid JSON"),
        ('{"fact": NaN}', "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"fact": 7}', r"does not fit its schema at \$\.fact"),
        ('{"sure": 1}', "'fact' is a required property"),
        ('{"fact": "x", "sure": 2}', "greater than the maximum"),
        ('{"fact": "x", "and": "more"}', "Additional properties"),
        ("   ", "empty"),
    ],
)
def test_an_answer_that_does_not_fit_its_schema_is_invalid(
    saying: Callable[[str], Provider], text: str, problem: str
) -> None:
    with pytest.raises(ReplyInvalid, match=problem):
        saying(text).complete(prompt(schema=FACT))


@ANSWERING
def test_a_schema_that_is_wrong_is_noticed_before_the_model_is_asked(saying: Callable[[str], Provider]) -> None:
    pieces: list[str] = []
    with pytest.raises(UsageError, match="schema for an answer is not valid"):
        saying("{}").complete(prompt(schema={"type": "thing"}), pieces.append)
    assert pieces == []


def test_a_schema_is_never_fetched_from_the_network() -> None:
    with pytest.raises(UsageError, match="outside itself"):
        scripted("{}").complete(prompt(schema={"$ref": "http://localhost:9/schema.json"}))


def test_where_the_protocol_has_no_schema_it_is_asked_for_in_words() -> None:
    asked = []

    def sample(one):
        asked.append(one)
        return Sampled('{"fact": "pnpm"}')

    SamplingProvider(sample).complete(prompt(schema=FACT))
    assert asked[0].system.startswith("Be short.\n\nAnswer with one JSON value")
    assert '"required": ["fact"]' in asked[0].system


# -- tools


def test_a_tool_call_comes_back_in_the_reply() -> None:
    call = ToolCall("c1", "read", '{"path": "a.py"}')
    provider = ScriptedProvider([Scripted(("I look.",), (call,)), Scripted((), (call,))])
    reply = provider.complete(prompt(tools=[READ], schema=FACT))
    assert (reply.text, reply.calls, reply.value) == ("I look.", (call,), None)
    assert reply.message.role == "assistant"
    assert provider.complete(prompt(tools=[READ])).calls == (call,)
    assert provider.prompts[0].tools == [READ]


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (ToolCall("c1", "delete", "{}"), "was not offered"),
        (ToolCall("c1", "read", '{"path": "a'), "not valid JSON"),
        (ToolCall("c1", "read", '["a.py"]'), "not a JSON object"),
    ],
)
def test_a_call_of_another_tool_or_half_a_call_is_invalid(call: ToolCall, problem: str) -> None:
    with pytest.raises(ReplyInvalid, match=problem):
        ScriptedProvider([Scripted((), (call,))]).complete(prompt(tools=[READ]))


def test_a_clients_model_is_never_asked_with_tools_it_would_not_see() -> None:
    with pytest.raises(ProviderError, match="passes no tools on"):
        sampling("fine").complete(prompt(tools=[READ]))


def test_a_picture_that_sampling_cannot_carry_is_named() -> None:
    asked = []

    def sample(one):
        asked.append(one)
        return Sampled("fine")

    messages = [Message("user", (Text("What is this?"), Media("image", {"data": "..."})))]
    SamplingProvider(sample).complete(Prompt("smol", "", messages))
    assert asked[0].messages == (("user", "What is this?\n(image)"),)


# -- streams


def test_a_stream_is_told_piece_by_piece_and_returned_whole() -> None:
    pieces: list[str] = []
    provider = ScriptedProvider([Scripted(("The port", " is", " 7443."))])
    assert provider.complete(prompt(), pieces.append).text == "The port is 7443."
    assert pieces == ["The port", " is", " 7443."]


def test_a_stream_that_breaks_in_the_middle_returns_nothing() -> None:
    pieces: list[str] = []
    provider = ScriptedProvider([Scripted(("The port", ProviderError("The connection was lost."), " is 7443."))])
    with pytest.raises(ProviderError, match="connection was lost"):
        provider.complete(prompt(), pieces.append)
    assert pieces == ["The port"]


def test_a_model_without_a_stream_gives_its_text_in_one_piece_and_only_when_it_is_valid() -> None:
    pieces: list[str] = []
    assert sampling("fine").complete(prompt(), pieces.append).text == "fine"
    with pytest.raises(ReplyInvalid):
        sampling("no JSON").complete(prompt(schema=FACT), pieces.append)
    assert pieces == ["fine"]


# -- cancelling and limits


@SLOW
def test_a_cancelled_request_ends_soon_and_says_so(slow: Callable[[], Provider]) -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    with pytest.raises(RequestCancelled, match="cancelled"):
        slow().complete(prompt(cancelled=stop.is_set))
    assert time.monotonic() - began < SOON_SECONDS


@ANSWERING
def test_a_request_that_was_cancelled_before_it_began_is_not_answered(saying: Callable[[str], Provider]) -> None:
    with pytest.raises(RequestCancelled):
        saying("fine").complete(prompt(cancelled=lambda: True))


@SLOW
def test_a_request_that_takes_too_long_ends_at_its_limit(slow: Callable[[], Provider]) -> None:
    began = time.monotonic()
    with pytest.raises(RequestTimedOut, match=r"within 0\.1 seconds"):
        slow().complete(prompt(limit_seconds=0.1))
    assert time.monotonic() - began < SOON_SECONDS


def test_a_stream_can_be_cancelled_between_its_pieces() -> None:
    pieces: list[str] = []
    provider = ScriptedProvider([Scripted(("one", "two", "three"), delay_seconds=0.01)])
    with pytest.raises(RequestCancelled):
        provider.complete(prompt(cancelled=lambda: len(pieces) == 2), pieces.append)
    assert pieces == ["one", "two"]


def test_a_slow_drip_ends_at_its_limit_too() -> None:
    provider = ScriptedProvider([Scripted(("x",) * 1_000, delay_seconds=0.05)])
    with pytest.raises(RequestTimedOut):
        provider.complete(prompt(limit_seconds=0.2))


# -- what it took


def test_usage_and_cost_arrive_with_the_reply() -> None:
    usage = Usage(1_200, 40, cached_tokens=1_000, cost_usd=0.0031)
    reply = ScriptedProvider([Scripted(("fine",), usage=usage)]).complete(prompt())
    assert reply.usage == usage


@ANSWERING
def test_what_nobody_counts_is_estimated_and_its_cost_is_not_known(saying: Callable[[str], Provider]) -> None:
    usage = saying("fine").complete(prompt()).usage
    assert usage.estimated
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0
    assert usage.cost_usd is None


# -- no model, and scripts


def test_rules_never_answer() -> None:
    provider: Provider = RulesProvider()
    with pytest.raises(ProviderError, match="No model is configured"):
        provider.complete(prompt(), print)


def test_a_script_may_answer_with_json_or_depend_on_the_prompt() -> None:
    provider = ScriptedProvider([{"fact": "pnpm"}, lambda asked: {"fact": asked.messages[0].text}])
    replies: list[Reply] = [provider.complete(prompt(schema=FACT)) for _ in range(2)]
    assert [reply.value["fact"] for reply in replies] == ["pnpm", "What do you know?"]
