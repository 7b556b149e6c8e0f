"""Blame: a line -> its commits -> the sessions around them -> the turns that made them -> what was decided there."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from recollect.errors import Ambiguous, NotFound, Refused, UsageError
from recollect.files.git.blame import blamed_commits, git_directory
from recollect.files.git.history import named_commits
from recollect.files.git.refs import was_on_branch
from recollect.files.git.trees import is_tracked
from recollect.flows.turns.by_file import about_file, relative
from recollect.memory.paths import FILE
from recollect.model.record import Record
from recollect.model.sessions import COMMITS
from recollect.sessions.tracing import session_names, traces, window, work_of, worth_reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.commits import BlamedCommit, Commit
    from recollect.model.entries import Entry
    from recollect.model.sessions import Session, Touch, Turn
    from recollect.sessions.tracing import Trace, Work

GIT_SECONDS = 10.0
MOST_COMMITS = 10
MOST_DECISIONS = 5


class Decision(Record):
    """An entry that stands behind lines of a file, and how it is known to."""

    entry: Entry
    why: str


class Blame(Record):
    """What stands behind a file or a line of it."""

    path: str  # below the root of the repository
    line: int  # 0: the whole file
    commits: tuple[tuple[BlamedCommit, tuple[Trace, ...]], ...]  # newest first
    more: int  # commits that are older and not told
    decisions: tuple[Decision, ...]


def blame(target: str, memory: Opened) -> Blame:
    """The sessions, turns, decisions and commits behind `FILE` or `FILE:LINE`."""
    path, line = _place(target, memory)
    blamed = blamed_commits(memory.repository, path, line)
    if blamed is None:
        raise _unblamed(path, line, memory)
    told = [one._replace(authored=memory.now, committed=memory.now) if not one.name else one for one in blamed]
    told = told[:MOST_COMMITS]
    names = [one.name for one in told if one.name]
    commits = named_commits(git_directory(memory.repository), names, limit_seconds=GIT_SECONDS)
    found = _traced(told, commits, path, memory)
    return Blame(path, line, tuple(found), len(blamed) - len(told), tuple(_decisions(path, found, memory)))


def _place(target: str, memory: Opened) -> tuple[str, int]:
    """The path below the repository, and the line; raises with a sentence about what is not there."""
    name, line = _split(target, memory.folder)
    if not memory.repository.common_directory:
        raise Refused("This folder is not part of a git repository; blame only works inside one.")
    whole = os.path.join(memory.folder, name)
    if os.path.isdir(whole):
        raise UsageError(f"{name} is a folder; name a file, such as `recollect blame README.md`.")
    path = relative(name, memory)
    if not path:
        raise Refused(f"{name} is outside of this repository, {memory.repository.root}; run blame inside its own.")
    if not os.path.lexists(whole):
        raise UsageError(f"There is no file {name} here.")
    if shutil.which("git") is None:
        raise Refused("git is not installed, and only git knows which commit a line is from.")
    return path, line


def _split(target: str, folder: str) -> tuple[str, int]:
    name, colon, line = target.rpartition(":")
    if not (colon and name and line.isdecimal()) or os.path.lexists(os.path.join(folder, target)):
        return target, 0
    if int(line) < 1:
        raise UsageError("Line numbers start at 1.")
    return name, int(line)


def _unblamed(path: str, line: int, memory: Opened) -> Exception:
    """Why git did not say, as one sentence."""
    tracked = is_tracked(memory.repository.root, path, limit_seconds=GIT_SECONDS)
    if tracked is False:
        return Refused(f"{path} is not tracked by git; commit it first, then its lines have a history.")
    lines = _count_lines(os.path.join(memory.repository.root, path))
    if lines is not None and line > lines:
        return NotFound(f"{path} has {lines} {'line' if lines == 1 else 'lines'}; there is no line {line}.")
    return Refused(f"git does not say who wrote {path}: it was never committed, or the answer took too long.")


def _count_lines(path: str) -> int | None:
    try:
        with open(path, "rb") as file:
            return sum(1 for _ in file)
    except OSError:
        return None


def _traced(
    blamed: Sequence[BlamedCommit], commits: Mapping[str, Commit], path: str, memory: Opened
) -> list[tuple[BlamedCommit, tuple[Trace, ...]]]:
    """Each commit with the sessions behind it."""
    if not blamed:
        return []
    known = memory.repository
    worked = _worked(path, blamed, memory)
    branches = {work.turn.branch for _, works in worked for work in works} | {one.branch for one, _ in worked}
    found = []
    for one in blamed:
        commit = commits.get(one.name)
        on = [name for name in branches if name and was_on_branch(known.common_directory, name, one.name)]
        named = session_names(commit.body) if commit else []
        here = [*worked, *_named(named, worked, memory)]
        paths = commit.paths if commit else ()
        found.append((one, tuple(traces(one, path, here, named=named, branches=on, paths=paths))))
    return found


def _worked(path: str, blamed: Sequence[BlamedCommit], memory: Opened) -> list[tuple[Session, list[Work]]]:
    """The sessions here around these commits, with the turns of the time that may have to do with the file."""
    store = memory.store.sessions
    places = list(dict.fromkeys((memory.repository.repository, *memory.repository.aliases)))
    name = path.rpartition("/")[2]
    sessions: dict[str, Session] = {}
    touches: list[Touch] = []
    for since, until in _joined(sorted(window(one) for one in blamed)):
        near = store.around(places, since=since, until=until)
        sessions.update((session.session_id, session) for session in near)
        touches += store.touches([one.session_id for one in near], (name, COMMITS), since=since, until=until)
    turns: dict[str, list[Turn]] = {}
    for session_id, turn in store.turns_at(worth_reading(touches, name, blamed)):
        turns.setdefault(session_id, []).append(turn)
    roots = _roots([sessions[session_id] for session_id in turns], memory)
    return [(sessions[session_id], [work_of(turn, roots) for turn in found]) for session_id, found in turns.items()]


def _roots(sessions: Sequence[Session], memory: Opened) -> list[str]:
    """Where the repository lies, here and as sessions saw it."""
    return list(dict.fromkeys((memory.repository.root, *(one.cwd for one in sessions if one.cwd))))


def _joined(windows: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same times without those that overlap: what is read once is not read again."""
    joined: list[tuple[float, float]] = []
    for since, until in windows:
        if joined and since <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(until, joined[-1][1]))
        else:
            joined.append((since, until))
    return joined


