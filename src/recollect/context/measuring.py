"""What the rest of this room needs of a counter, and text cut to a number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from recollect.text.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.messages import Message

TRUNCATED = "...<truncated>..."
HEAD_SHARE = 0.65
CLIPPING_TRIES = 6


class Counted(Protocol):
    """The tokens of a request, by what they are spent on."""

    @property
    def system(self) -> int: ...
    @property
    def conversation(self) -> int: ...
    @property
    def tools(self) -> int: ...
    @property
    def total(self) -> int: ...


class Counting(Protocol):
    """Counts a request. The same counter counts before and after, so that the two can be compared."""

    def count(self, messages: Sequence[Message], tools: Sequence[Any] = ()) -> Counted: ...
    def message(self, message: Message) -> int: ...
    def text(self, text: str) -> int: ...


def clip_middle(text: str, limit_tokens: int, marker: str = TRUNCATED) -> str:
    """The text, or its beginning and its end around the marker, within a number of tokens."""
    tokens = estimate_tokens(text)
    if tokens <= limit_tokens:
        return text
    characters = int(len(text) * limit_tokens / tokens) - len(marker)
    for _ in range(CLIPPING_TRIES):
        head = int(max(0, characters) * HEAD_SHARE)
        tail = max(0, characters) - head
        clipped = f"{text[:head]}{marker}{text[len(text) - tail :] if tail else ''}"
        tokens = estimate_tokens(clipped)
        if tokens <= limit_tokens or characters <= 0:
            break
        characters = int(characters * 0.97 * limit_tokens / tokens)
    return clipped
