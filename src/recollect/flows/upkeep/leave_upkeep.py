"""Leave the daily upkeep to a worker: a job under the day's name, so that it is left, and done, once a day at most."""

from __future__ import annotations

import time

from recollect.model.jobs import UPKEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store

ONCE = 1  # a day has one state of input


def leave_upkeep(store: Store, *, now: float, wait_seconds: float | None = None) -> bool:
    """Leave the upkeep of this day; False when somebody has."""
    # Not counted from the last time: a clock that once stood in the future would put it off until then.
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    if store.jobs.knows_input(UPKEEP, day, ONCE):
        return False
    with store.write(durable=False, wait_seconds=wait_seconds):
        return store.jobs.add(UPKEEP, day, {}, input_version=ONCE, now=now)