def _named(
    names: Sequence[str], worked: Sequence[tuple[Session, list[Work]]], memory: Opened
) -> list[tuple[Session, list[Work]]]:
    """The sessions that a commit names and that are not among these, as far as they are known."""
    have = {session.session_id for session, _ in worked}
    store = memory.store.sessions
    found = []
    for name in names:
        try:
            session = store.get(name)
        except (NotFound, Ambiguous):
            continue
        if session.session_id not in have:
            roots = _roots([session], memory)
            found.append((session, [work_of(turn, roots) for turn in store.turns(session.session_id)]))
    return found


def _decisions(path: str, found: Sequence[tuple[BlamedCommit, tuple[Trace, ...]]], memory: Opened) -> list[Decision]:
    """What was decided about the file, and in the sessions behind it until the turn that changed it."""
    until: dict[str, int] = {}
    for trace in (one for _, behind in found for one in behind):
        last = max((turn.number for turn in trace.turns), default=0)
        until[trace.session.session_id] = max(last, until.get(trace.session.session_id, 0))
    decided: dict[str, Decision] = {}
    for entry, fit in about_file(path, memory):
        if fit >= FILE:
            decided[entry.entry_id] = Decision(entry, f"it mentions {path}")
    said = memory.store.entries.listed({"layer": "L1", "status": "active", "session": list(until)}) if until else []
    for entry in (one.entry for one in said):
        turns = [one.turn for one in entry.citations if one.kind == "turn" and one.session in until]
        if turns and min(turns) <= until[entry.session]:
            decided.setdefault(entry.entry_id, Decision(entry, f"said in {entry.session}, turn {min(turns)}"))
    return list(decided.values())[:MOST_DECISIONS]
