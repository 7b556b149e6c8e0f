"""Every way in which a model's server breaks: one sentence, nothing believed, and no more asked than is safe."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import pytest

from recollect import Recollect
from recollect.errors import (
    CeilingReached,
    ContextTooLong,
    ProviderError,
    ReplyInvalid,
    RequestCancelled,
    RequestTimedOut,
)
from recollect.model.messages import Message, Text
from recollect.ports import Prompt
from tests.conftest import OpenMemory
from tests.model_servers import Act, Server, serving

FACT = {
    "type": "object",
    "properties": {"fact": {"type": "string"}},
    "required": ["fact"],
    "additionalProperties": False,
}
SOON_SECONDS = 15.0
QUESTION = "Which package manager?"
ANSWER = '{"fact": "pnpm"}'


@pytest.fixture(params=["openai", "anthropic"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(request.param) as one:
        yield one


@pytest.fixture
def memory(open_memory: OpenMemory, server: Server) -> Recollect:
    return opened(open_memory, server)


def opened(open_memory: OpenMemory, server: Server, **more: str) -> Recollect:
    keys = {"OPENAI_API_KEY": "sk-nobody", "ANTHROPIC_API_KEY": "sk-nobody"}
    return open_memory(RECOLLECT_MODELS__DEFAULT=server.spec, **keys, **more)


def ask(memory: Recollect, **more):
    return memory.models.ask(QUESTION, FACT, **more)


def good(server: Server) -> Act:
    """An answer that fits the schema, as this vendor gives one."""
    return Act(ANSWER) if server.vendor == "openai" else Act(tool="answer", arguments=(("fact", "pnpm"),))


def bad(server: Server) -> Act:
    return Act('{"fact": 7}') if server.vendor == "openai" else Act(tool="answer", arguments=(("fact", 7),))


def test_an_answer_arrives_as_a_value_with_what_it_took(memory: Recollect, server: Server) -> None:
    server.will(good(server))
    reply = ask(memory)
    assert reply.value == {"fact": "pnpm"}
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.estimated) == (10, 5, False)
    assert reply.model == "m"
    assert memory.models.ledger.spent_today() == 15
    assert len(server.asked) == 1


def test_a_text_streams(memory: Recollect, server: Server) -> None:
    server.will(Act("The port is 7443.", drip_seconds=0.001))
    pieces: list[str] = []
    prompt = Prompt("default", "Be short.", [Message("user", (Text(QUESTION),))])
    reply = memory.models.provider().complete(prompt, pieces.append)
    assert reply.text == "".join(pieces) == "The port is 7443."
    assert len(pieces) > 1


@pytest.mark.parametrize(
    ("act", "kind", "says", "requests"),
    [
        (Act(status=401), ProviderError, "refused the key", 1),
        (Act(status=404), ProviderError, "does not know that model", 1),
        (Act(status=413), ContextTooLong, "too large", 1),
        (Act(status=429), ProviderError, "too many requests", 3),
        (Act(status=500), ProviderError, "overloaded or broken", 3),
        (Act(status=529), ProviderError, "overloaded or broken", 3),
        (Act(cut=True), ProviderError, "connection was lost", 1),
        (Act(raw=b"data: {not json\n\n"), ProviderError, "could not be read|connection was lost", 1),
        (Act(raw=b"<html>Bad gateway</html>"), ProviderError, "could not be read|connection was lost", 1),
        (Act(refusal=True), ReplyInvalid, "refused", 1),
        (Act(length=True), ReplyInvalid, "too long", 1),
        (Act(text=""), ReplyInvalid, "empty", 1),
        (Act(text="I would rather not say."), ReplyInvalid, "not valid JSON", 2),
        (Act(tool="delete", arguments=(("path", "/"),)), ReplyInvalid, "not offered", 1),
        (Act(text="x" * 10_000_000), ReplyInvalid, "longer than", 1),
    ],
    ids=lambda value: "",
)
def test_a_fault_is_one_sentence_and_nothing_is_believed(
    act: Act, kind: type[Exception], says: str, requests: int, memory: Recollect, server: Server
) -> None:
    server.will(act)
    entries = memory.entries.counts()
    with pytest.raises(kind, match=says) as raised:
        ask(memory)
    assert isinstance(raised.value, ProviderError)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400
    assert len(server.asked) == requests
    assert memory.entries.counts() == entries
    last = memory.models.ledger.last_call("default")
    assert last is not None
    assert last.why == str(raised.value)


def test_a_slow_drip_ends_at_the_limit(open_memory: OpenMemory, server: Server) -> None:
    server.will(Act("x" * 1_000, drip_seconds=0.2))
    memory = opened(open_memory, server, RECOLLECT_MODELS__LIMIT_SECONDS="3")
    began = time.monotonic()
    with pytest.raises(RequestTimedOut, match="within"):
        ask(memory)
    assert time.monotonic() - began < 3 + SOON_SECONDS


def test_a_cancelled_request_lets_go_of_the_server(memory: Recollect, server: Server) -> None:
    server.will(Act("x" * 1_000, drip_seconds=0.2))
    stop = threading.Event()
    threading.Timer(2, stop.set).start()
    began = time.monotonic()
    with pytest.raises(RequestCancelled):
        ask(memory, cancelled=stop.is_set)
    assert time.monotonic() - began < 2 + SOON_SECONDS


def test_a_server_that_was_busy_for_a_moment_answers(memory: Recollect, server: Server) -> None:
    server.will(Act(status=529), good(server))
    assert ask(memory).value == {"fact": "pnpm"}
    assert len(server.asked) == 2


def test_a_server_is_given_the_time_it_asks_for(memory: Recollect, server: Server) -> None:
    server.will(Act(status=429, headers=(("retry-after", "2"),)), good(server))
    began = time.monotonic()
    assert ask(memory).value == {"fact": "pnpm"}
    assert time.monotonic() - began >= 2


def test_a_server_that_asks_for_more_time_than_there_is_is_not_waited_for(memory: Recollect, server: Server) -> None:
    server.will(Act(status=429, headers=(("retry-after", "3600"),)), good(server))
    with pytest.raises(ProviderError, match="too many requests"):
        ask(memory)
    assert len(server.asked) == 1


def test_an_answer_that_does_not_fit_is_mended_once(memory: Recollect, server: Server) -> None:
    server.will(bad(server), good(server))
    reply = ask(memory)
    assert reply.value == {"fact": "pnpm"}
    assert "does not fit its schema" in str(server.asked[1]["messages"])
    assert reply.usage.input_tokens > 10  # both are counted


def test_a_server_that_is_not_there_is_said_so(open_memory: OpenMemory, server: Server) -> None:
    memory = open_memory(RECOLLECT_MODELS__DEFAULT=f"{server.vendor}:m@http://127.0.0.1:9/v1")
    with pytest.raises(ProviderError, match="cannot be reached"):
        ask(memory)


# -- ceilings


def test_nothing_is_asked_beyond_the_ceiling_of_the_day(open_memory: OpenMemory, server: Server, clock) -> None:
    server.will(good(server))
    memory = opened(open_memory, server, RECOLLECT_MODELS__DAY_TOKENS="5000")
    ask(memory)
    memory.models.ledger.take(900)
    with pytest.raises(CeilingReached, match=r"of today's 5,000 are left"):
        ask(memory)
    assert len(server.asked) == 1
    clock.pass_days(1)
    ask(memory)
    assert len(server.asked) == 2


def test_nothing_is_asked_beyond_the_ceiling_of_a_pass(open_memory: OpenMemory, server: Server) -> None:
    server.will(good(server))
    memory = opened(open_memory, server, RECOLLECT_MODELS__PASS_TOKENS="4500")
    one_pass = memory.models.begin("a test", expected_tokens=4_400)
    one_pass.ask(QUESTION, FACT)
    with pytest.raises(CeilingReached, match="for one pass"):
        one_pass.ask("A long question. " * 500, FACT)
    assert len(server.asked) == 1
    assert memory.models.begin("another").ask(QUESTION, FACT).value == {"fact": "pnpm"}


def test_many_at_once_never_take_more_than_the_day_has(open_memory: OpenMemory, server: Server) -> None:
    memory = opened(open_memory, server, RECOLLECT_MODELS__DAY_TOKENS="1000")
    taken = []

    def take() -> None:
        try:
            memory.models.ledger.take(300)
            taken.append(300)
        except CeilingReached:
            pass
        finally:
            memory.opened.store.close()

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(taken) == memory.models.ledger.spent_today() == 900


def test_a_ceiling_of_yesterday_is_no_failure_today(open_memory: OpenMemory, server: Server, clock) -> None:
    memory = opened(open_memory, server, RECOLLECT_MODELS__DAY_TOKENS="10")
    with pytest.raises(CeilingReached):
        ask(memory)
    assert memory.models.ledger.last_call("default") is not None
    clock.pass_days(1)
    assert memory.models.ledger.last_call("default") is None
    assert server.asked == []


def test_what_was_told_in_part_is_not_asked_for_again(memory: Recollect, server: Server) -> None:
    server.will(Act("The port is 7443.", cut=True))
    pieces: list[str] = []
    prompt = Prompt("default", "", [Message("user", (Text(QUESTION),))])
    with pytest.raises(ProviderError, match="connection was lost"):
        memory.models.provider().complete(prompt, pieces.append)
    assert len(server.asked) == 1
    assert memory.models.ledger.spent_today() > 0  # it may have been paid for


def test_a_call_that_was_never_worked_on_costs_nothing(memory: Recollect, server: Server) -> None:
    server.will(Act(status=401))
    with pytest.raises(ProviderError):
        ask(memory)
    assert memory.models.ledger.spent_today() == 0


# -- what the provider did on its side


def test_what_a_provider_compacted_on_its_side_is_told_and_written_down(open_memory: OpenMemory) -> None:
    with serving("anthropic", Act("Fine.", compacted=True)) as server:
        memory = opened(open_memory, server)
        prompt = Prompt("default", "", [Message("user", (Text(QUESTION),))])
        reply = memory.models.provider().complete(prompt)
        assert reply.text == "Fine."
        assert reply.context_edits == ({"type": "compaction", "content": "So far: nothing."},)
        with open(f"{memory.home.logs}/models.jsonl") as file:
            assert "context edited by the provider" in file.read()


def test_what_a_provider_took_out_of_the_context_is_told_and_written_down(open_memory: OpenMemory) -> None:
    edit = {"type": "clear_tool_uses_20250919", "cleared_tool_uses": 8, "cleared_input_tokens": 50_000}
    with serving("anthropic", Act("Fine.", edits=(edit,)), Act("Fine.")) as server:
        memory = opened(open_memory, server)
        prompt = Prompt("default", "", [Message("user", (Text(QUESTION),))])
        replies = [memory.models.provider().complete(prompt) for _ in range(2)]
    assert [reply.text for reply in replies] == ["Fine.", "Fine."]
    assert [reply.context_edits for reply in replies] == [(edit,), ()]
    with open(f"{memory.home.logs}/models.jsonl") as file:
        [line] = [line for line in map(json.loads, file) if line["what"] == "context edited by the provider"]
    assert line["edits"] == ["clear_tool_uses_20250919"]
