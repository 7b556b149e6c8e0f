"""A provider for tests: it says what it was told to say, faults included, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, TypeAlias

from recollect.errors import ProviderError
from recollect.model.messages import Message, Text
from recollect.model.record import Record
from recollect.ports import Reply, Usage
from recollect.providers.answers import check_schema, checked
from recollect.providers.patience import Patience
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recollect.model.messages import Json, ToolCall
    from recollect.ports import Prompt

    Fixed: TypeAlias = "str | Json | Exception | Scripted"
    Answer: TypeAlias = "Fixed | Callable[[Prompt], Fixed]"

LONGEST_HOLD_SECONDS = 30.0
LOOK_SECONDS = 0.02
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


class Scripted(Record):
    """One answer in detail: a stream, tool calls, how long it takes and what it costs."""

    pieces: tuple[str | Exception, ...] = ()  # the text as it comes; an exception breaks it off there
    calls: tuple[ToolCall, ...] = ()
    delay_seconds: float = 0.0  # before each piece, and before the end
    usage: Usage | None = None  # estimated when it is not given
    is_ready: Callable[[], bool] = lambda: True  # asked again and again: nothing is said before


class ScriptedProvider:
    """Answers from a list, the last answer for ever.

    An answer is a text, a JSON object, an exception to raise, a `Scripted`, or a function of the prompt that returns
    one of these.
    """

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

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The next answer."""
        check_schema(prompt.schema)
        patience = Patience(prompt)
        self.prompts.append(prompt)
        number = len(self.prompts)
        self.entered.set()
        if self._gate is not None and not patience.wait(self._gate, LONGEST_HOLD_SECONDS):
            raise ProviderError("The scripted provider was never released.")
        answer = _in_detail(self._answers.pop(0) if len(self._answers) > 1 else self._answers[0], prompt)
        text = _stream(answer, patience, on_piece)
        parts = (Text(text),) if text else ()
        usage = answer.usage or _estimated(prompt, text)
        reply = Reply(
            Message("assistant", (*parts, *answer.calls)), usage, request_id=f"req-{number}", model="scripted"
        )
        return checked(prompt, reply)


def _in_detail(answer: Answer, prompt: Prompt) -> Scripted:
    """What an answer stands for; one that is an exception is raised."""
    if isinstance(answer, Exception):
        raise answer
    if isinstance(answer, Scripted):
        return answer
    if isinstance(answer, dict):
        return Scripted((json.dumps(answer, ensure_ascii=False),))
    return Scripted((answer,)) if isinstance(answer, str) else _in_detail(answer(prompt), prompt)


def _stream(answer: Scripted, patience: Patience, on_piece: Callable[[str], None] | None) -> str:
    """The text, told piece by piece."""
    never = threading.Event()
    while not answer.is_ready():
        patience.wait(never, LOOK_SECONDS)
    for piece in answer.pieces:
        patience.wait(never, answer.delay_seconds)
        if isinstance(piece, Exception):
            raise piece
        if on_piece is not None and piece:
            on_piece(piece)
    patience.wait(never, answer.delay_seconds)
    return "".join(piece for piece in answer.pieces if isinstance(piece, str))


def _estimated(prompt: Prompt, text: str) -> Usage:
    asked = sum(estimate_tokens(message.text) for message in prompt.messages)
    return Usage(asked, estimate_tokens(text), estimated=True)
