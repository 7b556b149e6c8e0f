"""An agent with a scripted model, and somebody who hears what happens and answers questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from recollect import Recollect
from recollect.doors.memory_tools import memory_tools
from recollect.flows.chat.agent import Agent, Options
from recollect.flows.sessions.terminal import Terminal
from recollect.model.messages import ToolCall
from recollect.model.permissions import Question
from recollect.providers.scripted import Scripted, ScriptedProvider


class Watched:
    """An agent, what it told, and what a person was asked."""

    def __init__(self, memory: Recollect, answers: Sequence[Any], *, say: str = "once", **options: Any) -> None:
        self.memory = memory
        self.events: list[Any] = []
        self.questions: list[Question] = []
        self.answer: str | Callable[[Question], str] = say
        self.provider = ScriptedProvider(list(answers))
        self.agent: Agent = memory.chats.agent(
            ask=self._ask,
            options=Options(**options),
            tools=lambda agent: memory_tools(memory, agent),
            provider=self.provider,
        )

    def start(self) -> Watched:
        self.agent.start()
        return self

    def type(self, text: str) -> Any:
        """Type this at the terminal."""
        return self.agent.prompt(text, self.events.append, typed_at=Terminal())

    def told(self, kind: Any) -> list[Any]:
        """What was told of this kind."""
        return [one for one in self.events if isinstance(one, kind)]

    def last_request(self) -> str:
        """All that the model was sent last."""
        parts = []
        for message in self.provider.prompts[-1].messages:
            parts += [message.text, *(getattr(part, "text", "") for one in message.results for part in one.parts)]
        return "\n".join(parts)

    def _ask(self, question: Question) -> Any:
        self.questions.append(question)
        return self.answer if isinstance(self.answer, str) else self.answer(question)


def call(tool: str, number: int = 1, **arguments: Any) -> Scripted:
    """An answer that calls a tool."""
    return Scripted(calls=(ToolCall(f"call-{number}", tool, json.dumps(arguments)),))
