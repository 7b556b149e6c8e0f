"""A session of the OpenAI Agents SDK on Recollect: as the SDK's own, but inside its window and never lost."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.memory import Session, SessionSettings
from agents.usage import Usage
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from recollect.adapters.openai_agents import RecollectSession
from recollect.context.counting import Counter
from recollect.context.shapes import parse

KEY = "sk-ant-api03-" + "Zx9Yw8Vu7" * 10
WINDOW = 3_000


@pytest.fixture(autouse=True)
def _no_tracing() -> None:
    set_tracing_disabled(True)


class Scripted(Model):
    """Answers what it was told to, and notes what it was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.sent: list[list[Any]] = []

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        self.sent.append(json.loads(json.dumps(input)))
        answer = self.answers.pop(0) if self.answers else "Done."
        return ModelResponse(
            output=[said(answer) if isinstance(answer, str) else answer], usage=Usage(), response_id="resp"
        )

    async def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield


def said(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="msg_1", type="message", role="assistant", status="completed", content=[content])


def call(name: str, arguments: str, number: int = 1) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        id=f"fc_{number}", call_id=f"call_{number}", type="function_call", name=name, arguments=arguments
    )


def user(text: str) -> Any:
    return {"role": "user", "content": text}


# -- as the SDK's own

items = st.one_of(
    st.builds(user, st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)),
    st.fixed_dictionaries({"type": st.just("message"), "role": st.just("assistant"), "id": st.sampled_from(["msg_1", "msg_2"]), "status": st.just("completed"), "content": st.just([{"type": "output_text", "text": "yes", "annotations": []}])}),
    st.fixed_dictionaries({"type": st.just("function_call"), "id": st.just("fc_1"), "call_id": st.sampled_from(["c1", "c2"]), "name": st.just("f"), "arguments": st.sampled_from(["{}", '{"x": 1}'])}),
    st.fixed_dictionaries({"type": st.just("function_call_output"), "call_id": st.sampled_from(["c1", "c2"]), "output": st.sampled_from(["", "42"])}),
    st.fixed_dictionaries({"type": st.just("reasoning"), "id": st.just("rs_1"), "summary": st.just([]), "encrypted_content": st.just("gAAA")}),
    st.fixed_dictionaries({"type": st.just("web_search_call"), "id": st.just("ws_1"), "status": st.just("completed"), "action": st.just({"type": "search", "query": "q"})}),
)  # fmt: skip
steps = st.one_of(
    st.tuples(st.just("add"), st.lists(items, max_size=4)),
    st.tuples(st.just("pop"), st.none()),
    st.tuples(st.just("clear"), st.none()),
    st.tuples(st.just("latest"), st.integers(0, 5)),
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given=st.lists(steps, max_size=10))
def test_it_keeps_what_the_sdk_s_own_session_keeps(memory, given) -> None:
    async def run() -> None:
        ours, theirs = RecollectSession("laws", memory), SQLiteSession("laws")
        await ours.clear_session()
        for step, value in given:
            match step:
                case "add":
                    await ours.add_items(value)
                    await theirs.add_items(value)
                case "pop":
                    assert await ours.pop_item() == await theirs.pop_item()
                case "clear":
                    await ours.clear_session()
                    await theirs.clear_session()
                case "latest":
                    assert await ours.get_items(value) == await theirs.get_items(value)
        everything = await theirs.get_items()
        assert await ours.get_items(limit=10_000) == everything
        again = RecollectSession("laws", memory)
        assert await again.get_items(limit=10_000) == everything
        theirs.close()

    asyncio.run(run())


def test_it_is_a_session_of_the_sdk(memory) -> None:
    session = RecollectSession("user-7", memory, session_settings=SessionSettings(limit=2))
    assert isinstance(session, Session)
    asyncio.run(session.add_items([user("1"), user("2"), user("3")]))
    assert asyncio.run(session.get_items()) == [user("2"), user("3")]


# -- with the real runner


def test_a_second_run_remembers_the_first_one_with_its_tools(memory) -> None:
    @function_tool
    def weather(city: str) -> str:
        """The weather."""
        return f"Rain in {city}."

    model = Scripted(call("weather", '{"city": "Ulm"}'), "It rains in Ulm.", "You asked about Ulm.")
    agent = Agent(name="a", model=model, tools=[weather])
    first = Runner.run_sync(agent, "How is the weather in Ulm?", session=RecollectSession("user-7", memory))
    assert first.final_output == "It rains in Ulm."
    second = Runner.run_sync(agent, "What did I ask?", session=RecollectSession("user-7", memory))
    assert second.final_output == "You asked about Ulm."
    seen = model.sent[-1]
    assert [item.get("type", item.get("role")) for item in seen] == ["user", "function_call", "function_call_output", "message", "user"]  # fmt: skip
    assert seen[2]["output"] == "Rain in Ulm."


