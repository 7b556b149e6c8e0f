"""Receipts as they were kept last: those that are stored, and those that still wait in the spool."""

from __future__ import annotations

from recollect.files import spool
from recollect.model.receipts import Receipt
from recollect.text.ids import is_called
from recollect.text.quick_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from recollect.store.store import Store

_TYPES = [(str, str, int, str, str, number, str, int, list, list) for number in (float, int)]
MOST_TURNS = 100  # that gave a session something are looked through for what it still has before it
_LARGEST = 2**53  # beyond that a number is no longer itself everywhere


def last_turn(session: str, *, store: Store, spool_folder: str) -> tuple[int, str, float] | None:
    """(number, query, created) of the last numbered turn of a session."""
    # The spool first: what is stored meanwhile is then seen there or here.
    waiting = next((one for one in _waiting(spool_folder, session=session) if one.turn > 0), None)
    last = store.receipts.last_turn(session)
    if waiting and (last is None or waiting.turn >= last[0]):
        return waiting.turn, waiting.query, waiting.created
    return last


def last_receipt(
    store: Store, *, spool_folder: str, session: str = "", turn: int | None = None, repository: str | None = None
) -> Receipt | None:
    """The newest receipt, of a session, a turn and a repository where they are given."""
    waiting = (
        one
        for one in _waiting(spool_folder)
        if one.session.startswith(session) and turn in (None, one.turn) and repository in (None, one.repository)
    )
    kept = [next(waiting, None), store.receipts.last(session=session, turn=turn, repository=repository)]
    return max((one for one in kept if one), key=lambda one: one.created, default=None)


def receipt_with(receipt_id: str, *, store: Store, spool_folder: str) -> Receipt:
    """The receipt with this id, or a unique beginning or end of one."""
    waiting = [one for one in _waiting(spool_folder) if is_called(one.receipt_id, receipt_id)]
    return waiting[0] if len({one.receipt_id for one in waiting}) == 1 else store.receipts.get(receipt_id)


def receipts_of(session: str, *, store: Store, spool_folder: str) -> list[Receipt]:
    """Every receipt of a session, oldest first."""
    waiting = reversed(list(_waiting(spool_folder, session=session)))
    kept = {one.receipt_id: one for one in (*store.receipts.of_session(session), *waiting)}
    return sorted(kept.values(), key=lambda one: one.created)


def in_window(session: str, turn: int, *, store: Store, spool_folder: str) -> dict[str, str]:
    """What a session was given and still has before it: the id of each entry, and the mark of its line then. What this
    very turn was given does not count: it is told a second time."""
    waiting = list(_waiting(spool_folder, session=session))
    known = {one.receipt_id for one in waiting}
    stored = [one for one in store.receipts.giving(session, limit=MOST_TURNS) if one.receipt_id not in known]
    given: dict[str, str] = {}
    for receipt in (*waiting, *stored):
        for entry in receipt.entries if not turn or receipt.turn != turn else ():
            given.setdefault(str(entry["id"]), str(entry.get("line", "")))
        if receipt.empties_window:
            break
    return given


def parsed(line: str) -> Receipt | None:
    """A spooled line as a receipt; None for one that a crash tore or that none of us wrote."""
    try:
        receipt = Receipt(**loads(line))
    except (ValueError, TypeError, RecursionError):
        return None
    return receipt if tuple(map(type, receipt)) in _TYPES and _is_whole(receipt) else None


def _is_whole(receipt: Receipt) -> bool:
    numbers = (receipt.turn, receipt.created, receipt.tokens)
    items: list[Any] = [*receipt.entries, *receipt.left_out]
    return all(abs(number) < _LARGEST for number in numbers) and all(
        isinstance(item, dict) and isinstance(item.get("id"), str) and item["id"].isprintable() for item in items
    )


def _waiting(spool_folder: str, *, session: str | None = None) -> Iterator[Receipt]:
    """What waits, of a session or of all, the newest first."""
    mark = dumps(session, ensure_ascii=False) if session else ""
    for line in reversed(spool.tail(spool_folder, mark=mark)):
        receipt = parsed(line)
        if receipt and session in (None, receipt.session):
            yield receipt
