"""One session of a log of Claude Code, and what its records come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.reading import attachments_of, dict_of, int_of, str_of, text_of
from recollect.hosts.wrappers import typed_text
from recollect.model.sessions import Compacted, Said, Spent
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from recollect.hosts.reading import Json
    from recollect.model.sessions import Began, Event

_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Thread:
    """One session in the log, or a sub-agent's part of it."""

    __slots__ = ("began", "boundary", "branch", "custom", "cwd", "is_agent", "spent", "title")

    def __init__(self, began: Began) -> None:
        self.began = began
        self.is_agent = bool(began.agent)
        self.cwd = began.cwd
        self.branch = began.branch
        self.title = began.title
        self.custom = False
        self.boundary: Compacted | None = None
        self.spent: Spent | None = None


def may_be_typed(record: Json) -> bool:
    """Does nothing in this record say that the host, a tool or a program wrote it?"""
    kind = dict_of(record.get("origin")).get("kind", "human")
    marks = ("isMeta", "isVisibleInTranscriptOnly", "planContent", "sourceToolUseID")
    is_own = record.get("promptSource") == "system"
    return kind == "human" and not is_own and not any(record.get(mark) for mark in marks)


def said_in(thread: Thread, record: Json, content: object, at: float) -> list[Event]:
    """The message of a record, if anything in it was typed."""
    text = typed_text(text_of(content))
    if not text:
        return []
    said = Said(text, at, str_of(record.get("uuid")), thread.cwd, thread.branch, attachments_of(content))
    return [*settled(thread), said]


def compacted(thread: Thread, text: str, at: float, uuid: str) -> list[Event]:
    """The summary, joined with the boundary before it."""
    trigger = thread.boundary.trigger if thread.boundary else ""
    thread.boundary = None
    return [*settled(thread), Compacted(strip_fences(text).strip(), at, trigger, uuid)]


def settled(thread: Thread) -> list[Event]:
    """The cost of the last message and a compaction without a summary, once they can no longer change."""
    held: list[Event] = [event for event in (thread.spent, thread.boundary) if event is not None]
    thread.spent = thread.boundary = None
    return held


def larger(spent: Spent | None, usage: Json, message_id: str) -> Spent:
    """Every line of a message repeats its usage, the early ones with a part of the output only."""
    read_tokens = sum(int_of(usage.get(name)) for name in _TOKENS)
    written = int_of(usage.get("output_tokens"))
    if spent is not None:
        read_tokens, written = max(read_tokens, spent.input_tokens), max(written, spent.output_tokens)
    return Spent(read_tokens, written, message_id)
