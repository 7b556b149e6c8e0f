"""Every tool call has its result and every result its call: checked as a conversation grows, and mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.messages import Message, Thinking, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class PairCheck:
    """Says how far a growing conversation is whole; a further question costs what is new since the last."""

    def __init__(self) -> None:
        self._seen: list[Message] = []
        self._open: dict[str, int] = {}
        self._orphans = 0
        self._whole_until = 0

    def whole(self, messages: Sequence[Message]) -> bool:
        """Whether no call lacks its result and no result its call."""
        return self.whole_until(messages) == len(messages)

    def whole_until(self, messages: Sequence[Message]) -> int:
        """How many messages from the start on are whole by themselves."""
        if list(messages[: len(self._seen)]) != self._seen:
            self._seen, self._open, self._orphans, self._whole_until = [], {}, 0, 0
        for message in messages[len(self._seen) :]:
            self._take(message)
            self._seen.append(message)
            if not self._orphans and not self._open:
                self._whole_until = len(self._seen)
        return self._whole_until

    def _take(self, message: Message) -> None:
        for part in message.parts:
            if isinstance(part, ToolCall):
                self._open[part.call_id] = self._open.get(part.call_id, 0) + 1
            elif isinstance(part, ToolResult):
                if part.call_id not in self._open:
                    self._orphans += 1
                elif self._open[part.call_id] == 1:
                    del self._open[part.call_id]
                else:
                    self._open[part.call_id] -= 1


def pairs(messages: Iterable[Message]) -> dict[tuple[int, int], tuple[int, int]]:
    """Where each answered call stands (message, part), and where its result does."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    waiting: dict[str, list[tuple[int, int]]] = {}
    for number, message in enumerate(messages):
        for at, part in enumerate(message.parts):
            if isinstance(part, ToolCall):
                waiting.setdefault(part.call_id, []).append((number, at))
            elif isinstance(part, ToolResult) and waiting.get(part.call_id):
                found[waiting[part.call_id].pop()] = (number, at)
    return found


def mend(messages: Sequence[Message]) -> list[Message]:
    """The conversation without calls that were never answered and results that nobody asked for."""
    matched = pairs(messages)
    kept = set(matched) | set(matched.values())
    mended: list[Message | None] = []
    for number, message in enumerate(messages):
        parts = tuple(
            part
            for at, part in enumerate(message.parts)
            if not isinstance(part, ToolCall | ToolResult) or (number, at) in kept
        )
        if len(parts) == len(message.parts):
            mended.append(message)
        else:
            empty = all(isinstance(part, Thinking) for part in parts)
            mended.append(None if empty else message._replace(parts=parts))
    return without_gaps(messages, mended)


def without_gaps(before: Sequence[Message], after: Sequence[Message | None]) -> list[Message]:
    """What is left of the messages; one that was joined to a message that is gone stands for itself."""
    left: list[Message] = []
    leaderless = False
    for old, new in zip(before, after, strict=True):
        leaderless = leaderless and old.joined
        if new is None:
            leaderless = leaderless or not old.joined
            continue
        left.append(new._replace(joined=False) if leaderless else new)
        leaderless = False
    return left


def open_calls(messages: Sequence[Message]) -> int:
    """Where the calls at the end begin that still wait for a result; the length when none does.

    Only the end is looked at: a result belongs to the latest call of its id, so what stands before changes nothing.
    """
    first = len(messages)
    while first and messages[first - 1].role in ("assistant", "tool", "user"):
        first -= 1
        if not messages[first].results or messages[first].text:
            break
    end = messages[first:]
    answered = pairs(end)
    for at in reversed(range(len(end))):
        if any(isinstance(part, ToolCall) and (at, n) not in answered for n, part in enumerate(end[at].parts)):
            return first + at
    return len(messages)
