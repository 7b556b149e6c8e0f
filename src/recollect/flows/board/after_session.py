"""After a session: whether rem runs, counted; the work is left for the worker, a process of its own may come first."""

from __future__ import annotations

from recollect.model.jobs import REM
from recollect.model.sessions import DETACHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened

MIN_USER_MESSAGES = 3
OFF, SPAWNED, BELOW_MIN_TURNS, DETACHED_CHILD = "off", "spawned", "below_min_turns", "detached_child"
COUNTED = "rem."  # before the name of an outcome that is counted
GATE = "rem_gate"  # whether a session in this state was looked at
# What a detached process knows of whoever started it.
PARENT, ENGAGEMENT = "RECOLLECT_PARENT_SESSION", "RECOLLECT_ENGAGEMENT"
PATIENCE_SECONDS = 300.0  # after which the worker does what a process of its own was started for


def gate(*, enabled: bool, detached_child: bool, user_messages: int) -> str:
    """What comes of the end of a session."""
    if not enabled:
        return OFF
    if detached_child:
        return DETACHED_CHILD
    return SPAWNED if user_messages >= MIN_USER_MESSAGES else BELOW_MIN_TURNS


def leave_rem(
    session_id: str, memory: Opened, *, child: bool = False, spawn: Callable[[str, Opened], None] | None = None
) -> str:
    """Leave the consolidation of a session for the worker, or spawn it; returns what came of it. The same session is
    looked at again only when there is more of it."""
    settings, store = memory.settings, memory.store
    if not (settings.enabled and settings.subconscious.enabled):
        return OFF
    session = store.sessions.get(session_id)
    typed = sum(1 for turn in store.sessions.turns(session_id) if turn.user)
    child = child or session.mode == DETACHED or bool(session.agent)
    outcome = gate(enabled=True, detached_child=child, user_messages=typed)
    with store.write(durable=False):
        if store.jobs.watermark(GATE, session_id) > typed:
            return outcome
        store.jobs.note_processed(GATE, session_id, typed + 1, now=memory.now)
        store.count(COUNTED + outcome)
        if outcome == SPAWNED:
            # Left in any case: whatever becomes of a process of its own, the work is done.
            due = memory.now + PATIENCE_SECONDS if spawn else 0.0
            store.jobs.add(REM, session_id, {"session": session_id, "cwd": session.cwd}, due=due, now=memory.now)
    if outcome == SPAWNED and spawn is not None:
        try:
            spawn(session_id, memory)
        except OSError:
            store.jobs.add(REM, session_id, {"session": session_id, "cwd": session.cwd}, now=memory.now)
    return outcome
