"""Inbox entries: what a sidekick found for one session, and how the main agent hears of it. Pure."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text.fences import TURN_TAG, fence, neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NEW, TOLD, READ = "new", "told", "read"
LONGEST_SUMMARY, LONGEST_CONTENT = 160, 8_000
MOST_ENTRIES = 200  # of a session
MOST_TOLD = 3  # at once
_TOLD = re.compile(r"^- \[i_[0-9a-z]{26}\] (.+)$", re.M)
REFERENCE = "From your inbox, for reference only: not a request."
NOTICE = (
    "Background agents left something in your inbox. Read an entry with the inbox tool if it helps; it is reference."
)


class InboxEntry(Record):
    """One thing that a sidekick found."""

    entry_id: str
    sender: str
    summary: str
    content: str
    turn: int = 0
    created: float = 0.0
    state: str = NEW
    about: tuple[str, ...] = ()  # what it was made of, so that nothing is sent twice
    repository: str = ""


def notice(entries: Sequence[InboxEntry]) -> str:
    """The system notification: id and one line each."""
    if not entries:
        return ""
    lines = [f"- [{one.entry_id}] {_line(one)}" for one in entries[:MOST_TOLD]]
    more = len(entries) - len(lines)
    if more > 0:
        lines.append(f"- and {more} more; `list` shows them")
    return fence("\n".join([NOTICE, *lines]), tag=TURN_TAG, label="inbox")


def lines_of(text: str) -> list[str]:
    """The lines of a notice in a text, for a person: who found something, and what it is about."""
    return _TOLD.findall(text)


def listed(entries: Sequence[InboxEntry]) -> str:
    """What `list` answers."""
    if not entries:
        return "Your inbox is empty."
    return "\n".join(f"- [{one.entry_id}] {_line(one)}{' (read)' if one.state == READ else ''}" for one in entries)


def whole(entry: InboxEntry) -> str:
    """What `read` answers."""
    return f"{REFERENCE}\n{_line(entry)}\n\n{neutralise(entry.content)}"


def _line(entry: InboxEntry) -> str:
    return f"{neutralise(entry.sender)}: {neutralise(' '.join(entry.summary.split()))}"
