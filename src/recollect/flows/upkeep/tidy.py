"""Tidy: at most once a day, take in the spool, let unused things sleep or expire, prune receipts, copy the database."""

from __future__ import annotations

from recollect.flows.turns.announcements import expire
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.memory.forgetting import SECONDS_PER_DAY, forget_unused
from recollect.store.backups import backup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.files.home import Home
    from recollect.settings import Settings
    from recollect.store.store import Store

NOTE = "tidied"
SESSION_DAYS = 30  # what a person allowed for a session is asked again in one that is resumed later


def tidy(store: Store, settings: Settings, *, home: Home, now: float) -> None:
    """Keep the house in order without anybody waiting for it."""
    take_in_spool(store, spool_folder=home.spool)
    if not _is_due(store.home_value(NOTE), now):
        return
    with store.write(durable=False):
        store.set_home_value(NOTE, str(now))
        forget_unused(store, after_days=settings.memory.forget_after_days, now=now)
        store.candidates.expire(now=now)
        expire(store, now=now)
        store.approvals.prune_sessions(before=now - SESSION_DAYS * SECONDS_PER_DAY)
        store.receipts.prune(before=now - settings.receipts.keep_days * SECONDS_PER_DAY, keep=settings.receipts.keep)
        store.index.merge()
    backup(store, home.backups, now=now)


def _is_due(last: str, now: float) -> bool:
    """Is it a day since then? A clock that once stood in the future must not put it off until then."""
    try:
        return not 0 <= now - float(last or 0) < SECONDS_PER_DAY
    except ValueError:
        return True
