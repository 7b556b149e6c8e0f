"""Imports and past sessions, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import (
    counted,
    on_terminal,
    one_line,
    put,
    put_cut,
    put_json,
    put_rest,
    put_row,
    put_text,
    say,
    shortened,
)
from recollect.doors.cli.printing.times import local
from recollect.doors.session_shapes import imported_json, session_json, shown_json
from recollect.doors.shapes import time_json
from recollect.model.hosts import TITLES
from recollect.sessions.timeline import Happening
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.flows.sessions.import_memories import MovedIn
    from recollect.flows.sessions.past_sessions import Imported, SessionShown
    from recollect.model.entries import Entry
    from recollect.model.sessions import Session, Turn

MOST_SKIPPED = 5
MOST_LEARNED = 10  # entries that are listed by id
LONGEST_START = 60
NO_SESSIONS = "No sessions yet. Once you have used a coding agent, `recollect up` reads its sessions."
MARKS = {True: "ok", False: "failed", None: ""}


def size(number: float) -> str:
    """`3.4 MB`."""
    for unit in ("B", "kB", "MB"):
        if number < 1_000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1_000
    return f"{number:.1f} GB"


def sessions_and_subagents(sessions: int, subagents: int) -> str:
    """How many there are: sub-agents are named beside the sessions that started them, not counted among them."""
    return counted(sessions, "session") + (f" and {counted(subagents, 'sub-agent')}" if subagents else "")


def print_moved_in(done: MovedIn, *, as_json: bool) -> None:
    """What came of another memory."""
    if as_json:
        skipped = [{"what": what, "why": why} for what, why in done.skipped]
        put_json({**done._asdict(), "skipped": skipped, "left_out": dict(done.left_out)})
        return
    counts = (
        (done.stored, "stored"),
        (done.waiting, "waiting for your review"),
        (done.known - done.offered, "already stored"),
        (done.offered, "already proposed"),
    )
    came = ", ".join(f"{number:,} {what}" for number, what in counts if number)
    put_text(f"Read {counted(done.files, 'file')}: {came or 'nothing to store'}.")
    if done.left_out:
        say(f"Left out: {', '.join(counted(number, what) for what, number in done.left_out)}.")
    for what, why in done.skipped:
        say(f"skipped “{shortened(one_line(what), 60)}”: {why}")
    if done.stored:
        say("Undo all of it with `recollect undo`.")
    if done.waiting or done.offered:
        say("Go through what is waiting with `recollect review`.")


def print_imported(imported: Imported, known: bool, *, as_json: bool) -> None:
    """What an import brought; `known`: there are logs, and sessions came from some, now or earlier."""
    if as_json:
        put_json(imported_json(imported))
        return
    if not (imported.turns or known or imported.skipped):
        say("No session logs were found. If you have some elsewhere, name them: `recollect import PATH`.")
    elif not imported.turns:
        say("Nothing new: all logs are already imported." if not imported.skipped else "Nothing new was imported.")
    else:
        rate = f" at {size(imported.bytes / imported.seconds)}/s" if imported.seconds > 1 else ""
        put(
            f"Imported {sessions_and_subagents(imported.sessions, imported.subagents)} "
            f"with {counted(imported.turns, 'turn')} from {size(imported.bytes)} of logs{rate}."
        )
        for host, counts in imported.hosts.items():
            read = sessions_and_subagents(counts.sessions, counts.subagents)
            put_row((TITLES.get(host, host), read, counted(counts.turns, "turn")))
        say("Turn them into memory with `recollect up`; list them with `recollect session list`.")
    for one in imported.skipped[:MOST_SKIPPED]:
        say(f"skipped {one.path}{f' line {one.line}' if one.line else ''}: {one.why}")
    if len(imported.skipped) > MOST_SKIPPED:
        say(f"... and {len(imported.skipped) - MOST_SKIPPED} more; --json lists them.")


def print_sessions(
    found: Sequence[tuple[Session, int]], *, as_json: bool, narrowed: bool = False, more: bool = False
) -> None:
    """A list, in the order it comes in; `narrowed`: only some of them were asked for; `more`: there are others."""
    if as_json:
        put_json([session_json(session, turns) for session, turns in found])
        return
    if not found:
        say("No session matches that." if narrowed else NO_SESSIONS)
        return
    if on_terminal():
        from recollect.doors.cli.printing.terminal import Page

        page = Page()
        page.items([_item(session, turns, page.columns) for session, turns in found])
        if more:
            put_rest(len(found))
        return
    for session, turns in found:
        about = (local(session.started), session.host, counted(turns, "turn"), _title(session), place_of(session))
        put_row((session.session_id, *about))


def _item(session: Session, turns: int, columns: int) -> tuple[str, str, str, str]:
    """A session on two lines: its title, and below it when, with what and where it ran."""
    name = short_id(session.session_id)
    where = (TITLES.get(session.host, session.host), _short_place(session))
    below = " · ".join((local(session.started), counted(turns, "turn"), *where))
    return name, shortened(_title(session), columns - len(name) - 2), below, ""


def _title(session: Session) -> str:
    return one_line(session.title) or place_of(session) or "-"


def _short_place(session: Session) -> str:
    """The last part of where it ran: what people call a repository."""
    return place_of(session).replace("\\", "/").rstrip("/").rpartition("/")[2] or "-"


def place_of(session: Session) -> str:
    """Where it ran: its repository, or the folder when that has no remote."""
    has_remote = not session.repository.startswith(("root:", "path:"))
    return (session.repository if has_remote else session.cwd) or session.repository or session.cwd


def print_privacy(session: Session, learned: Sequence[Entry], *, as_json: bool) -> None:
    """Whether something is learned from a session from now on."""
    if as_json:
        put_json({"id": session.session_id, "private": bool(session.privacy), "learned": len(learned)})
        return
    name = short_id(session.session_id) if on_terminal() else session.session_id
    if not session.privacy:
        put(f"{name} is no longer private; Recollect learns from what is new in it.")
        return
    put(f"{name} is private: nothing more is learned from it.")
    if learned:
        stay = "entry learned from it earlier stays" if len(learned) == 1 else "entries learned from it earlier stay"
        listed = [f"  {entry.entry_id}  {shortened(entry.content, LONGEST_START)}" for entry in learned[:MOST_LEARNED]]
        if len(learned) > MOST_LEARNED:
            listed.append("  and more: `recollect list --all` shows them.")
        retire = f"Retire one with `recollect forget {learned[0].entry_id}`."
        say("\n".join([f"{len(learned):,} {stay}:", *listed, retire]))


def print_session(shown: SessionShown, *, as_json: bool) -> None:
    """A session turn by turn."""
    if as_json:
        put_json(shown_json(shown))
        return
    session = shown.session
    asked = shown.turns[0].user if shown.turns else ""
    put_cut(one_line(session.title) or one_line(asked) or _title(session))
    name = short_id(session.session_id) if on_terminal() else session.session_id
    put(f"{name} · {TITLES.get(session.host, session.host)} · {local(session.started)}")
    put(" · ".join(part for part in (place_of(session), session.branch, session.model, *_started(session)) if part))
    if shown.session.privacy or shown.kept_out:
        put(f"Nothing is learned from it: {shown.kept_out or 'it is private'}.")
    for turn in shown.turns:
        put(f"\n[{turn.number}] {local(turn.at)}")
        if turn.user:
            put_text(_block("you", turn.user))
        for tool in turn.tools:
            put(f"  {tool.name}: {one_line(tool.target)[:100]} {MARKS[tool.ok]}".rstrip())
        if turn.assistant:
            put_text(_block("agent", turn.assistant))
        for _ in turn.compactions:
            put("  -- the conversation was compacted here --")
    for one in shown.subagents:
        put(f"\nsub-agent {one.agent}: {short_id(one.session_id) if on_terminal() else one.session_id}")


def _started(session: Session) -> Iterator[str]:
    """Which agent runs in a session, and who started it."""
    if session.agent:
        yield f"agent {session.agent}"
    if session.parent:
        yield f"started by {session.parent}"
    if session.mode:
        yield session.mode


def _block(who: str, text: str) -> str:
    first, *more = text.strip().splitlines() or [""]
    return "\n".join([f"{who}: {first}", *(f"  {line}" for line in more)])


def print_timeline(shown: SessionShown, *, as_json: bool) -> None:
    """What happened, line by line."""
    print_happenings([Happening(*row) for row in _happenings(shown)], as_json=as_json)


def print_happenings(rows: Sequence[Happening], *, as_json: bool) -> None:
    """The rows of a timeline."""
    if as_json:
        put_json([_row_json(row) for row in rows])
        return
    for row in rows:
        put_cut(f"{local(row.at)}  {row.turn:>3}  {row.what:<10}  {one_line(row.text)[:90]}".rstrip())


def _row_json(row: Happening) -> dict[str, object]:
    values: dict[str, object] = {"at": time_json(row.at), "turn": row.turn, "what": row.what, "text": row.text}
    return {**values, "event": row.event_id} if row.event_id else values


def _happenings(shown: SessionShown) -> Iterator[tuple[float, int, str, str]]:
    for turn in shown.turns:
        yield from _of_turn(turn)
    for one in shown.subagents:
        yield one.started, 0, "sub-agent", f"{one.agent} {one.title}"


def _of_turn(turn: Turn) -> Iterator[tuple[float, int, str, str]]:
    if turn.user:
        yield turn.at, turn.number, "asked", turn.user
    for tool in turn.tools:
        yield turn.at, turn.number, tool.kind, f"{tool.target} {MARKS[tool.ok]}".strip()
    for summary in turn.compactions:
        yield turn.ended, turn.number, "compacted", summary
    if turn.assistant:
        yield turn.ended, turn.number, "answered", turn.assistant
