"""Keep a receipt without making the reader wait: in a spool, out of which many are stored at once."""

from __future__ import annotations

from recollect.errors import FileError, StoreDamaged, StoreError, StoreFull
from recollect.files import spool
from recollect.flows.turns.waiting_receipts import parsed
from recollect.text.quick_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.memory.checks import CachedCheck
    from recollect.model.board import BoardPlace
    from recollect.model.receipts import Receipt
    from recollect.store.store import Store

ENOUGH_BYTES = 32_000  # of some fifty receipts: then they are worth a transaction


def keep_receipt(receipt: Receipt, *, store: Store, spool_folder: str) -> bool:
    """Spool a receipt, or else store it; do enough of them wait in the spool now?"""
    try:
        waiting = spool.add_line(spool_folder, dumps(receipt._asdict(), ensure_ascii=False))
    except (StoreFull, FileError):
        store_if_free([receipt], store=store)
        return False
    return waiting >= ENOUGH_BYTES


def store_if_free(receipts: Sequence[Receipt], *, store: Store) -> None:
    """Store receipts, unless somebody else is writing: what cannot be kept anywhere does not cost the answer."""
    try:
        with store.write(durable=False, wait_seconds=0.0):
            store.receipts.add_all(receipts)
    except (StoreError, FileError):
        return


def keep_checks(checks: Sequence[CachedCheck], *, store: Store) -> None:
    """Store what was found about citations, unless somebody else is writing just now: then it is found again."""
    try:
        with store.write(durable=False, wait_seconds=0.0):
            store.citation_checks.save(checks)
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        return


def keep_block(
    session: str,
    text: str,
    *,
    store: Store,
    wait_seconds: float,
    now: float,
    anew: bool = False,
    board: BoardPlace | None = None,
) -> str:
    """Keep what a session is given at its start, and give it what it was given first; with `anew`, this. That a new
    session was shown a board is counted with it.

    A database that cannot be written now costs the sameness, not the answer."""
    try:
        with store.write(durable=False, wait_seconds=wait_seconds):
            if board is not None and not store.receipts.kept_block(session):
                store.board.note_seen(board)
            if anew:
                store.receipts.drop_block(session)
            return store.receipts.frozen_block(session, text, now=now)
    except StoreDamaged:
        raise
    except (StoreError, FileError):
        return text


def take_in_spool(store: Store, *, spool_folder: str, wait_seconds: float | None = None) -> int:
    """Store what was spooled; returns how many receipts. One that is stored already is not counted twice.

    Not inside a write(), which may yet be taken back: then they would be gone from both places."""
    if not spool.waiting(spool_folder) or store.is_open():
        return 0
    with store.write(durable=False, wait_seconds=wait_seconds):
        taken = spool.take(spool_folder)
        receipts = [receipt for lines in taken.values() for receipt in map(parsed, lines) if receipt]
        # A hook may have named a repository as well as it could; by now it may be known better.
        known = {one.repository: store.repositories.canonical(one.repository) for one in receipts}
        store.receipts.add_all([one._replace(repository=known[one.repository]) for one in receipts])
    spool.done(list(taken))
    return len(receipts)


def take_in_if_free(store: Store, *, spool_folder: str) -> None:
    """Store what was spooled, unless somebody else is writing: then it stays for the next one."""
    try:
        take_in_spool(store, spool_folder=spool_folder, wait_seconds=0.0)
    except (StoreError, FileError):
        return
