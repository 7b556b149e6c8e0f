"""Erase: a person wants every trace of an entry gone, also from the index, the log and the safety copies."""

from __future__ import annotations

from recollect.flows.turns.announcements import quoted
from recollect.memory.versions import with_earlier
from recollect.store import backups as safety_copies
from recollect.store.upkeep import scrub

ERASED = "erased after"  # the number of the last change before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store


def erase(entry_id: str, *, store: Store, backups: str, now: float) -> Entry:
    """Erase an entry with the versions that it replaced; returns what it was."""
    with store.write():
        stored = store.entries.get(entry_id)
        for version in with_earlier(stored, store):
            _erase(version, store)
        store.set_home_value(ERASED, str(store.changes.newest()))
    scrub(store)
    safety_copies.renew(store, backups, now=now)
    return stored.entry


def damaged_copies(home: Home) -> list[str]:
    """What was kept of databases that were damaged, newest first: it may still hold what was erased."""
    return safety_copies.damaged_copies(home.backups)


def _erase(stored: Stored, store: Store) -> None:
    if stored.entry.task:
        store.work_changes.erase(stored.entry.task)  # what it archives is what the task's own trail says
    for session_id in {stored.entry.session, *(one.session for one in stored.entry.citations)}:
        store.sessions.forget_answer(session_id)
    store.sessions.erase_answers(stored.entry.content)
    store.entries.erase(stored)
    store.receipts.erase(stored.entry.entry_id)
    store.suggestions.erase(stored.entry.entry_id, stored.entry.content)
    store.staged.erase(stored.entry.entry_id, stored.entry.content)
    store.announcements.erase(quoted(stored.entry.content))
