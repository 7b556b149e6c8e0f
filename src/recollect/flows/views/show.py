"""Show: everything there is to know about one entry."""

from __future__ import annotations

from recollect.memory.checks import Checked
from recollect.memory.history import Step, trail
from recollect.memory.versions import with_earlier
from recollect.model.entries import Entry
from recollect.model.receipts import Receipt
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from recollect.memory.checking import Checker
    from recollect.store.entries import Stored
    from recollect.store.store import Store


class Details(Record):
    """An entry and its surroundings."""

    entry: Entry
    check: Checked
    history: list[Step]
    replaced: list[Entry]
    votes: list[dict[str, Any]]
    receipts: list[Receipt]
    chain: list[Entry]  # what came before it, it, and what came after, oldest first


def show(stored: Stored, *, store: Store, checker: Checker, now: float) -> Details:
    """An entry with its check, its trail, what it replaced, its votes and the receipts that name it."""
    entry = stored.entry
    return Details(
        entry=entry,
        check=checker.check([entry], now=now)[0],
        history=trail(stored, store.changes.of_entry(entry.entry_id)),
        replaced=[other.entry for other in store.entries.superseded_by(entry.entry_id)],
        votes=store.votes.of_entry(entry.entry_id),
        receipts=store.receipts.naming(entry.entry_id),
        chain=chain(stored, store),
    )


def chain(stored: Stored, store: Store) -> list[Entry]:
    """The versions of what an entry says: all that led to it, itself, and all that replaced it since."""
    found = {one.entry_id for one in with_earlier(stored, store)}
    newer = stored.entry.superseded_by
    while newer and newer not in found and store.entries.has(newer):
        found.add(newer)
        newer = store.entries.get(newer).entry.superseded_by
    return [one.entry for one in store.entries.by_ids(list(found)).values()]
