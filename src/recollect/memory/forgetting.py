"""Forgetting: what the system wrote, nobody typed and nothing used for long falls asleep; nothing is deleted."""

from __future__ import annotations

from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store

SECONDS_PER_DAY = 86_400.0


def forget_unused(store: Store, *, after_days: int, now: float) -> int:
    """Make unused entries inactive; returns how many. Needs an open write()."""
    asleep = store.entries.unused_since(now - after_days * SECONDS_PER_DAY)
    if not asleep:
        return 0
    change_id = store.changes.begin("forget unused", "system", now=now)
    for stored in asleep:
        after = stored.entry._replace(status="inactive", updated=now)
        store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
    return len(asleep)
