"""What is due: sessions that have changed since they were extracted, and the repositories to consolidate after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.artifacts import FOLDER
from recollect.model.jobs import CONSOLIDATE, EXTRACT
from recollect.model.record import Record
from recollect.sessions.eligible import eligible, last_active

if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.model.sessions import Session
    from recollect.store.store import Store

MOST_SCANNED = 5_000  # sessions, newest first


class Due(Record):
    """What was left for workers."""

    sessions: int = 0
    repositories: int = 0


def leave_due(memory: Opened, *, exclude: tuple[str, ...] = ()) -> Due:
    """Leave a job for each session that is due, up to the cap; whoever extracts one sees to its repository. Where none
    is due, somebody may have changed the artifacts of this repository by hand.

    Any number of processes may do this at once: what was left, or processed, in this state is not left again."""
    store, now = memory.store, memory.now
    scanned = [session for session, _ in store.sessions.listed(limit=MOST_SCANNED)]
    cleared = store.extractions.cleared()
    found = eligible(
        [one for one in scanned if one.repository and one.session_id not in cleared],
        now=now,
        settings=memory.settings.memories,
        processed=processed(scanned, store),
        exclude=(*memory.settings.exclude, *exclude),
    )
    left = sum(leave_extraction(one, store, now=now) for one in found)
    here = memory.repository.repository
    if not left and here and store.home_value(FOLDER + here):
        leave_consolidation(here, memory.folder, store, now=now)
    return Due(left, len({one.repository for one in found}))


def processed(sessions: list[Session], store: Store) -> dict[str, float]:
    """Until when each session was extracted, by its watermark."""
    return {one.session_id: float(store.jobs.watermark(EXTRACT, one.session_id)) for one in sessions}


def input_version(session: Session) -> int:
    """The state of a session as its watermark knows it: the second after something happened in it last."""
    return int(last_active(session)) + 1


def leave_extraction(session: Session, store: Store, *, now: float) -> bool:
    """Leave a job for this state of a session; False when it was left or done already."""
    payload = {"session": session.session_id, "cwd": session.cwd}
    return store.jobs.add(EXTRACT, session.session_id, payload, input_version=input_version(session), now=now)


def leave_consolidation(
    repository: str, cwd: str, store: Store, *, forced: bool = False, due: float = 0.0, now: float
) -> None:
    """Let the artifacts of a repository be brought up to date."""
    payload = {"repository": repository, "cwd": cwd, "forced": "yes" if forced else ""}
    store.jobs.add(CONSOLIDATE, repository, payload, due=due, now=now)
