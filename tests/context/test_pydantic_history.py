"""An agent of pydantic-ai with our history processor keeps its window."""

from __future__ import annotations

from pydantic_ai import Agent, ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.models.function import AgentInfo, FunctionModel

from recollect.context.counting import Counter
from recollect.context.pydantic_history import history_processor
from recollect.context.shapes import parse

WINDOW = 3_000


def test_a_long_history_reaches_the_model_inside_its_window_with_the_last_request_whole() -> None:
    sent: list[list[ModelMessage]] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(messages)
        return ModelResponse(parts=[TextPart("Done.")])

    history: list[ModelMessage] = []
    for number in range(40):
        text = f"Step {number}: change part_{number}.py, but never touch the lockfile. " + "Please be careful. " * 40
        history.append(ModelRequest(parts=[UserPromptPart(text)]))
        history.append(ModelResponse(parts=[TextPart(f"Part {number} is changed.")]))
    agent = Agent(FunctionModel(answer), capabilities=[ProcessHistory(history_processor(window=WINDOW))])
    result = agent.run_sync("Now write the release notes.", message_history=history)

    assert result.output == "Done."
    [messages] = sent
    assert Counter().count(parse(messages, "pydantic_ai")).total <= WINDOW
    last = messages[-1].parts[-1]
    assert isinstance(last, UserPromptPart)
    assert last.content == "Now write the release notes."
    assert "never touch the lockfile" in str(messages)


def test_a_short_history_is_left_alone() -> None:
    messages: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart("Hello")])]
    assert history_processor(window=WINDOW)(messages) == messages
