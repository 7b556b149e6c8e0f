"""Receipts as they were kept last: those that are stored, and those that still wait in the spool."""

from __future__ import annotations

import json

from recollect.files import spool
from recollect.model.receipts import Receipt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.store.store import Store

_TYPES = [(str, str, int, str, str, number, str, int, list, list) for number in (float, int)]


def last_turn(session: str, *, store: Store, spool_folder: str) -> tuple[int, str, float] | None:
    """(number, query, created) of the last numbered turn of a session."""
    # The spool first: what is stored meanwhile is then seen there or here.
    waiting = next((one for one in _waiting(spool_folder, session=session) if one.turn > 0), None)
    last = store.receipts.last_turn(session)
    if waiting and (last is None or waiting.turn >= last[0]):
        return waiting.turn, waiting.query, waiting.created
    return last


def last_receipt(store: Store, *, spool_folder: str) -> Receipt | None:
    """The newest receipt."""
    kept = [next(_waiting(spool_folder), None), store.receipts.last()]
    return max((one for one in kept if one), key=lambda one: one.created, default=None)


def receipts_of(session: str, *, store: Store, spool_folder: str) -> list[Receipt]:
    """Every receipt of a session, oldest first."""
    waiting = reversed(list(_waiting(spool_folder, session=session)))
    kept = {one.receipt_id: one for one in (*store.receipts.of_session(session), *waiting)}
    return sorted(kept.values(), key=lambda one: one.created)


def parsed(line: str) -> Receipt | None:
    """A spooled line as a receipt; None for one that a crash tore or that none of us wrote."""
    try:
        receipt = Receipt(**json.loads(line))
    except (ValueError, TypeError):
        return None
    return receipt if tuple(map(type, receipt)) in _TYPES and all("id" in entry for entry in receipt.entries) else None


def _waiting(spool_folder: str, *, session: str | None = None) -> Iterator[Receipt]:
    """What waits, of a session or of all, the newest first."""
    mark = json.dumps(session, ensure_ascii=False) if session else ""
    for line in reversed(spool.tail(spool_folder)):
        receipt = parsed(line) if line and mark in line else None
        if receipt and session in (None, receipt.session):
            yield receipt
