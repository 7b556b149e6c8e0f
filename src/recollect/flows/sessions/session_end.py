"""Session end: import the tail, fill the gaps, archive, carry the task on, tell about it at the next start."""

from __future__ import annotations

import time

from recollect.flows.turns.announcements import shown
from recollect.memory.task_states import with_session
from recollect.memory.tasks import cleaned
from recollect.model.hosts import TITLES
from recollect.model.jobs import CHECK_CITATIONS
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from recollect.flows.sessions.digest import Digest
    from recollect.flows.sessions.past_sessions import PastSessions
    from recollect.model.sessions import Session
    from recollect.store.store import Store

MOST_TOLD = 3


class SessionRef(Record):
    """A session as a hook names it."""

    host: str
    session: str  # the host's own id
    transcript: str = ""
    cwd: str = ""


class SessionEnd(Record):
    """What a session left behind this time."""

    found: bool  # was there a log?
    turns: int = 0
    stored: tuple[str, ...] = ()
    waiting: int = 0
    archived: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()  # ids of all that its log holds


def session_of(payload: Mapping[str, Any]) -> SessionRef:
    """The session that a job names; what it does not say is empty."""
    return SessionRef(*(str(payload.get(name) or "") for name in SessionRef._fields))


def end_session(
    ended: SessionRef, *, past: PastSessions, store: Store, now: float, require_ours: Callable[[], None] = lambda: None
) -> SessionEnd:
    """Keep what this session leaves behind. As often as one likes: what was kept before is not kept twice.

    `require_ours` is called before anything is kept, and raises when somebody else has taken the work over."""
    logs = past.logs_of(ended.host, ended.session, ended.transcript)
    imported = past.import_logs(logs, native_id=ended.session)
    found = [one for log in logs for one in store.sessions.of_log(log.path, log.host, ended.session)]
    digests = []
    for session in store.sessions.undigested(list(dict.fromkeys(one.session_id for one in found))):
        require_ours()
        done = past.digest_session(session)
        carry_task_on(session, done, store=store, now=now)
        announce(session, done, store=store, now=now)
        digests.append(done)
    if ended.cwd:
        store.jobs.add(CHECK_CITATIONS, ended.cwd, {"cwd": ended.cwd}, now=now)
    return SessionEnd(
        found=bool(logs),
        turns=imported.turns,
        stored=tuple(entry_id for one in digests for entry_id in one.stored),
        waiting=sum(one.waiting for one in digests),
        archived=tuple(one.archived for one in digests if one.archived),
        sessions=tuple(dict.fromkeys(one.session_id for one in found if not one.agent)),
    )


def carry_task_on(session: Session, done: Digest, *, store: Store, now: float) -> None:
    """Write into the task that this session was spent on what happened in it."""
    if not done.archived:
        return
    with store.write(durable=False):
        task_id = store.entries.get(done.archived).entry.task
        task = store.tasks.task(task_id) if task_id else None
        if task is None or task.status != "active":
            return
        day = time.strftime("%Y-%m-%d", time.gmtime(session.ended or session.started or now))
        when = f"{day}, {TITLES.get(session.host, session.host)}"
        state = with_session(
            task.state, session.session_id, when=when, title=_one_line(done.title), summary=done.summary
        )
        if state != task.state:
            state = cleaned(state, what="working state", longest=len(state) + 1_000)
            # Not its time: the task that a person touched last stays the active one.
            store.tasks.save_task(task._replace(state=state))


def announce(session: Session, done: Digest, *, store: Store, now: float) -> None:
    """What was kept without anybody being asked is told at the next session start, with the way back."""
    if not done.stored:
        return
    title = TITLES.get(session.host, session.host)
    with store.write(durable=False):
        for entry_id in done.stored[:MOST_TOLD]:
            stored = store.entries.get(entry_id)
            entry = stored.entry
            undo = store.changes.of_entry(entry_id)[-1].change.change_id
            what = "Corrected" if store.entries.superseded_by(entry_id) else "Kept"
            text = f"{what} from what the user said in {title}: {shown(entry.content, entry.origin, entry_id)}"
            store.announcements.add(f"{text} (undo: `recollect undo {undo}`)", repository=entry.repository, now=now)
        if len(done.stored) > MOST_TOLD:
            more = f"Kept {len(done.stored) - MOST_TOLD} more things from {title}; see `recollect list`."
            store.announcements.add(more, repository=session.repository, now=now)


def _one_line(text: str) -> str:
    return " ".join(text.split())
