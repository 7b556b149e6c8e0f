"""Seams: small protocols that state their promise. Nothing on the hook's path imports this at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.model.entries import Origin, Scope
    from recollect.model.messages import Json, Message, ToolCall
    from recollect.model.permissions import Answer, Question, Written


class OfferedTool(Record):
    """A tool that the model may call. It is never run here: the call comes back in the reply."""

    name: str
    description: str
    arguments_schema: Json


class Prompt(Record):
    """One question to a model: a conversation, what may be called, and how long the answer may take."""

    role: str  # default | smol
    system: str
    messages: Sequence[Message]
    headers: Mapping[str, str] = {}
    max_output_tokens: int = 4_096
    tools: Sequence[OfferedTool] = ()
    schema: Json | None = None  # JSON Schema of the answer; the reply's `value` fits it
    limit_seconds: float = 0.0  # from the call until the whole reply is there; 0 sets no limit
    cancelled: Callable[[], bool] = bool  # asked again and again while the model works; `bool()` is False


class Usage(Record):
    """What a reply took. Counts that the provider does not report are estimated, and `estimated` says so."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0  # of the input: what the provider had in its cache
    cost_usd: float | None = None  # None when nobody knows
    estimated: bool = False


class Reply(Record):
    """A whole answer: a message of the assistant, with text, thinking and tool calls."""

    message: Message
    usage: Usage = Usage()
    value: Any = None  # the answer as JSON, checked against the schema that the prompt gave
    request_id: str = ""
    model: str = ""

    @property
    def text(self) -> str:
        """What the model said."""
        return self.message.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """What the model wants done."""
        return self.message.calls


class Provider(Protocol):
    """Answers one prompt, whole or not at all.

    `on_piece` is given the text as it comes; when the request fails after that, what was given is void. Raises
    ReplyInvalid for an answer that is not what was asked for, RequestCancelled or RequestTimedOut soon after the
    prompt says so, and ProviderError for everything else.
    """

    window_tokens: int

    def complete(self, prompt: Prompt, on_piece: Callable[[str], None] | None = None) -> Reply: ...


class Ask(Protocol):
    """Puts a question to a person; the answer is `nobody` when none can be reached. It never comes from an agent."""

    def __call__(self, question: Question) -> Answer: ...


class NewMemory(Record):
    """One fact for a strategy to keep: redacted and valid."""

    subject: str
    fact: str
    citations: tuple[str, ...]
    reason: str
    scope: Scope
    source: str = ""  # which agent wrote it
    origin: Origin = "assistant"


class PromptMemory(Record):
    """What a strategy has to say at the start of a session, and what its tools can do."""

    text: str = ""
    counts: Mapping[str, int] = {}
    store_instructions: str = ""
    can_vote: bool = False


class Strategy(Protocol):
    """Where store_memory and vote_memory lead. Whatever goes wrong is a Written with its reason, never an error."""

    name: str

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where a fact can hold."""
        ...

    @property
    def can_vote(self) -> bool: ...

    @property
    def why_off(self) -> str:
        """Why this memory cannot be used now; empty when it can."""
        ...

    def store(self, memory: NewMemory) -> Written: ...

    def vote(self, fact: str, direction: str, reason: str) -> Written: ...

    def prompt(self) -> PromptMemory:
        """What the model is told at the start; empty when there is nothing or the strategy is out of reach."""
        ...

    def close(self) -> None:
        """Finish what waits; calling it twice changes nothing."""
        ...
