"""The examples run, offline, against the real libraries; and nothing of them is loaded unless it is asked for."""

from __future__ import annotations

import runpy
import subprocess
import sys

import pytest
from agents import set_tracing_disabled
from anthropic import Anthropic
from pydantic_ai import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from examples.anthropic_memory import ask as ask_claude
from examples.anthropic_memory import notes
from examples.langgraph_store import graph
from examples.openai_agents_session import ask as ask_agent
from examples.pydantic_ai_memory import assistant
from tests.adapters.test_openai_agents import Scripted
from tests.anthropic_server import serving
from tests.paths import ROOT

EXAMPLES = ROOT / "examples"

ADAPTERS = {
    "anthropic_memory": ("anthropic", "anthropic"),
    "langgraph": ("langgraph.store.base", "langgraph"),
    "openai_agents": ("agents", "openai-agents"),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
}


def test_claude_keeps_notes_that_a_person_sees(memory) -> None:
    create = {"command": "create", "path": "/memories/tea.md", "file_text": "The user drinks tea."}
    with serving([create]) as (address, _):
        client = Anthropic(api_key="none", base_url=address, max_retries=0)
        assert ask_claude(client, memory, "I drink tea.", model="scripted") == "Noted."
    assert notes(memory) == {"/memories/tea.md": "The user drinks tea."}


def test_an_agent_of_openai_s_sdk_goes_on_where_it_left_off(memory) -> None:
    set_tracing_disabled(True)
    model = Scripted("Hello Ada.", "You are Ada.")
    assert ask_agent(memory, "7", "I am Ada.", model=model) == "Hello Ada."
    assert ask_agent(memory, "7", "Who am I?", model=model) == "You are Ada."
    assert len(model.sent[1]) == 3
    assert len(model.sent[0]) == 1


def test_an_agent_of_pydantic_ai_remembers_what_was_typed(memory) -> None:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1 and "short answers" not in (info.instructions or ""):
            add = {"action": "add", "layer": "L0", "content": "The user prefers short answers."}
            return ModelResponse(parts=[ToolCallPart("memory_write", add)])
        return ModelResponse(parts=[TextPart("Noted." if len(messages) > 1 else "Short.")])

    first = assistant(memory, FunctionModel(answer), conversation="one")
    assert first.run_sync("The user prefers short answers.").output == "Noted."
    second = assistant(memory, FunctionModel(answer), conversation="two")
    assert second.run_sync("How do I answer?").output == "Short."


def test_a_graph_of_langgraph_finds_earlier_questions(memory) -> None:
    built = graph(memory, lambda question, known: f"{len(known)} known")
    asked = ["Where is the office?", "How do I get to the office?", "What is for lunch?"]
    answers = [built.invoke({"user": "7", "question": question, "answer": ""})["answer"] for question in asked]
    assert answers == ["0 known", "1 known", "0 known"]


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_without_its_library_says_what_to_install(name) -> None:
    library, extra = ADAPTERS[name]
    # The finder stands for a machine without the library.
    script = f"""
import sys
class Absent:
    def find_spec(self, found, *_):
        if found == {library!r} or found.startswith({library!r} + "."):
            raise ModuleNotFoundError(f"No module named {{found!r}}", name=found)
sys.meta_path.insert(0, Absent())
try:
    import recollect.adapters.{name}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install " in done.stdout
    assert f"'.[{extra}]'" in done.stdout


def test_nothing_of_the_libraries_is_loaded_with_recollect() -> None:
    script = "import sys, recollect, recollect.app, recollect.adapters, recollect.doors.cli.tree; print(','.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.strip().split(",")}
    assert not loaded & {"anthropic", "agents", "openai", "langgraph", "langchain_core", "pydantic_ai", "pydantic"}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_an_example_that_is_started_by_itself_prints_something_without_a_key(path, capsys) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip()
