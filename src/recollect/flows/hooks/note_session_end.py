"""Leave: at the end of a turn or a session only a note for the worker; reading the log is its work, not a hook's."""

from __future__ import annotations

from recollect.flows.hooks.enqueue import enqueue
from recollect.model.jobs import MEMORIES, SESSION_END

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home
    from recollect.model.hooks import HookCall
    from recollect.store.store import Store


def note_session_end(call: HookCall, *, store: Store | None, home: Home, wait_seconds: float, now: float) -> bool:
    """Note that this session has something new; True when a worker has to be started to see it."""
    payload = {
        "host": call.host,
        "session": call.session,
        "transcript": call.transcript,
        "cwd": call.cwd,
        "event": call.event,
    }
    key = f"{call.host}:{call.session}"
    kept = enqueue(SESSION_END, key, payload, store=store, spool_folder=home.spool, wait_seconds=wait_seconds, now=now)
    return kept and not worker_is_there(store, now=now)


def note_session_start(call: HookCall, *, store: Store, home: Home, wait_seconds: float, now: float) -> bool:
    """Let a worker look which past sessions are due for the memory of their project; True when one is to be started."""
    payload = {"cwd": call.cwd}
    kept = enqueue(MEMORIES, "", payload, store=store, spool_folder=home.spool, wait_seconds=wait_seconds, now=now)
    return kept and not worker_is_there(store, now=now)


def waits_for_worker(store: Store, *, now: float) -> bool:
    """Did somebody ask for the memory of a project, with the background switched off, and no worker is there?"""
    from recollect.errors import RecollectError

    try:
        return store.jobs.memory_due(now=now) and not worker_is_there(store, now=now)
    except RecollectError:
        return False


def worker_is_there(store: Store | None, *, now: float) -> bool:
    """Does a worker hold a lease? When nobody can tell, none does: one too many does no harm."""
    from recollect.errors import RecollectError

    if store is None:
        return False
    try:
        return store.jobs.live_lease(now)
    except RecollectError:
        return False
