"""The model of an MCP client, which its user already pays for: asked through a callable that the MCP door provides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError, ReplyInvalid
from recollect.model.messages import Media, Message, Text
from recollect.model.record import Record
from recollect.ports import Reply, Usage
from recollect.providers.answers import asked_for, check_schema, checked
from recollect.providers.patience import Patience
from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.ports import Prompt

    Sample = Callable[["Sampling"], "Sampled"]

WINDOW_TOKENS = 32_000  # a client does not say how large its model's window is; few are smaller
CUT_SHORT = "maxTokens"


class Sampling(Record):
    """One question, in the words of the protocol: roles are user and assistant alone.

    Whoever asks it gives up with RequestCancelled or RequestTimedOut when `patience` says so.
    """

    system: str
    messages: tuple[tuple[str, str], ...]  # role and text
    max_output_tokens: int
    prefer_speed: bool
    patience: Patience


class Sampled(Record):
    """What the client's model said, and why it stopped."""

    text: str
    model: str = ""
    stop_reason: str = ""


class SamplingProvider:
    """ports.Provider over a client's model. The person behind the client may see, change or refuse each question.

    The protocol has no stream and no schema: the text is given in one piece, and a schema is asked for in words.
    """

    def __init__(self, sample: Sample, *, window_tokens: int = WINDOW_TOKENS) -> None:
        self.window_tokens = window_tokens
        self._sample = sample

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply:
        """The whole answer. ProviderError when there is none, ReplyInvalid when it was cut short."""
        check_schema(prompt.schema)
        if prompt.tools:
            raise ProviderError("The client's model is asked through MCP sampling, which passes no tools on.")
        system, messages = split(prompt)
        if not messages:
            raise ProviderError("There is nothing to ask the client's model.")
        patience = Patience(prompt)
        patience.check()
        said = self._sample(Sampling(system, messages, prompt.max_output_tokens, prompt.role == "smol", patience))
        patience.check()
        if said.stop_reason == CUT_SHORT:
            raise ReplyInvalid(
                "The client's model stopped in the middle of its answer; its answers may be limited in length."
            )
        asked = estimate_tokens(system) + sum(estimate_tokens(text) for _, text in messages)
        usage = Usage(asked, estimate_tokens(said.text), estimated=True)
        reply = checked(prompt, Reply(Message("assistant", (Text(said.text),)), usage, model=said.model))
        if on_piece is not None:
            on_piece(reply.text)
        return reply


def split(prompt: Prompt) -> tuple[str, tuple[tuple[str, str], ...]]:
    """System text in one piece, and the rest as turns: what tools said is told by the user's side, neighbours join."""
    system = [prompt.system] if prompt.system else []
    turns: list[tuple[str, str]] = []
    for message in prompt.messages:
        text = said_in(message)
        if message.role in ("system", "developer"):
            system.append(text)
        elif text:
            role = "assistant" if message.role == "assistant" else "user"
            if turns and turns[-1][0] == role:
                turns[-1] = (role, f"{turns[-1][1]}\n\n{text}")
            else:
                turns.append((role, text))
    return "\n\n".join(part for part in (*system, asked_for(prompt.schema)) if part), tuple(turns)


def said_in(message: Message) -> str:
    """The texts of a message, what its tools were asked and what they answered included."""
    parts = [message.text] if message.text else []
    parts += [f"({part.kind})" for part in message.parts if isinstance(part, Media)]
    parts += [f"(calls {call.name}: {call.arguments})" for call in message.calls]
    for result in message.results:
        parts += [getattr(part, "text", "") for part in result.parts]
    return "\n".join(part for part in parts if part)
