"""Keep a receipt without making the reader wait: now if the database is free, else in a spool for the next writer."""

from __future__ import annotations

import json
import os

from recollect.errors import FileError, StoreDamaged, StoreError, StoreFull
from recollect.files.home import SPOOLED_RECEIPTS
from recollect.model.receipts import Receipt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.checks import CachedCheck
    from recollect.store.store import Store

LITTLE_BYTES = 60_000
_TYPES = [(str, str, int, str, str, number, str, int, list, list) for number in (float, int)]


def keep_receipt(
    receipt: Receipt, *, checks: Sequence[CachedCheck] = (), store: Store, spool_folder: str, wait_seconds: float
) -> bool:
    """Store the receipt and the checks that were made, or spool the receipt when they cannot be written now: False."""
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
            pass  # a full or read-only disk takes the receipt, not the answer
        return False
    return True


def keep_block(session: str, text: str, *, store: Store, wait_seconds: float, now: float, anew: bool = False) -> str:
    """Keep what a session is given at its start, and give it what it was given first; with `anew`, this.

    A database that cannot be written now costs the sameness, not the answer."""
    try:
        with store.write(durable=False, wait_seconds=wait_seconds):
            if anew:
                store.receipts.drop_block(session)
            return store.receipts.frozen_block(session, text, now=now)
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        return text


def take_in_spool(store: Store, *, spool_folder: str, wait_seconds: float | None = None) -> int:
    """Store what was spooled; returns how many lines. A receipt that is stored already is not counted twice."""
    from recollect.files import spool

    if not spool.waiting(spool_folder, names=(spool.RECEIPTS,)):
        return 0
    with store.write(durable=False, wait_seconds=wait_seconds):
        taken = spool.take(spool_folder)
        receipts = [receipt for lines in taken.values() for receipt in map(_parsed, lines) if receipt]
        for receipt in receipts:
            store.receipts.add(receipt)
    spool.done(list(taken))
    return len(receipts)


def take_in_little(store: Store, *, spool_folder: str) -> None:
    """Take the spool in when that costs next to nothing: it is short, and nobody else is writing."""
    from recollect.files import spool

    if 0 < spool.waiting(spool_folder, names=(spool.RECEIPTS,)) <= LITTLE_BYTES:
        try:
            take_in_spool(store, spool_folder=spool_folder, wait_seconds=0.0)
        except (StoreError, FileError):
            return  # it stays for the next writer


def last_turn(session: str, *, store: Store, spool_folder: str) -> tuple[int, str, float] | None:
    """(number, query, created) of the last numbered turn of a session, stored or still spooled."""
    last = store.receipts.last_turn(session)
    if not os.path.exists(os.path.join(spool_folder, SPOOLED_RECEIPTS)):
        return last
    from recollect.files import spool

    mark = json.dumps(session, ensure_ascii=False)
    for line in spool.tail(spool_folder):
        receipt = _parsed(line) if mark in line else None
        if receipt and receipt.session == session and receipt.turn > 0 and (not last or receipt.turn >= last[0]):
            last = (receipt.turn, receipt.query, receipt.created)
    return last


def _parsed(line: str) -> Receipt | None:
    """A spooled line as a receipt; None for one that a crash tore or that none of us wrote."""
    try:
        receipt = Receipt(**json.loads(line))
    except (ValueError, TypeError):
        return None
    return receipt if tuple(map(type, receipt)) in _TYPES and all("id" in entry for entry in receipt.entries) else None
