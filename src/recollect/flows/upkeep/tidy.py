"""Tidy: at most once a day, let unused things sleep or expire, prune what is old, make a safety copy."""

from __future__ import annotations

from recollect.files.repeated_calls import forget_old_calls
from recollect.flows.turns.announcements import expire
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.memory.forgetting import SECONDS_PER_DAY, forget_unused
from recollect.model.jobs import UPKEEP
from recollect.store.backups import backup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home
    from recollect.settings import Settings
    from recollect.store.store import Store

NOTE = "tidied"
KEEP_JOBS_DAYS = 7  # jobs that are over
TELL_DAYS = 60  # announcements that nobody came to hear
SESSION_DAYS = 30  # what a person allowed for a session is asked again in one that is resumed later


def tidy(store: Store, settings: Settings, *, home: Home, now: float) -> None:
    """Put the house in order, unless that was done within the last day."""
    take_in_spool(store, spool_folder=home.spool)
    if _is_due(store.note(NOTE), now):
        put_in_order(store, settings, home=home, now=now)


def put_in_order(store: Store, settings: Settings, *, home: Home, now: float) -> None:
    """Let unused things sleep or expire, prune what is old, make a safety copy."""
    with store.write(durable=False):
        store.set_note(NOTE, str(now))
        forget_unused(store, after_days=settings.memory.forget_after_days, now=now)
        store.candidates.expire(now=now)
        expire(store, now=now)
        store.approvals.prune_sessions(before=now - SESSION_DAYS * SECONDS_PER_DAY)
        store.receipts.prune(before=now - settings.receipts.keep_days * SECONDS_PER_DAY, keep=settings.receipts.keep)
        store.announcements.prune(before=now - TELL_DAYS * SECONDS_PER_DAY)
        store.jobs.prune(before=now - KEEP_JOBS_DAYS * SECONDS_PER_DAY)
        store.jobs.forget_watermarks(UPKEEP, before=now - KEEP_JOBS_DAYS * SECONDS_PER_DAY)
        store.index.merge()
    forget_old_calls(home.spool, now=now)
    backup(store, home.backups, now=now)


def _is_due(last: str, now: float) -> bool:
    """Is it a day since then? A clock that once stood in the future must not put it off until then."""
    try:
        return not 0 <= now - float(last or 0) < SECONDS_PER_DAY
    except ValueError:
        return True
