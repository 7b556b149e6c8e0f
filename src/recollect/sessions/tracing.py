"""Which sessions stand behind a commit: by what its message names, what tools printed, files, time and branch. Pure.

Time alone says nothing: a session counts when the commit or the session names the other, or when a turn of it changed
the file shortly before and did not commit it elsewhere."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.commands import inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from recollect.model.commits import BlamedCommit
    from recollect.model.sessions import Session, ToolUse, Turn

BEFORE_SECONDS = 3 * 86_400.0  # a change may lie around this long before somebody commits it
AFTER_SECONDS = 120.0  # clocks, and a log that is written a little later
MOST_SESSIONS = 3
MOST_TURNS = 3
_SHORT = 7  # characters of a commit's name that git prints
_TRAILER = re.compile(r"^[\w-]*(?:session|thread|conversation)[\w-]*: *(?:\S*[/=])?([\w.-]{6,80})$", re.I | re.M)
_COMMITTED = re.compile(r"\bgit\b.*\bcommit\b", re.S)


class Work(Record):
    """A turn with what its tools did to the repository."""

    turn: Turn
    changed: frozenset[str]  # paths below the root
    commits: tuple[ToolUse, ...]  # commands that committed something


class Trace(Record):
    """A session behind a commit, with the turns that matter and why it is believed."""

    session: Session
    turns: tuple[Turn, ...]
    why: tuple[str, ...]
    is_certain: bool  # one of the two names the other


def session_names(message: str) -> list[str]:
    """The ids of sessions that the trailers of a commit's message name."""
    return list(dict.fromkeys(_TRAILER.findall(message)))


def window(commit: BlamedCommit) -> tuple[float, float]:
    """The time in which a session may have made a commit."""
    return commit.authored - BEFORE_SECONDS, max(commit.authored, commit.committed) + AFTER_SECONDS


def traces(
    commit: BlamedCommit,
    path: str,
    worked: Iterable[tuple[Session, Sequence[Work]]],
    *,
    named: Collection[str] = (),
    branches: Collection[str] = (),
    paths: Sequence[str] = (),
) -> list[Trace]:
    """The sessions behind a commit, the surest first. `worked` are sessions with their work of the time, `named` ids
    that the commit names, `branches` those it was on, `paths` the files that it changed."""
    since, until = window(commit)
    ranked = []
    for session, works in worked:
        near = [work for work in works if work.turn.ended >= since and work.turn.at <= until]
        found = _trace(commit, path, session, near, named)
        if found is None:
            continue
        on_branch = any(one in branches for one in (*(turn.branch for turn in found.turns), session.branch) if one)
        if on_branch:
            found = found._replace(why=(*found.why, "on its branch"))
        shared = len({one for work in near for one in work.changed} & set(paths))
        last = max((turn.ended for turn in found.turns), default=session.ended)
        rank = (found.is_certain, on_branch, shared, -abs(commit.authored - last))
        ranked.append((rank, found))
    ranked.sort(key=lambda one: one[0], reverse=True)
    # Who is certain leaves no room for who merely was near.
    sure = [found for _, found in ranked if found.is_certain]
    return (sure or [found for _, found in ranked])[:MOST_SESSIONS]


def work_of(turn: Turn, roots: Sequence[str]) -> Work:
    """What a turn did to the repository that lies at these places."""
    done = [tool for tool in turn.tools if tool.ok is not False]
    paths = {path for tool in done if tool.kind == "change" for path in tool.paths}
    commits = [tool for tool in done if tool.kind == "command" and _COMMITTED.search(tool.target)]
    changed = frozenset(place for path in paths if (place := inside(path, turn.cwd, roots)))
    return Work(turn, changed, tuple(commits))


def _trace(
    commit: BlamedCommit, path: str, session: Session, works: Sequence[Work], named: Collection[str]
) -> Trace | None:
    changing = [work for work in works if path in work.changed]
    why: list[str] = []
    if session.session_id in named or session.native_id in named:
        why.append("the commit names it")
    made = [work for work in works if commit.name and _printed(work.commits, commit.name)]
    if made:
        why.append("it made the commit")
        changing = [work for work in changing if work.turn.number <= made[-1].turn.number]
    is_certain = bool(why)
    if not is_certain:
        changing = _left_over(changing, works, commit)
    if changing:
        why.append("it changed the file")
    kept = {work.turn.number: work.turn for work in (*made[-1:], *changing[-MOST_TURNS:])}
    return Trace(session, tuple(kept[number] for number in sorted(kept)), tuple(why), is_certain) if why else None


def _left_over(changing: Sequence[Work], works: Sequence[Work], commit: BlamedCommit) -> list[Work]:
    """The changes that the session did not put into a commit of its own before this one."""
    at = commit.authored
    elsewhere = [work.turn.number for work in works if work.commits and work.turn.ended < at - AFTER_SECONDS]
    last = max(elsewhere, default=-1)
    return [work for work in changing if work.turn.number > last and work.turn.at <= at + AFTER_SECONDS]


def _printed(commits: Sequence[ToolUse], name: str) -> bool:
    return any(name[:_SHORT] in tool.output for tool in commits)
