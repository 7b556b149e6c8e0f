"""How entries look: a list, one in full, its trail, and pairs that contradict each other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.doors.authors import author
from recollect.doors.cli.printing.output import counted, on_terminal, one_line, put, put_json, put_rest, put_row, say
from recollect.doors.cli.printing.times import ago, local
from recollect.model.entries import action_word, status_word
from recollect.model.receipts import PREFERENCE
from recollect.model.record import Record
from recollect.text.ids import short_id
from recollect.text.rendering import citation_label
from recollect.text.sections import SECTION_TAG

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.text import Text

    from recollect.flows.views.show import Details
    from recollect.memory.checks import Checked
    from recollect.memory.history import Step
    from recollect.model.entries import Entry

SETTLE = "Drop the wrong one with `recollect forget ID`; if neither is right, use `recollect correct ID TEXT`."
LONGEST_LISTED = 240  # characters of an entry in a list on a terminal
ARCHIVE = "The archive is not in this list; see it with `{}`."
HOW = {"given": "given", "known": "the session had it already", "preference": "at the start, as a standing preference"}
LAYER_NAMES = {"L0": "profile", "L1": "knowledge", "L2": "archive"}


class Notes(Record):
    """What is to be said with a list."""

    words: str  # that somebody looked for
    narrowed: bool  # only some kinds of entries were wanted
    more: bool  # there are more than these
    archive: str  # the command that lists the past sessions that were left out
    everywhere: bool  # every repository was looked at
    elsewhere: Callable[[str], str]  # the name of another repository


def print_entries(entries: Sequence[Entry], checks: Sequence[Checked], notes: Notes, *, as_json: bool) -> None:
    """A list; in a pipe one entry per line: id, layer, scope, status, check, created, content."""
    if as_json:
        from recollect.doors.shapes import entry_json

        put_json([entry_json(entry, checked.check) for entry, checked in zip(entries, checks, strict=True)])
    elif not entries:
        say(_none(notes))
        if notes.archive:
            say(ARCHIVE.format(notes.archive))
    elif on_terminal():
        _entries_page(entries, checks, notes)
    else:
        for entry, checked in zip(entries, checks, strict=True):
            cells = (
                entry.entry_id,
                entry.layer,
                entry.scope,
                status_word(entry.status),
                checked.check,
                local(entry.created),
            )
            put_row((*cells, entry.content))
        if notes.archive:
            say(ARCHIVE.format(notes.archive))


def _none(notes: Notes) -> str:
    """That nothing is listed, and where else to look."""
    here = "" if notes.everywhere else " here"
    look = "" if notes.everywhere else " Look everywhere with --all."
    if notes.words:
        return f"No entry{here} contains “{notes.words}”.{look}"
    if notes.narrowed:
        return f"No such entries{here}.{look}"
    return f"No entries{here} yet. Add one with `recollect remember TEXT`.{look}"


def _entries_page(entries: Sequence[Entry], checks: Sequence[Checked], notes: Notes) -> None:
    from recollect.doors.cli.printing.terminal import Page, check_look, join, status_look

    now = time.time()
    page = Page()
    rows = []
    for entry, checked in zip(entries, checks, strict=True):
        below = join(
            short_id(entry.entry_id),
            ago(entry.created, now=now),
            status_look(entry.status),
            check_look(checked.check),
            "" if entry.source == "user" else author(entry),
            "everywhere" if entry.scope == "user" and entry.layer != "L0" else _in(notes.elsewhere(entry.repository)),
            " ".join(_tag_look(tag) for tag in entry.tags),
        )
        rows.append((entry.layer, _cut(entry.content), below, ""))
    page.items(rows)
    if notes.more:
        put_rest(len(rows))
    if notes.archive:
        page.hint(f"\n{ARCHIVE.format(notes.archive)}")


def _in(place: str) -> str:
    return f"in {place}" if place else ""


def print_details(details: Details, checks: Sequence[Checked], *, place: str, as_json: bool) -> None:
    """Everything about one entry."""
    if as_json:
        from recollect.doors.shapes import details_json

        put_json(details_json(details, checks))
    elif on_terminal():
        _details_page(details, checks, place)
    else:
        entry = details.entry
        put(f"content: {one_line(entry.content)}")
        for name, value in _facts(details, place):
            if value:
                put(f"{name}: {one_line(value)}")
        for citation, checked in zip(entry.citations, checks, strict=True):
            put(f"citation: {citation_label(citation, whole=True)} {checked.check}")
        for one in details.chain if len(details.chain) > 1 else ():
            put(f"version: {one.entry_id} {status_word(one.status)} {one_line(one.content)}")
        for step in details.history:
            put(f"history: {local(step.change.created)} {step.change.action} by {step.change.actor}, {describe(step)}")
        for vote in details.votes:
            put(f"vote: {vote['direction']} by {vote['actor']}, {one_line(vote['reason'])}")
        for receipt in details.receipts:
            put(f"receipt: {receipt.receipt_id} {local(receipt.created)}, {HOW[receipt.how(entry.entry_id)]}")


def _facts(details: Details, place: str) -> list[tuple[str, str]]:
    entry = details.entry
    votes = f"{entry.votes_up} up, {entry.votes_down} down" if entry.votes_up or entry.votes_down else ""
    return [
        ("id", entry.entry_id),
        ("layer", f"{entry.layer} ({LAYER_NAMES[entry.layer]})"),
        ("status", status_word(entry.status)),
        ("scope", _in(place) or "everywhere"),
        ("subject", entry.subject),
        ("aliases", ", ".join(entry.aliases)),
        ("tags", ", ".join(entry.tags)),
        ("reason", entry.reason),
        ("source", f"{entry.source}, {entry.origin}"),
        ("confidence", f"{entry.confidence:.2f}"),
        ("project", entry.project),
        ("task", entry.task),
        ("created", local(entry.created)),
        ("updated", local(entry.updated)),
        ("recalled", _recalled(details)),
        ("votes", votes),
        ("replaced by", entry.superseded_by),
    ]


def _recalled(details: Details) -> str:
    """How often prompts asked for it; a standing preference is given to sessions without being asked for."""
    entry = details.entry
    at_starts = any(one.how(entry.entry_id) == PREFERENCE for one in details.receipts)
    if not entry.recall_count:
        return "never for a prompt; given at session starts" if at_starts else "never"
    when = local(entry.last_used)
    times = f"once, {when}" if entry.recall_count == 1 else f"{entry.recall_count} times, last {when}"
    return f"{times}; also given at session starts" if at_starts else times


def _details_page(details: Details, checks: Sequence[Checked], place: str) -> None:
    from recollect.doors.cli.printing.terminal import Page, check_look, join

    now = time.time()
    page, entry = Page(), details.entry
    page.line(entry.content, "bold")
    page.line()
    page.fields(_facts(details, place))
    if entry.citations:
        page.heading("Citations")
        rows = zip(entry.citations, checks, strict=True)
        page.items(
            [
                (" ", citation_label(cited), join(check_look(one.check), one.detail if cited.path else ""), "")
                for cited, one in rows
            ]
        )
    if len(details.chain) > 1:
        page.heading("Versions")
        page.table([(short_id(one.entry_id), status_word(one.status), _cut(one.content)) for one in details.chain])
    if details.history:
        page.heading("History")
        page.table([_step_cells(step, now) for step in details.history])
    if details.votes:
        page.heading("Votes")
        page.table(
            [
                (vote["direction"], vote["actor"], ago(vote["created"], now=now), vote["reason"])
                for vote in details.votes
            ]
        )
    if details.receipts:
        page.heading("Given to")
        page.table(
            [
                (short_id(one.receipt_id), ago(one.created, now=now), HOW[one.how(entry.entry_id)], _cut(one.query))
                for one in details.receipts
            ]
        )


def print_history(versions: Sequence[Details], *, as_json: bool) -> None:
    """The trail of every version, oldest first; in a pipe one change per line."""
    if as_json:
        from recollect.doors.shapes import step_json

        put_json([step_json(step) for details in versions for step in details.history])
    elif on_terminal():
        _history_page(versions)
    else:
        for details in versions:
            for step in details.history:
                change = step.change
                cells = (change.change_id, local(change.created), change.action, change.actor, details.entry.entry_id)
                put_row((*cells, describe(step), step.after.content))


def _history_page(versions: Sequence[Details]) -> None:
    from recollect.doors.cli.printing.terminal import Page, join, status_look

    page, now = Page(), time.time()
    for number, details in enumerate(versions):
        if number:
            page.line()
        page.line(details.entry.content, "bold" if details.entry.status == "active" else "")
        page.line(join(short_id(details.entry.entry_id), status_look(details.entry.status)))
        page.table([_step_cells(step, now) for step in details.history])
    page.hint("\nUndo a change with `recollect undo NUMBER`.")


def _step_cells(step: Step, now: float) -> tuple[str, ...]:
    change = step.change
    return (
        str(change.change_id),
        ago(change.created, now=now),
        change.actor,
        f"{action_word(change.action)}: {describe(step)}",
    )


def describe(step: Step) -> str:
    """What one change did, in a few words."""
    before, after = step.before, step.after
    undone = f", undone by {step.change.undone_by}" if step.change.undone_by else ""
    if before is None:
        return "stored" + undone
    parts = []
    if before.status != after.status:
        # What was replaced and then retired still knows its successor, which did not retire it.
        newer = after.superseded_by if after.status == "superseded" else ""
        by = f" by {short_id(newer) if on_terminal() else newer}" if newer else ""
        parts.append(f"{status_word(before.status)} → {status_word(after.status)}{by}")
    for name in ("content", "subject", "aliases", "tags", "reason", "citations", "repository", "source"):
        if getattr(before, name) != getattr(after, name):
            parts.append(f"{name} changed")
    if (before.votes_up, before.votes_down) != (after.votes_up, after.votes_down):
        parts.append(f"{after.votes_up} up, {after.votes_down} down")
    return (", ".join(parts) or "said again") + undone


def print_conflicts(
    pairs: Sequence[tuple[Entry, Entry]], checks: Sequence[Checked], place: Callable[[str], str], *, as_json: bool
) -> None:
    """Pairs side by side, with how to settle them; in a pipe one pair per line. `place` names a repository that is not
    this one."""
    if as_json:
        from recollect.doors.shapes import entry_json

        found = iter(checks)
        put_json([{name: entry_json(entry, next(found).check) for name, entry in _named(pair)} for pair in pairs])
    elif not pairs:
        say("No contradictions.")
    elif on_terminal():
        _conflicts_page(pairs, place)
    else:
        for newer, older in pairs:
            where = place(newer.repository) or place(older.repository)
            put_row((newer.entry_id, older.entry_id, newer.content, older.content, *([where] if where else ())))
        say(SETTLE)


def print_conflicts_elsewhere(pairs: int) -> None:
    """How many contradictions there are in other repositories, if any."""
    if pairs:
        where = "another repository" if pairs == 1 else "other repositories"
        say(f"{counted(pairs, 'contradiction')} in {where} (add `--all` to see {'it' if pairs == 1 else 'them'}).")


def _named(pair: tuple[Entry, Entry]) -> zip[tuple[str, Entry]]:
    return zip(("newer", "older"), pair, strict=True)


def _conflicts_page(pairs: Sequence[tuple[Entry, Entry]], place: Callable[[str], str]) -> None:
    from recollect.doors.cli.printing.terminal import Page

    page, now = Page(), time.time()
    for number, pair in enumerate(pairs):
        if number:
            page.line()
        left, right = (_conflict_column(name, entry, now, place) for name, entry in _named(pair))
        page.side_by_side(left, right)
    page.hint(f"\n{SETTLE}")


def _tag_look(tag: str) -> str:
    return f"section {tag[len(SECTION_TAG) :]}" if tag.startswith(SECTION_TAG) else f"#{tag}"


def _conflict_column(name: str, entry: Entry, now: float, place: Callable[[str], str]) -> list[str | Text]:
    from recollect.doors.cli.printing.terminal import join

    said = join(name, ago(entry.created, now=now), author(entry))
    return [said, _cut(entry.content), join(short_id(entry.entry_id), place(entry.repository))]


def _cut(content: str) -> str:
    text = one_line(content)
    return text if len(text) <= LONGEST_LISTED else text[: LONGEST_LISTED - 1] + "…"
