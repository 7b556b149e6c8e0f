"""The inbox of one session: send, list, read, and the notice that goes with the next prompt."""

from __future__ import annotations

import re

from recollect.errors import NotFound, Refused, UsageError
from recollect.files import inbox as kept
from recollect.flows.board.tool import ToolAnswer
from recollect.sidekicks.inbox import (
    LONGEST_CONTENT,
    LONGEST_SUMMARY,
    MOST_ENTRIES,
    NEW,
    InboxEntry,
    listed,
    notice,
    whole,
)  # fmt: skip
from recollect.text import ids
from recollect.text.clean import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.opened import Opened

    Entries = list[InboxEntry]

PREFIX = ids.INBOX
_ID = re.compile(r"i_[0-9a-z]{26}")


class Inbox:
    """What sidekicks found for one session."""

    def __init__(self, memory: Opened, *, host: str = "", session: str = "", folder: str = "") -> None:
        self._memory = memory
        self._folder = folder or kept.session_folder(host, session)
        self._sessions = memory.home.sessions

    def list(self) -> Entries:
        """Every entry, oldest first."""
        return [_entry(one) for one in kept.all_entries(self._sessions, self._folder)]

    def new(self) -> Entries:
        """What the main agent was not told of yet."""
        return [_entry(one) for one in kept.new_entries(self._sessions, self._folder)]

    def send(
        self,
        sender: str,
        summary: str,
        content: str,
        *,
        turn: int = 0,
        most: int = 1,
        about: Sequence[str] = (),
    ) -> InboxEntry:
        """Keep an entry; Refused when this sender has sent as many in this turn as it may."""
        summary, content = " ".join(clean(summary).split()), clean(content).strip()
        if not (summary and content):
            raise UsageError("send_inbox needs a summary and a content.")
        sent = [one for one in self.list() if one.sender == sender and one.turn == turn]
        if len(sent) >= most:
            raise Refused(
                f"{sender} may send at most {most} {'entry' if most == 1 else 'entries'} in a turn; nothing was sent."
            )
        made = InboxEntry(
            self._memory.new_id(PREFIX),
            sender,
            summary if len(summary) <= LONGEST_SUMMARY else summary[: LONGEST_SUMMARY - 1] + "…",
            content[:LONGEST_CONTENT],
            turn,
            self._memory.now,
            about=tuple(about),
            repository=self._memory.repository.repository,
        )
        fields = {**made._asdict(), "about": list(about)}
        kept.add_entry(self._sessions, self._folder, made.entry_id, fields, most=MOST_ENTRIES)
        return made

    def read(self, entry_id: str) -> InboxEntry:
        """One entry by its id, or the beginning of one; it counts as read from now on."""
        found = [one for one in self.list() if entry_id and one.entry_id.startswith(entry_id)]
        if len(found) != 1:
            raise NotFound(f"The inbox has no entry {entry_id[:40]!r}; `list` shows all entries.")
        kept.mark(self._sessions, self._folder, found[0].entry_id, kept.READ)
        return found[0]

    def tell(self, entries: Sequence[InboxEntry]) -> None:
        """The main agent was told of these."""
        for one in entries:
            kept.mark(self._sessions, self._folder, one.entry_id, kept.TOLD)

    def untell(self, text: str) -> None:
        """The notice in this text never reached the agent: tell it with the next prompt."""
        for entry_id in _ID.findall(text):
            kept.mark(self._sessions, self._folder, entry_id, kept.NEW)

    def follow(self, before: str, now: str) -> None:
        """A conversation went back or forward: what it no longer says is new again, what it says again was told."""
        for one in self.list():
            if one.entry_id in before and one.entry_id not in now:
                kept.mark(self._sessions, self._folder, one.entry_id, kept.NEW)
            elif one.entry_id in now and one.state == NEW:
                kept.mark(self._sessions, self._folder, one.entry_id, kept.TOLD)

    def notice(self) -> tuple[str, Entries]:
        """What to tell with the next prompt, and of which entries."""
        fresh = self.new()
        return notice(fresh), fresh


def inbox_tool(inbox: Inbox, arguments: Mapping[str, object]) -> ToolAnswer:
    """The tool inbox: list, or read one entry."""
    command, entry_id = str(arguments.get("command") or "list"), str(arguments.get("id") or "")
    if command == "list":
        return ToolAnswer(listed(inbox.list()))
    if command != "read":
        return ToolAnswer(f"inbox has no command {command[:40]!r}; use list or read.", failed=True)
    if not entry_id:
        return ToolAnswer("read needs id.", failed=True)
    try:
        return ToolAnswer(whole(inbox.read(entry_id)))
    except NotFound as error:
        return ToolAnswer(str(error), failed=True)


def _entry(found: Mapping[str, object]) -> InboxEntry:
    texts = {
        name: str(found.get(name) or "") for name in ("entry_id", "sender", "summary", "content", "state", "repository")
    }
    turn, created = found.get("turn"), found.get("created")
    about = found.get("about")
    return InboxEntry(
        **texts,
        turn=turn if isinstance(turn, int) else 0,
        created=float(created) if isinstance(created, (int, float)) else 0.0,
        about=tuple(map(str, about)) if isinstance(about, list) else (),
    )
