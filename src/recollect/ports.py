"""Seams: small protocols that state their promise. Nothing on the hook's path imports this at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.drafts import Outcome
    from recollect.model.entries import Origin, Scope
    from recollect.model.messages import Message
    from recollect.model.permissions import Answer, Question


class Prompt(Record):
    """One question to a model."""

    role: str  # default | smol
    system: str
    messages: Sequence[Message]
    headers: Mapping[str, str] = {}
    max_output_tokens: int = 4_096


class Reply(Record):
    """A whole answer."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    request_id: str = ""
    model: str = ""


class Provider(Protocol):
    """Answers one prompt. Raises ProviderError; never returns part of a reply."""

    window_tokens: int

    def complete(self, prompt: Prompt) -> Reply: ...


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
    """Where store_memory and vote_memory lead. Whatever goes wrong is an Outcome with its reason, never an error."""

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

    def store(self, memory: NewMemory) -> Outcome: ...

    def vote(self, fact: str, direction: str, reason: str) -> Outcome: ...

    def prompt(self) -> PromptMemory:
        """What the model is told at the start; empty when there is nothing or the strategy is out of reach."""
        ...

    def close(self) -> None:
        """Finish what waits; calling it twice changes nothing."""
        ...
