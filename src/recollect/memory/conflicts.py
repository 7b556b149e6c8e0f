"""Entries that contradict each other, until a person settles it."""

from __future__ import annotations

from recollect.memory.drafts import draft_of
from recollect.memory.neighbours import find_neighbours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store


def note_conflicts(stored: Stored, store: Store, *, now: float) -> list[Entry]:
    """Note what an entry that came back contradicts; returns those entries. Needs an open write()."""
    opposed = [
        near.stored
        for near in find_neighbours(draft_of(stored.entry), store)
        if near.relation == "opposite" and near.stored.entry.status == "active"
    ]
    for other in opposed:
        later = (other.entry.created, other.entry_row) > (stored.entry.created, stored.entry_row)
        newer, older = (other, stored) if later else (stored, other)
        store.judgements.add_conflict(newer.entry_row, older.entry_row, now=now)
    return [other.entry for other in opposed]


def open_conflicts(store: Store) -> list[tuple[Entry, Entry]]:
    """Pairs (newer, older) of active entries that contradict each other."""
    with store.read():
        pairs = store.judgements.conflicts()
        entries = store.entries.by_rows(sorted({row for pair in pairs for row in pair}))
    return [(entries[newer], entries[older]) for newer, older in pairs]
