"""After a turn or a session: is a run due? Make suggestions, then tell of them as the mode says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.files.suggestion_notices import leave_notice
from recollect.flows.suggestions.facts import FactList
from recollect.flows.suggestions.reconcile import last_run, reconcile
from recollect.flows.suggestions.sharing import read_shared, share_facts
from recollect.model.jobs import RECONCILE
from recollect.model.suggestions import PENDING
from recollect.suggestions.modes import EAGER, MANUAL, OCCASIONAL, is_due, notices

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.flows.suggestions.reconcile import Reconciled


def leave_reconcile(memory: Opened, *, ended: bool) -> bool:
    """Leave a run for the worker if the mode says that one is due; True when it was left."""
    settings, now = memory.settings.suggestions, memory.now
    if not memory.settings.enabled or not memory.repository.repository:
        return False
    if settings.mode in (EAGER, OCCASIONAL, MANUAL):
        FactList(memory).note_extraction()
    interval = settings.interval_minutes * 60.0
    if not is_due(settings.mode, interval_seconds=interval, last=last_run(memory), ended=ended, now=now):
        return False
    payload = {"cwd": memory.repository.root, "ended": ended}
    memory.store.jobs.add(RECONCILE, memory.repository.root, payload, now=now)
    return True


def reconcile_in_background(memory: Opened, *, ended: bool, pause: Callable[[float], None]) -> Reconciled | None:
    """One run of the worker; None when the mode was changed meanwhile. Eager waits a moment for more of a turn."""
    settings = memory.settings.suggestions
    if not memory.settings.enabled or settings.mode not in (EAGER, OCCASIONAL):
        return None
    if settings.mode == EAGER:
        pause(settings.debounce_milliseconds / 1000)
    read_shared(memory)
    done = reconcile(memory)
    share_facts(memory)
    tell(memory, ended=ended)
    return done


def tell(memory: Opened, *, ended: bool) -> list[str]:
    """Tell of suggestions that nobody was told of, as the mode says. They stay pending whatever comes of it."""
    settings, here = memory.settings.suggestions, memory.repository.repository
    untold = [one for one in memory.store.suggestions.listed(PENDING, repository=here) if not one.told]
    found = notices(untold, settings.mode, batch=settings.batch, ended=ended)
    if not found:
        return []
    with memory.store.write(durable=False):
        for notice in found:
            memory.store.suggestions.tell(notice.suggestion_ids, now=memory.now)
    texts = [notice.text for notice in found]
    leave_notice(memory.home.spool, here, texts)
    return texts
