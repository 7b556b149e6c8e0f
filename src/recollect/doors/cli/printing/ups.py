"""What `up` found and what is known now, for a person to enjoy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put
from recollect.doors.cli.printing.sessions import size
from recollect.doors.cli.printing.times import local
from recollect.model.hosts import TITLES
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.sessions.past_sessions import HostFound
    from recollect.flows.setup.up import Up
    from recollect.model.entries import Entry

MOST_WAITING = 3
MOST_FOLDERS = 4


def print_found(hosts: Sequence[HostFound], *, sample: bool) -> None:
    """The table of what there is, before anything is imported."""
    rows = [
        (
            TITLES.get(one.host, one.host),
            counted(one.sessions, "session"),
            f"{local(one.first)[:10]} to {local(one.last)[:10]}",
            size(one.bytes),
            _folders(one.folders),
        )
        for one in hosts
    ]
    _Paper().table("Found in the samples" if sample else "Found on this machine", rows)


def _folders(folders: Sequence[str]) -> str:
    names = [folder.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] for folder in folders]
    unique = list(dict.fromkeys(names))
    more = len(unique) - MOST_FOLDERS
    return ", ".join(unique[:MOST_FOLDERS]) + (f" and {more} more" if more > 0 else "")


def print_up(done: Up, *, home: str, sample: bool) -> None:
    """What I know about you, about your repositories, what contradicts what, what waits, and what to ask."""
    paper = _Paper()
    where = f" --home {home}" if sample else ""
    imported = done.imported
    paper.line(
        f"\nRead {counted(imported.sessions, 'new session')} with {counted(imported.turns, 'turn')}; "
        f"kept {counted(done.stored, 'new entry', 'new entries')}, archived {counted(done.archived, 'session')}."
    )
    if done.about_user:
        paper.entries("What I now know about you", done.about_user)
    for repository, entries in done.about_repositories.items():
        paper.entries(f"About {repository.removeprefix('path:')}", entries)
    if done.conflicts:
        paper.pairs("Contradictions", done.conflicts)
    if done.waiting:
        paper.bullets(
            f"Waiting for your review ({len(done.waiting)})",
            [f"{one.what}  ({one.why})" for one in done.waiting[:MOST_WAITING]],
        )
        paper.quiet(f"`recollect pending{where}` shows all; `recollect approve` and `recollect reject` settle them.")
    if done.examples:
        paper.heading("Try asking")
        for one in done.examples:
            paper.question(one.question, one.answers)
    paper.heading("Next")
    for command in (f'recall "your question"{where}', f"list --all{where}", f"session list{where}", "install all"):
        paper.quiet(f"  recollect {command}")
    paper.quiet("The last one connects your agents, so that each turn gets its memory; it shows what it would write.")
    if sample:
        paper.quiet(
            "These were samples, in a home of their own that you may delete; nothing of yours was read or written."
        )


class _Paper:
    """The same pieces on a terminal and in a pipe."""

    def __init__(self) -> None:
        self._page = None
        if on_terminal():
            from recollect.doors.cli.printing.terminal import Page

            self._page = Page()

    def heading(self, text: str) -> None:
        """What the next lines are about."""
        if self._page:
            self._page.heading(text)
        else:
            put(f"\n{text}")

    def line(self, text: str, style: str = "") -> None:
        """A paragraph."""
        if self._page:
            self._page.line(text, style)
        else:
            put(text)

    def quiet(self, text: str) -> None:
        """A paragraph that steps back."""
        self.line(text, "dim")

    def table(self, heading: str, rows: Sequence[Sequence[str]]) -> None:
        """Columns under a heading."""
        if not rows:
            return
        self.heading(heading)
        if self._page:
            self._page.table(rows)
        else:
            for row in rows:
                put("  " + "  ".join(row))

    def bullets(self, heading: str, items: Sequence[str]) -> None:
        """A list under a heading."""
        self.heading(heading)
        if self._page:
            self._page.items([("  -", one_line(item), "", "") for item in items])
        else:
            for item in items:
                put(f"  - {one_line(item)}")

    def entries(self, heading: str, entries: Sequence[Entry]) -> None:
        """Entries under a heading."""
        self.bullets(heading, [entry.content for entry in entries])

    def pairs(self, heading: str, pairs: Sequence[tuple[Entry, Entry]]) -> None:
        """Contradictions."""
        self.heading(heading)
        for newer, older in pairs:
            self.line(f"  - {one_line(newer.content)}  [{self._id(newer)}]")
            self.line(f"    but {one_line(older.content)}  [{self._id(older)}]")
        self.quiet("  The newer one is used until you settle it: `recollect conflicts` says how.")

    def _id(self, entry: Entry) -> str:
        return short_id(entry.entry_id) if self._page else entry.entry_id

    def question(self, question: str, answers: Sequence[str]) -> None:
        """A question and what recall brings."""
        self.line(f"  {question}", "cyan")
        for answer in answers:
            self.line(f"    -> {one_line(answer)}")
