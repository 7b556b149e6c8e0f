"""After a turn or a session: is a run due? Make suggestions, then tell of them as the mode says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.files.suggestion_notices import leave_notice
from recollect.flows.suggestions.facts import FactList
from recollect.flows.suggestions.mode import current_mode, current_settings
from recollect.flows.suggestions.models import chooser
from recollect.flows.suggestions.reconcile import last_run, reconcile
from recollect.flows.suggestions.sharing import read_shared, share_facts
from recollect.hosts.abilities import ability
from recollect.model.jobs import RECONCILE
from recollect.model.suggestions import PENDING
from recollect.suggestions.modes import EAGER, OCCASIONAL, OFF, is_due, notices

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.opened import Opened
    from recollect.flows.suggestions.reconcile import Reconciled


def leave_reconcile(memory: Opened, *, host: str, ended: bool) -> bool:
    """Leave a run for the worker if the mode says that one is due; True when it was left. Off writes nothing at all."""
    mode = current_mode(memory)
    if mode == OFF or not memory.repository.repository:
        return False
    FactList(memory).note_extraction()
    interval = current_settings(memory).suggestions.interval_minutes * 60.0
    if not is_due(mode, interval_seconds=interval, last=last_run(memory), ended=ended, now=memory.now):
        return False
    payload = {"cwd": memory.repository.root, "host": host, "ended": ended}
    memory.store.jobs.add(RECONCILE, memory.repository.root, payload, now=memory.now)
    return True


def reconcile_in_background(
    memory: Opened, *, host: str, ended: bool, pause: Callable[[float], None]
) -> Reconciled | None:
    """One run of the worker; None when the mode was changed meanwhile. Eager waits a moment for more of a turn."""
    mode = current_mode(memory)
    if mode not in (EAGER, OCCASIONAL):
        return None
    if mode == EAGER:
        pause(current_settings(memory).suggestions.debounce_milliseconds / 1000)
    read_shared(memory)
    done = reconcile(memory, choose=chooser(memory))
    share_facts(memory)
    tell(memory, host=host, ended=ended)
    return done


def tell(memory: Opened, *, host: str, ended: bool) -> list[str]:
    """Tell of suggestions that nobody was told of, as the mode says. They stay pending whatever comes of it."""
    here = memory.repository.repository
    untold = [one for one in memory.store.suggestions.listed(PENDING, repository=here) if not one.told]
    batch = current_settings(memory).suggestions.batch
    found = notices(untold, current_mode(memory), batch=batch, ended=ended)
    if not found:
        return []
    texts = [notice.text for notice in found]
    with memory.store.write(durable=False):
        for notice in found:
            memory.store.suggestions.tell(notice.suggestion_ids, now=memory.now)
        if not ability(host).shows_messages:
            memory.store.announcements.add(" ".join(texts), repository=here, now=memory.now)
    if ability(host).shows_messages:
        leave_notice(memory.home.spool, here, texts)
    return texts
