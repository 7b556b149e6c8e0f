"""A provider for tests: it says what it was told to say, faults included, and remembers what it was asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.ports import Reply
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.ports import Prompt

    Answer = str | Exception | Callable[[Prompt], str]

GOOD_SUMMARY = """## Goal
Finish what the user asked for.

## Rules and decisions
none

## Done
none

## Open
The last request.

## Errors
none

## Facts
none"""
NONSENSE = "Sure! I would be happy to help you with that."


def too_long(prompt: Prompt) -> str:
    """A summary with all its sections that is far larger than it may be."""
    return GOOD_SUMMARY + "\n" + "and so on " * (prompt.max_output_tokens * 4)


class ScriptedProvider:
    """Answers from a list, the last answer for ever. An exception is raised, a function is called with the prompt."""

    def __init__(self, answers: Sequence[Answer] = (GOOD_SUMMARY,), *, window_tokens: int = 128_000) -> None:
        self.window_tokens = window_tokens
        self.prompts: list[Prompt] = []
        self.entered = threading.Event()
        self._answers = list(answers)
        self._gate: threading.Event | None = None

    def hold(self) -> threading.Event:
        """Make it slow: nothing is answered until the event that this returns is set."""
        self._gate = threading.Event()
        return self._gate

    def complete(self, prompt: Prompt) -> Reply:
        """The next answer."""
        self.prompts.append(prompt)
        self.entered.set()
        if self._gate is not None and not self._gate.wait(timeout=30):
            raise ProviderError("The scripted provider was never released.")
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else answer(prompt)
        asked = sum(estimate_tokens(message.text) for message in prompt.messages)
        return Reply(text, asked, estimate_tokens(text), f"req-{len(self.prompts)}", "scripted")
