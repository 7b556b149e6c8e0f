"""What holds for every model alike: nothing is sent unredacted or beyond a ceiling, a busy server is asked again, an
answer that does not fit is mended once, and every call is written down with what it took."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from recollect.errors import (
    AnswerLost,
    ProviderBusy,
    ProviderError,
    ReplyInvalid,
    RequestCancelled,
    RequestTimedOut,
)
from recollect.model.messages import Message, Text
from recollect.model.record import Record
from recollect.ports import Usage
from recollect.providers.answers import asked_for, check_schema
from recollect.providers.patience import Patience
from recollect.providers.sending import cleaned
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.ports import Prompt, Provider, Reply, Spending

MOST_TRIES = 3
REST_SECONDS = 0.5  # before the second try, and twice as long before the third
LONGEST_REPEATED = 4_000  # characters of an answer that does not fit, when the model is told so
LONGEST_ERROR = 1_000  # of what was wrong with it
_PER_MESSAGE = 8  # tokens that a provider adds around each


class Call(Record):
    """One question and what came of it, for the log; without a word of what was said."""

    role: str
    model: str  # as the provider names it
    seconds: float
    usage: Usage
    tries: int
    error: ProviderError | None = None
    context_edits: tuple[str, ...] = ()  # of which kinds: what the provider did to the conversation on its side


class Guarded:
    """A provider behind everything that holds for all of them."""

    def __init__(
        self,
        provider: Provider,
        spending: Spending,
        *,
        limit_seconds: float,
        told: Callable[[Call], None] = lambda call: None,
        rest_seconds: float = REST_SECONDS,
    ) -> None:
        self.window_tokens = provider.window_tokens
        self._provider = provider
        self._spending = spending
        self._limit_seconds = limit_seconds
        self._told = told
        self._rest_seconds = rest_seconds

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The whole answer."""
        check_schema(prompt.schema)
        limit = min(prompt.limit_seconds or self._limit_seconds, self._limit_seconds)
        work = _Work(cleaned(prompt)._replace(limit_seconds=limit), on_piece)
        try:
            reply = self._mended(work)
        except ProviderError as error:
            self._told(work.call(error))
            raise
        self._told(work.call(None, reply))
        return reply._replace(usage=work.usage)

    def _mended(self, work: _Work) -> Reply:
        """The answer; one that does not fit its schema is asked for once more, with what was wrong."""
        try:
            return self._tried(work, work.prompt)
        except ReplyInvalid as error:
            if not error.mendable or work.pieces:
                raise
            return self._tried(work, _again(work.prompt, error))

    def _tried(self, work: _Work, prompt: Prompt) -> Reply:
        """The answer; a server that is busy and did nothing is asked again after a rest, as long as there is time."""
        rest = self._rest_seconds
        while True:
            try:
                return self._asked(work, prompt)
            except ProviderBusy as error:
                pause = max(rest, error.wait_seconds)
                if work.tries >= MOST_TRIES or work.pieces or pause >= work.left_seconds:
                    raise
                work.patience.wait(threading.Event(), pause)
                rest *= 2

    def _asked(self, work: _Work, prompt: Prompt) -> Reply:
        """One request, within the ceilings: what it may take is taken before, and put right after."""
        work.patience.check()
        question = question_tokens(prompt)
        taken = question + prompt.max_output_tokens
        self._spending.take(taken)
        work.tries += 1
        used = 0
        try:
            reply = self._provider.complete(prompt._replace(limit_seconds=work.left_seconds), work.hand_on)
            used = reply.usage.input_tokens + reply.usage.output_tokens
            work.count(reply.usage)
            return reply
        except (ReplyInvalid, RequestTimedOut, RequestCancelled, AnswerLost) as error:
            # It worked on it, and nobody says how much it said: what was asked counts, and what came.
            said = estimate_tokens(error.said) if isinstance(error, ReplyInvalid) else 0
            used = question + said
            work.count(Usage(question, said, estimated=True))
            raise
        finally:
            self._spending.put_right(taken, used)


class _Work:
    """One question from its beginning to its end, however often it is asked."""

    def __init__(self, prompt: Prompt, on_piece: Callable[[str], None] | None) -> None:
        self.prompt = prompt
        self.patience = Patience(prompt)
        self.tries = 0
        self.pieces = False
        self.usage = Usage()
        self._on_piece = on_piece
        self._began = time.monotonic()

    @property
    def left_seconds(self) -> float:
        """How much time is left; a little at least, so that it is the provider that says when it is over."""
        return max(self.prompt.limit_seconds - (time.monotonic() - self._began), 0.001)

    def hand_on(self, piece: str) -> None:
        """A piece of the answer has come."""
        if self._on_piece is not None:
            self.pieces = True
            self._on_piece(piece)

    def count(self, used: Usage) -> None:
        """Add what one request took."""
        before = self.usage
        costs = [one.cost_usd for one in (before, used) if one.cost_usd is not None]
        self.usage = Usage(
            before.input_tokens + used.input_tokens,
            before.output_tokens + used.output_tokens,
            before.cached_tokens + used.cached_tokens,
            sum(costs) if costs else None,
            before.estimated or used.estimated,
        )

    def call(self, error: ProviderError | None, reply: Reply | None = None) -> Call:
        """What is written down of it."""
        seconds = time.monotonic() - self._began
        model = reply.model if reply else ""
        edits = tuple(str(one.get("type", "")) for one in reply.context_edits) if reply else ()
        return Call(self.prompt.role, model, seconds, self.usage, self.tries, error, edits)


def question_tokens(prompt: Prompt) -> int:
    """What a question takes, estimated: everything that is sent counts."""
    texts = [prompt.system, asked_for(prompt.schema)]
    for tool in prompt.tools:
        texts += [tool.name, tool.description, str(tool.arguments_schema)]
    for message in prompt.messages:
        texts += [message.text, *(call.name + call.arguments for call in message.calls)]
        texts += [getattr(part, "text", "") for result in message.results for part in result.parts]
    return sum(map(estimate_tokens, texts)) + _PER_MESSAGE * (len(prompt.messages) + 1)


def most_tokens(prompt: Prompt) -> int:
    """What a question takes at most: two answers as long as they may be, because one that does not fit is asked for
    once more, with as much of it as is repeated."""
    again = question_tokens(_again(prompt, ReplyInvalid("x" * LONGEST_ERROR)))
    repeated = min(LONGEST_REPEATED, prompt.max_output_tokens)
    return question_tokens(prompt) + again + repeated + 2 * prompt.max_output_tokens


def _again(prompt: Prompt, error: ReplyInvalid) -> Prompt:
    said = Message("assistant", (Text(error.said[:LONGEST_REPEATED] or "(nothing)"),))
    wrong = Message("user", (Text(f"That cannot be used. {error} {asked_for(prompt.schema)}"),))
    # A model can repeat a secret that it made up, or put one together.
    return cleaned(prompt._replace(messages=(*prompt.messages, said, wrong)))
