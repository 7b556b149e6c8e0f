"""A pydantic-ai agent with Recollect's toolset: it is given what is remembered, and writes as an agent may."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from recollect import Agent as Agent_
from recollect.adapters.pydantic_ai import RecollectToolset, history_processor
from recollect.model.permissions import Question
from tests.conftest import contents

KEY = "sk-ant-api03-" + "Zx9Yw8Vu7" * 10


class Scripted:
    """A model that makes its calls one by one, then says something; it notes what it was given."""

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        self.calls = list(calls)
        self.instructions: list[str] = []
        self.tools: list[str] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.instructions.append(info.instructions or "")
        self.tools = [tool.name for tool in info.function_tools]
        done = sum(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)
        if done < len(self.calls):
            name, arguments = self.calls[done]
            return ModelResponse(parts=[ToolCallPart(name, arguments)])
        return ModelResponse(parts=[TextPart("Done.")])


def run(toolset: RecollectToolset, script: Scripted, prompt: str) -> list[str]:
    """What the tools said."""
    result = Agent(FunctionModel(script), toolsets=[toolset]).run_sync(prompt)
    assert result.output == "Done."
    return [
        str(part.content)
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]


def test_the_model_is_given_the_profile_the_guidance_and_what_the_prompt_recalls(memory) -> None:
    memory.profile.set_section("Preferences", "Answers in one sentence.")
    memory.remember("The deploy target is Fly.io.")
    script = Scripted(("memory_recall", {"query": "deploy target"}))
    [recalled] = run(RecollectToolset(memory), script, "What is the deploy target?")
    assert "Fly.io" in recalled
    first, second = script.instructions
    assert "Answers in one sentence." in first
    assert "You have a memory" in first
    assert "The deploy target is Fly.io." in first
    assert first == second  # every request of a run has the same prefix
    assert set(script.tools) == {"memory_recall", "memory_write", "store_memory", "vote_memory"}
    assert (
        len(memory.opened.store.receipts.naming(memory.entries.list()[0].entry_id)) == 2
    )  # the prompt's, and the tool's own


def test_what_the_model_stores_is_an_agent_s_write(memory, repository) -> None:
    (repository / "package.json").write_text("{}\n")
    fact = {
        "subject": "package manager",
        "fact": "This repository uses pnpm.",
        "citations": ["package.json"],
        "reason": "Seen.",
    }
    script = Scripted(
        ("store_memory", fact),
        ("vote_memory", {"fact": "This repository uses pnpm.", "direction": "upvote", "reason": "It worked."}),
        ("memory_write", {"action": "add", "layer": "L0", "content": "The user is called Ada."}),
        ("memory_write", {"action": "update", "layer": "L1", "content": "", "target_id": ""}),
    )
    stored, voted, staged, invalid = run(RecollectToolset(memory, client="bot"), script, "Look around.")
    assert stored.startswith("stored")
    assert voted.startswith("voted")
    assert staged.startswith("staged: It is waiting for the user")
    assert invalid.startswith("invalid")
    [entry] = memory.entries.list(layer="L1")
    assert (entry.source, entry.votes_up) == ("agent", 1)
    assert memory.entries.list(layer="L0") == []
    assert [one.client for one in memory.pending.staged()] == ["bot"]


def test_what_the_model_stores_can_belong_to_a_task(memory) -> None:
    task = memory.tasks.add_task("Move to pnpm")
    fact = {"subject": "lock", "fact": "The lock file is checked in.", "citations": ["README.md"], "reason": "Seen."}
    added = {"action": "add", "layer": "L1", "content": "Workspaces are listed in one file.", "task": task.task_id}
    run(
        RecollectToolset(memory),
        Scripted(("store_memory", {**fact, "task": "Move to pnpm"}), ("memory_write", added)),
        "Go.",
    )
    assert len(memory.entries.list(task=task.task_id)) == 2


def test_what_the_user_typed_applies_at_once_where_prompts_are_a_person_s(memory) -> None:
    add = ("memory_write", {"action": "add", "layer": "L0", "content": "The user prefers short answers."})
    prompt = "The user prefers short answers."
    [waits] = run(RecollectToolset(memory, session="s1"), Scripted(add), prompt)
    assert waits.startswith("staged")
    [applied] = run(RecollectToolset(memory, session="s2", typed=True), Scripted(add), prompt)
    assert applied.startswith("stored")
    assert "short answers" in memory.profile.show().text


def test_a_risky_write_asks_whoever_can_answer(memory) -> None:
    asked: list[Question] = []

    def no(question: Question) -> Any:
        asked.append(question)
        return "reject"

    add = ("memory_write", {"action": "add", "layer": "L0", "content": "The user is called Ada."})
    [denied] = run(RecollectToolset(memory, ask=no), Scripted(add), "Hello")
    assert denied.startswith("denied")
    assert "Ada" in asked[0].text


def test_secrets_never_reach_the_database(memory, tmp_path) -> None:
    add = ("memory_write", {"action": "add", "layer": "L1", "content": f"The importer uses the key {KEY}."})
    run(RecollectToolset(memory), Scripted(add), f"My key is {KEY}")
    assert contents(memory, "which key does the importer use?") == [
        "The importer uses the key [redacted:anthropic-key]."
    ]
    for path in (tmp_path / "home").glob("recollect.db*"):
        assert KEY.encode() not in path.read_bytes()


def test_every_tool_can_be_called_as_its_schema_says(memory) -> None:
    model = TestModel()
    result = Agent(model, toolsets=[RecollectToolset(memory)]).run_sync("Hello")
    said = [part for message in result.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
    assert {part.tool_name for part in said} == {"memory_recall", "memory_write", "store_memory", "vote_memory"}
    parameters = model.last_model_request_parameters
    assert parameters is not None
    assert all(tool.description for tool in parameters.function_tools)
    assert "will still hold in later sessions" in str([tool.description for tool in parameters.function_tools])


def test_the_master_switch_stops_instructions_and_writes(open_memory, repository) -> None:
    memory = open_memory(repository, RECOLLECT_ENABLED="false")
    memory.remember("The deploy target is Fly.io.")
    script = Scripted(("memory_write", {"action": "add", "layer": "L1", "content": "Ada likes tea."}))
    [said] = run(RecollectToolset(memory), script, "What is the deploy target?")
    assert said.startswith("no_client")
    assert script.instructions[0] == ""


def test_one_toolset_serves_many_threads_and_event_loops(memory) -> None:
    memory.remember("The deploy target is Fly.io.")
    toolset = RecollectToolset(memory)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        async def several() -> None:
            facts = [
                (
                    "memory_write",
                    {
                        "action": "add",
                        "layer": "L1",
                        "content": f"Service {number}{step} listens on port {number}{step}00.",
                    },
                )
                for step in range(2)
            ]
            agents = [Agent(FunctionModel(Scripted(fact)), toolsets=[toolset]) for fact in facts]
            await asyncio.gather(*(agent.run("What is the deploy target?") for agent in agents))

        try:
            asyncio.run(several())
        except BaseException as failure:
            failures.append(failure)
            raise

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(memory.entries.list(layer="L1", status="active")) == 9


def test_the_history_processor_comes_with_it(memory) -> None:
    script = Scripted()
    agent = Agent(
        FunctionModel(script),
        toolsets=[RecollectToolset(memory)],
        capabilities=[ProcessHistory(history_processor(window=3_000))],
    )
    assert agent.run_sync("Hello").output == "Done."


def test_every_request_of_a_run_gets_the_same_start_and_it_leaves_one_receipt(memory) -> None:
    agent = memory.writes(Agent_(client="Codex", session="s1"))
    memory.inject("We deploy to Render.", session="s1")
    assert agent.store_memory("deploy target", "We deploy to Render.", ["chat"], "x").is_done
    calls = [("memory_recall", {"query": "deploy target"})] * 3
    script = Scripted(*calls)
    run(RecollectToolset(memory, session="s2"), script, "What is the deploy target?")
    assert len(script.instructions) == 4
    assert len(set(script.instructions)) == 1
    assert "Codex on the user's word stored" in script.instructions[0] or "Codex stored" in script.instructions[0]
    assert [receipt.turn for receipt in memory.receipts("s2") if not receipt.query] == [0]
