"""Entries that contradict each other, until a person settles it."""

from __future__ import annotations

from recollect.memory.drafts import draft_of
from recollect.memory.neighbours import OPPOSED, find_neighbours

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
        if near.relation in OPPOSED and near.stored.entry.status == "active"
    ]
    for other in opposed:
        newer, older = (other, stored) if _is_later(other, stored) else (stored, other)
        store.conflicts.add(newer.entry_id, older.entry_id, now=now)
    return [other.entry for other in opposed]


def open_conflicts(store: Store) -> list[tuple[Entry, Entry]]:
    """Pairs (newer, older) of active entries that contradict each other."""
    with store.read():
        pairs = store.conflicts.open()
        entries = store.entries.by_ids(list({entry_id for pair in pairs for entry_id in pair}))
    return [(entries[newer].entry, entries[older].entry) for newer, older in pairs]


def _is_later(one: Stored, other: Stored) -> bool:
    """By when it was said; of the same time, by when it was stored."""
    if one.entry.created == other.entry.created:
        return one.came_after(other)
    return one.entry.created > other.entry.created
