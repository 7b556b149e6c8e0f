"""What a compaction of Codex leaves in its log: the summary, and a message of the assistant that says the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.hosts.reading import dict_of, list_of, str_of, text_of
from recollect.hosts.wrappers import is_summary, typed_text
from recollect.model.sessions import Answered, Compacted, Moved, Spent
from recollect.text.fences import strip_fences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from recollect.hosts.reading import Json
    from recollect.model.sessions import Event

_TRUNCATED = "tokens truncated"


def summary_in(payload: Json, is_typed: Callable[[str], bool]) -> str:
    """A compaction's summary: its own message, or in the replacement history the text that nobody typed.

    The history also repeats what the user typed; the summary itself may be encrypted and then is not to be had.
    """
    if message := str_of(payload.get("message")):
        return message
    others = []
    for item in map(dict_of, reversed(list_of(payload.get("replacement_history")))):
        text = text_of(item.get("content"))
        if is_summary(text):
            return text
        if (
            item.get("role") == "user"
            and _TRUNCATED not in text
            and (typed := typed_text(text))
            and not is_typed(typed)
        ):
            others.append(typed)
    return others[0] if others else ""


def without_summaries(events: Iterable[Event]) -> Iterator[Event]:
    """The events without messages of the assistant that are nothing but the summary of the compaction after them."""
    held: list[Event] = []
    for event in events:
        if held and isinstance(event, Spent | Moved):
            held.append(event)
            continue
        if held and isinstance(event, Compacted) and isinstance(held[0], Answered):
            held = held[1:] if _is_summary_in(held[0].text, event.summary) else held
        yield from held
        held = []
        if isinstance(event, Answered):
            held.append(event)
        else:
            yield event
    yield from held


def _is_summary_in(text: str, summary: str) -> bool:
    """Is the summary this text, with at most the host's own line before it?"""
    text = strip_fences(text).strip()
    before = summary[: len(summary) - len(text)].strip()
    return summary.endswith(text) and (not before or (is_summary(before) and "\n" not in before))
