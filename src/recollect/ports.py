"""Seams: small protocols that state their promise. Nothing on the hook's path imports this at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from recollect.model.record import Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.model.messages import Message


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
