"""Put the house in order: let unused things sleep or expire, prune what is old, make a safety copy."""

from __future__ import annotations

from recollect.files.repeated_calls import forget_old_calls
from recollect.flows.autonomous.clearing import forget_long_cleared
from recollect.flows.turns.announcements import expire
from recollect.flows.turns.keep_receipt import take_in_spool
from recollect.flows.upkeep.offer_for_profile import offer_for_profile
from recollect.memory.forgetting import SECONDS_PER_DAY, forget_unused
from recollect.model.jobs import COMPARE, UPKEEP
from recollect.store.backups import backup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened

KEEP_JOBS_DAYS = 7  # jobs that are over
KEEP_ANSWERS_DAYS = 1  # to requests that may be made again
TELL_DAYS = 60  # announcements that nobody came to hear
SESSION_DAYS = 30  # what a person allowed for a session is asked again in one that is resumed later


def put_in_order(memory: Opened) -> None:
    """Take in the spool, let unused things sleep or expire, prune what is old, make a safety copy."""
    store, settings, home, now = memory.store, memory.settings, memory.home, memory.now
    take_in_spool(store, spool_folder=home.spool)
    with store.write(durable=False):
        forget_unused(store, after_days=settings.memory.forget_after_days, now=now)
        store.candidates.expire(now=now)
        expire(store, now=now)
        store.approvals.prune_sessions(before=now - SESSION_DAYS * SECONDS_PER_DAY)
        store.receipts.prune(before=now - settings.receipts.keep_days * SECONDS_PER_DAY, keep=settings.receipts.keep)
        store.tokens.prune_answers(before=now - KEEP_ANSWERS_DAYS * SECONDS_PER_DAY)
        store.announcements.prune(before=now - TELL_DAYS * SECONDS_PER_DAY)
        store.jobs.prune(before=now - KEEP_JOBS_DAYS * SECONDS_PER_DAY)
        store.jobs.forget_watermarks(UPKEEP, before=now - KEEP_JOBS_DAYS * SECONDS_PER_DAY)
        store.jobs.forget_watermarks(COMPARE, before=now - 2 * KEEP_JOBS_DAYS * SECONDS_PER_DAY)
        forget_long_cleared(memory)
        store.index.merge()
    offer_for_profile(memory)
    forget_old_calls(home.spool, now=now)
    backup(store, home.backups, now=now)
