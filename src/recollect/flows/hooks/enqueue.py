"""Leave work for the worker without making anybody wait: in the database if it is free, else in a spool."""

from __future__ import annotations

from recollect.errors import FileError, RecollectError, StoreFull
from recollect.files import spool
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from recollect.store.store import Store


def enqueue(
    kind: str,
    key: str,
    payload: Mapping[str, Any],
    *,
    input_version: int = 0,
    store: Store | None,
    spool_folder: str,
    wait_seconds: float,
    now: float,
) -> bool:
    """Add a job; True when it stands in the database or the spool. Without a store, or a usable one, it is spooled."""
    if store is not None:
        try:
            with store.write(durable=False, wait_seconds=wait_seconds):
                store.jobs.add(kind, key, payload, input_version=input_version, now=now)
        except RecollectError:
            pass  # locked, full or damaged: whoever opens it next may know better
        else:
            return True
    job = {"kind": kind, "key": key, "payload": dict(payload), "input_version": input_version, "at": now}
    try:
        spool.add_line(spool_folder, dumps(job, ensure_ascii=False), name=spool.JOBS)
    except (StoreFull, FileError):
        return False
    return True


def take_in_jobs(store: Store, *, spool_folder: str, now: float) -> int:
    """Add what was spooled; returns how many jobs. A line that was taken in before is only done once more."""
    taken = spool.take(spool_folder, name=spool.JOBS)
    jobs = [job for lines in taken.values() for job in map(_parsed, lines) if job]
    if jobs:
        with store.write(durable=False):
            for kind, key, payload, input_version in jobs:
                store.jobs.add(kind, key, payload, input_version=input_version, now=now)
    spool.done(list(taken))
    return len(jobs)


def _parsed(line: str) -> tuple[str, str, dict[str, Any], int] | None:
    """A spooled line as a job; None for one that a crash tore."""
    try:
        found = loads(line)
        return str(found["kind"]), str(found["key"]), dict(found["payload"]), int(found.get("input_version", 0))
    except (ValueError, TypeError, KeyError):
        return None
