"""Prompts typed while the agent was at work: Claude Code keeps a line for each that enters or leaves its queue.

Most are written once more, as a message or an attachment, when they are taken up; older versions leave nothing but
these lines. They name no id, so a prompt is known by its words, or by being the first that left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.reading import parse_time, str_of
from recollect.hosts.wrappers import steers_host, typed_text
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.hosts.reading import Json

MOST_HELD = 1_000
_ABSORBED = "absorbed"  # why a prompt was removed, in versions that say so: the agent took it up in its turn


class Prompt(Record):
    """One prompt in the queue."""

    text: str
    at: float
    record_id: str


class Queue:
    """The queue of one session."""

    def __init__(self) -> None:
        self._waiting: list[Prompt] = []
        self._left: list[Prompt] = []
        self._recorded: list[str] = []  # recorded before they left
        self._told: list[str] = []

    def take(self, record: Json) -> None:
        """Take in a line of the queue."""
        content, reason = str_of(record.get("content")), str_of(record.get("reason"))
        match record.get("operation"):
            case "enqueue":
                stamp = str_of(record.get("timestamp"))
                prompt = Prompt(content, parse_time(stamp), f"{str_of(record.get('sessionId'))}:queued:{stamp}")
                self._waiting = [*self._waiting[-MOST_HELD:], prompt]
            case "dequeue":
                self._leaves(0)
            case "remove":
                known = [number for number, one in enumerate(self._waiting) if _key(one.text) == _key(content)]
                if known or not content:
                    self._leaves(known[0] if known else 0, sent=not reason or reason.startswith(_ABSORBED))
            case "popAll":  # back into the input box
                self._waiting.clear()

    def _leaves(self, number: int, *, sent: bool = True) -> None:
        if number >= len(self._waiting):
            return
        prompt = self._waiting.pop(number)
        if _key(prompt.text) in self._recorded:
            self._recorded.remove(_key(prompt.text))
        elif sent:
            self._left.append(prompt)

    def recorded(self, text: str, *, as_queued: bool, may_be_typed: bool) -> bool:
        """A message or attachment came: the prompt it repeats has a record. Was that prompt told already?"""
        key = _key(text)
        if as_queued and key in self._told:
            self._told.remove(key)
            return True
        left = [one for one in self._left if _key(one.text) == key]
        # What was pasted into a prompt is spelt out in its record.
        if not left and may_be_typed and not any(_key(one.text) == key for one in self._waiting):
            left = self._left[:1]
        if left:
            self._left.remove(left[0])
        elif any(_key(one.text) == key for one in self._waiting):
            self._recorded.append(key)
        return False

    def unrecorded(self) -> list[Prompt]:
        """The prompts that were taken up and have no record, now that the agent speaks again; each once."""
        left, self._left = self._left, []
        self._told = [*self._told, *(_key(one.text) for one in left)][-MOST_HELD:]
        typed = (one._replace(text=typed_text(one.text)) for one in left)
        return [one for one in typed if one.text and not steers_host(one.text)]


def _key(text: str) -> str:
    return " ".join(typed_text(text).split())
