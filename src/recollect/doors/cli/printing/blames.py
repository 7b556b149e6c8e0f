"""What stands behind a line, in words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from recollect.doors.cli.printing.output import USUAL_COLUMNS, counted, on_terminal, one_line, put, put_json, say
from recollect.doors.cli.printing.sessions import place_of
from recollect.doors.cli.printing.times import local
from recollect.doors.session_shapes import blame_json
from recollect.model.hosts import TITLES
from recollect.text.ids import short_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.views.blame import Blame
    from recollect.model.commits import BlamedCommit
    from recollect.sessions.tracing import Trace

MOST_RANGES = 4
SHORT = 10  # characters of a commit's name


def print_blame(found: Blame, *, as_json: bool) -> None:
    """Commits, newest first, each with its sessions and turns; then what was decided."""
    if as_json:
        put_json(blame_json(found))
        return
    for number, (commit, traces) in enumerate(found.commits):
        if number:
            put("")
        _put_commit(commit, found)
        for trace in traces:
            _put_trace(trace)
        if not traces:
            _put("No known session made this change.", 2)
    if found.decisions:
        put("\nDecided")
        for one in found.decisions:
            _put(f"{_id(one.entry.entry_id)}  {one_line(one.entry.content)} ({one.why})", 2)
    if found.more:
        say(f"{counted(found.more, 'older commit')} not shown; name a line to see its commit.")


def _put_commit(commit: BlamedCommit, found: Blame) -> None:
    if not commit.name:
        put(f"{_lines(commit.lines)} of {found.path}: not committed yet.")
        return
    put(_clipped(f"{commit.name[:SHORT]}  {one_line(commit.summary)}", USUAL_COLUMNS))
    where = "" if found.line else f" · {_lines(commit.lines).lower()}"
    _put(f"{local(commit.authored)} · {one_line(commit.author)}{where}", 2)


def _put_trace(trace: Trace) -> None:
    session = trace.session
    title = one_line(session.title) or place_of(session)
    _put(f"{_id(session.session_id)} · {TITLES.get(session.host, session.host)} · {title}", 2)
    _put(f"{', '.join(trace.why)}{'' if trace.is_certain else ' (likely)'}", 4)
    for turn in trace.turns:
        _put(_clipped(f"[{turn.number}] {one_line(turn.user) or '-'}", 2 * (USUAL_COLUMNS - 6)), 4)


def _id(name: str) -> str:
    return short_id(name) if on_terminal() else name


def _lines(ranges: Sequence[tuple[int, int]]) -> str:
    told = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:MOST_RANGES]]
    more = f" and {len(ranges) - MOST_RANGES} more" if len(ranges) > MOST_RANGES else ""
    is_one = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    return f"{'Line' if is_one else 'Lines'} {', '.join(told)}{more}"


def _clipped(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _put(text: str, indent: int) -> None:
    """A paragraph that is never wider than a plain terminal."""
    put(textwrap.fill(text, USUAL_COLUMNS, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2)))