def test_a_conversation_that_outgrows_its_window_is_compacted_and_goes_on(memory) -> None:
    model = Scripted()
    agent = Agent(name="a", model=model)
    session = RecollectSession("long", memory, window=WINDOW)
    for number in range(25):
        Runner.run_sync(
            agent,
            f"Step {number}: change part_{number}.py, but never touch the lockfile. " + "Please be careful. " * 40,
            session=session,
        )
    sizes = [Counter().count(parse(sent, "openai_responses")).total for sent in model.sent]
    assert max(sizes) <= WINDOW + 400  # what was kept, and the new request
    assert "never touch the lockfile" in json.dumps(model.sent[-1])
    assert session.kept.checkpoints()
    assert model.sent[-1][-1]["content"].startswith("Step 24:")
    # Another process goes on from what was compacted.
    assert len(asyncio.run(RecollectSession("long", memory, window=WINDOW).get_items())) < 30


def test_a_session_that_is_opened_with_another_model_has_its_window(memory) -> None:
    items: list[Any] = [{"role": "user", "content": f"Message {number}: " + "word " * 120} for number in range(90)]
    session = RecollectSession("user-7", memory, model="gpt-4.1")
    asyncio.run(session.add_items(items))
    assert len(asyncio.run(session.get_items())) == len(items)
    smaller = RecollectSession("user-7", memory, model="gpt-4")  # a window of 8,192 tokens
    assert len(asyncio.run(smaller.get_items())) < len(items)
    assert smaller.kept.about["model"] == "gpt-4"
    assert RecollectSession("user-7", memory).kept.about["model"] == "gpt-4"


def test_what_is_popped_after_a_compaction_is_the_latest_item(memory) -> None:
    session = RecollectSession("long", memory, window=WINDOW)

    async def run() -> None:
        for number in range(20):
            await session.add_items(
                [user(f"{number} " + "words " * 120), {"role": "assistant", "content": f"answer {number}"}]
            )
            await session.get_items()
        assert session.kept.in_effect
        assert await session.pop_item() == {"role": "assistant", "content": "answer 19"}
        latest: Any = await session.get_items(limit=1)
        assert latest[0]["content"].startswith("19 ")

    asyncio.run(run())


# -- our own promises


def test_the_conversation_is_shown_like_any_other_session_and_can_be_brought_back(memory) -> None:
    session = RecollectSession("Customer 7", memory)
    asyncio.run(session.add_items([user("Hello"), {"role": "assistant", "content": "Hi."}]))
    [(listed, turns)] = memory.own_sessions.listed()
    assert (listed.title, turns, listed.repository) == ("Customer 7", 1, memory.repository.repository)
    asyncio.run(session.clear_session())
    assert asyncio.run(session.get_items()) == []
    session.kept.undo()
    assert asyncio.run(session.get_items())[0] == user("Hello")


def test_secrets_never_reach_the_disk(memory, tmp_path) -> None:
    session = RecollectSession("s", memory)
    asyncio.run(
        session.add_items([user(f"My key is {KEY}"), {"type": "function_call_output", "call_id": "c", "output": KEY}])
    )
    assert asyncio.run(session.get_items())[0] == user("My key is [redacted:anthropic-key]")
    files = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_names_that_look_alike_are_different_sessions(memory) -> None:
    names = ["user 7", "User 7", "user_7", "../../etc", "", "\u00fc", "s_mine"]
    sessions = [RecollectSession(name, memory) for name in names]
    for name, session in zip(names, sessions, strict=True):
        asyncio.run(session.add_items([user(f"I am {name!r}")]))
    assert [asyncio.run(session.get_items()) for session in sessions] == [[user(f"I am {name!r}")] for name in names]
    assert sessions[-1].kept.session_id == "s_mine"


def test_threads_and_event_loops_share_a_session(memory) -> None:
    shared = RecollectSession("shared", memory)

    def work(number: int) -> None:
        async def run() -> None:
            own = RecollectSession("shared", memory)
            for step in range(4):
                await (shared if step % 2 else own).add_items(
                    [user(f"{number}.{step}"), {"role": "assistant", "content": f"re {number}.{step}"}]
                )
                await shared.get_items()

        asyncio.run(run())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found: Any = asyncio.run(RecollectSession("shared", memory).get_items())
    texts = [item["content"] for item in found]
    assert sorted(texts) == sorted([f"{lead}{n}.{s}" for n in range(4) for s in range(4) for lead in ("", "re ")])
