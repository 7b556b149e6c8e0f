"""Keep a receipt without making the reader wait: now if the database is free, else in a spool for the next writer."""

from __future__ import annotations

import json

from recollect.errors import FileError, StoreDamaged, StoreError, StoreFull
from recollect.model.receipts import Receipt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.checks import CachedCheck
    from recollect.store.store import Store


def keep_receipt(
    receipt: Receipt, *, checks: Sequence[CachedCheck] = (), store: Store, spool_folder: str, wait_seconds: float
) -> None:
    """Store the receipt and the checks that were made, or spool the receipt when they cannot be written now."""
    try:
        with store.write(durable=False, wait_seconds=wait_seconds):
            store.receipts.add(receipt)
            if checks:
                store.verdicts.cache_checks(checks)
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        from recollect.files import spool

        try:
            spool.add_line(spool_folder, json.dumps(receipt._asdict(), ensure_ascii=False))
        except (StoreFull, FileError):
            return  # a full or read-only disk takes the receipt, not the answer


def take_in_spool(store: Store, *, spool_folder: str) -> int:
    """Store what was spooled; returns how many lines. A receipt that is stored already is not counted twice."""
    from recollect.files import spool

    taken = spool.take(spool_folder)
    receipts = [receipt for lines in taken.values() for receipt in map(_parsed, lines) if receipt]
    if receipts:
        with store.write(durable=False):
            for receipt in receipts:
                store.receipts.add(receipt)
    spool.done(list(taken))
    return len(receipts)


def _parsed(line: str) -> Receipt | None:
    """A spooled line as a receipt; None for one that a crash tore."""
    try:
        return Receipt(**json.loads(line))
    except (ValueError, TypeError):
        return None
