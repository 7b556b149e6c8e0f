"""From a log back to the conversation it tells of: compactions reapplied, truncations passed over, rewinds honoured.

Every event leaves the conversation in a state, and a rewind names the event whose state is to hold again. States share
what they have in common, so that any of them can be gone back to, also one that was itself rewound away.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recollect.sessions import events, kept_state
from recollect.sessions.encodings import message_of
from recollect.sessions.events import Event, event_of
from recollect.sessions.kept_state import NOTHING_KEPT, KeptState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.messages import Message

MESSAGE, COMPACTION, REWIND = "message", "compaction", "rewind"
_HEAD = re.compile(rb'\{"id":"([^"\\]+)","type":"([^"\\]+)"')


# Not a Record: comparing two of them would walk down to the beginning of the conversation.
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class State:
    """The conversation after an event, as what that event added to the state before it."""

    event_id: str
    before: State | None
    message: Message | None = None
    replacement: tuple[Message, ...] | None = None
    turn: int = 0  # turns so far, also those that a compaction replaced
    checkpoints: tuple[int, ...] = ()  # numbers of the compactions it rests on
    kept: KeptState = NOTHING_KEPT


@dataclass(frozen=True, slots=True, eq=False)
class LastChange:
    """The last event that changed the conversation, and the state before it."""

    kind: str  # message | compaction | rewind
    before: State


class Replay:
    """A conversation that follows its log, event by event."""

    def __init__(self, log: Iterable[Event] = ()) -> None:
        self.head = State("", None)
        self.last_change: LastChange | None = None
        self.last: Event | None = None
        self._states = {"": self.head}
        self._messages: list[Message] = []
        for event in log:
            self.apply(event)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation as it stands."""
        return tuple(self._messages)

    @property
    def turn(self) -> int:
        """The number of the turn that is going on."""
        return self.head.turn

    @property
    def checkpoints(self) -> tuple[int, ...]:
        """The checkpoints that the conversation rests on; one that was rewound away is not among them."""
        return self.head.checkpoints

    def apply(self, event: Event) -> bool:
        """Take in the next event; whether it changed the conversation. One that was taken in before changes nothing."""
        if event.event_id in self._states:
            return False
        self.last = event
        before = self.head
        if event.kind in events.MESSAGES:
            changed = self._add(event)
        elif event.kind == events.COMPACTION_COMPLETE:
            changed = self._compact(event)
        elif event.kind == events.REWIND:
            changed = self._rewind(event)
        else:
            changed = ""
            self._keep(event)
        self._states[event.event_id] = self.head
        if changed:
            self.last_change = LastChange(changed, before)
        return bool(changed)

    def state(self, event_id: str) -> State | None:
        """The state right after an event; of its beginning for an empty id, None for an event that is not there."""
        return self._states.get(event_id)

    def knows(self, event_id: str) -> bool:
        """Is the event in the log?"""
        return event_id in self._states

    def starting_with(self, prefix: str) -> list[str]:
        """The events whose id begins like this, in the order of the log."""
        return [event_id for event_id in self._states if event_id and event_id.startswith(prefix)]

    def before_turn(self, number: int) -> State | None:
        """The state before the user's message of that turn; None when the conversation has no such turn."""
        return next((state.before for state in self.chain() if _begins_turn(state, number)), None)

    def chain(self) -> Iterator[State]:
        """The states that the conversation rests on, the latest first."""
        return chain(self.head)

    def _add(self, event: Event) -> str:
        begins_turn = events.begins_turn(event)
        try:
            message = message_of(event.data.get("message"))
        except (ValueError, TypeError):
            # A tool's end that brings no message, or a message of a version to come: a turn counts all the same.
            if not begins_turn:
                return ""
            message = None
        turn = self.head.turn + begins_turn
        before = self.head
        self.head = State(event.event_id, before, message, None, turn, before.checkpoints, before.kept)
        self._messages += [message] if message is not None else []
        return MESSAGE

    def _compact(self, event: Event) -> str:
        replacement = event.data.get("replacement")
        if event.data.get("success") is not True or not isinstance(replacement, list):
            return ""
        try:
            messages = tuple(message_of(one) for one in replacement)
        except (ValueError, TypeError):
            return ""
        number = event.data.get("checkpointNumber")
        numbers = (*self.head.checkpoints, number) if isinstance(number, int) else self.head.checkpoints
        self.head = State(event.event_id, self.head, None, messages, self.head.turn, numbers, self.head.kept)
        self._messages = list(messages)
        return COMPACTION

    def _keep(self, event: Event) -> None:
        kept = kept_state.after(self.head.kept, event)
        if kept is not self.head.kept:
            self.head = replace(
                self.head, event_id=event.event_id, before=self.head, message=None, replacement=None, kept=kept
            )

    def _rewind(self, event: Event) -> str:
        target = event.data.get("toEventId")
        state = self._states.get(target) if isinstance(target, str) else None
        if state is None:
            return ""
        self.head = state
        self._messages = messages_of(state)
        return REWIND


def replay(log: Iterable[Event]) -> tuple[Message, ...]:
    """The conversation at the end of a log, or of any part of it from its beginning."""
    return Replay(log).messages


def chain(state: State | None) -> Iterator[State]:
    """A state and those it rests on, the latest first, without the empty one at the beginning."""
    while state is not None and state.before is not None:
        yield state
        state = state.before


def messages_of(state: State) -> list[Message]:
    """The conversation in a state."""
    found: list[Message] = []
    for one in chain(state):
        if one.replacement is not None:
            return [*one.replacement, *reversed(found)]
        if one.message is not None:
            found.append(one.message)
    return found[::-1]


def count_turns(lines: Iterable[bytes]) -> int:
    """How many turns a conversation has, reading no more of it than what the user said."""
    counts = {b"": 0}
    now = 0
    for line in lines:
        head = _HEAD.match(line)
        if head is None or head[1] in counts:
            continue
        if head[2] == b"user.message":
            event = event_of(line)
            if event is None:  # cut off by a crash
                continue
            now += events.begins_turn(event)
        elif head[2] == b"session.rewind":
            now = counts.get(_target(line), now)
        counts[head[1]] = now
    return now


def _target(line: bytes) -> bytes:
    try:
        return str(json.loads(line)["data"]["toEventId"]).encode()
    except (ValueError, KeyError, TypeError):
        return b"?"


def _begins_turn(state: State, number: int) -> bool:
    before = state.before
    return before is not None and state.turn == number and before.turn == number - 1
