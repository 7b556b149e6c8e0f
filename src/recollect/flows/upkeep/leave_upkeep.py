"""Leave the daily upkeep to a worker: a job under the day's name, so that it is left, and done, once a day at most."""

from __future__ import annotations

import sys
import time

from recollect.errors import RecollectError
from recollect.files import worker_process
from recollect.flows.hooks.note_session_end import worker_is_there
from recollect.model.jobs import CHECK_CITATIONS, UPKEEP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened
    from recollect.store.store import Store

WAIT_SECONDS = 0.05  # for other writers, once the command is done
ONCE = 1  # a day has one state of input


def leave_upkeep(store: Store, *, now: float, wait_seconds: float | None = None) -> bool:
    """Leave the upkeep of this day; False when somebody has."""
    # Not counted from the last time: a clock that once stood in the future would put it off until then.
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    if store.jobs.knows_input(UPKEEP, day, ONCE):
        return False
    with store.write(durable=False, wait_seconds=wait_seconds):
        return store.jobs.add(UPKEEP, day, {}, input_version=ONCE, now=now)


def see_to_upkeep(memory: Opened) -> None:
    """Have a worker do the upkeep of this day. What was asked for is done: nobody waits for this or hears of it."""
    store, now = memory.store, memory.now
    try:
        if not memory.settings.enabled or not leave_upkeep(store, now=now, wait_seconds=WAIT_SECONDS):
            return
        with store.write(durable=False, wait_seconds=WAIT_SECONDS):
            # What entries cite is looked at with more time than a question has, also where no hook says so.
            store.jobs.add(CHECK_CITATIONS, memory.folder, {"cwd": memory.folder}, now=now)
        if not worker_is_there(store, now=now):
            worker_process.start_worker(sys.executable, memory.home)
    except (RecollectError, *worker_process.NOT_STARTED):
        return  # the next worker leaves it for itself
