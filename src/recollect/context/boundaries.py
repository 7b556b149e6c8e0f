"""Where a conversation is divided: what is before the boundary is summarised, what is behind it stays word for word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.context.pairs import pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.messages import Message


def choose_boundary(messages: Sequence[Message], sizes: Sequence[int], tail_tokens: int) -> int:
    """The earliest place from which the rest fits the budget and at which no call is parted from its result."""
    at = len(messages)
    left = tail_tokens
    while at and sizes[at - 1] <= left:
        at -= 1
        left -= sizes[at]
    return whole_from(messages, at)


def whole_from(messages: Sequence[Message], at: int) -> int:
    """The boundary, moved towards the end until it parts no call from its result and no message from its lead."""
    open_until = [0] * (len(messages) + 1)
    for call, result in pairs(messages).items():
        open_until[call[0]] = max(open_until[call[0]], result[0])
    last = max(open_until[:at], default=0)
    while at < len(messages) and (at <= last or messages[at].joined):
        last = max(last, open_until[at])
        at += 1
    return at
