"""Entries that contradict each other, until a person settles it."""

from __future__ import annotations

from recollect.memory.drafts import draft_of
from recollect.memory.neighbours import OPPOSED, find_neighbours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store


def note_conflicts(stored: Stored, store: Store, *, now: float, before: Stored | None = None) -> list[Entry]:
    """Note what an entry that came back contradicts: what says otherwise and, as it was `before`, what had taken its
    place; returns those entries. Needs an open write()."""
    opposed = [
        near.stored
        for near in find_neighbours(draft_of(stored.entry), store)
        if near.relation in OPPOSED and near.stored.entry.status == "active"
    ]
    newer_version = standing_in_for(before or stored, store)
    if newer_version is not None and all(newer_version.entry_id != one.entry_id for one in opposed):
        opposed.append(newer_version)
    for other in opposed:
        newer, older = (other, stored) if _is_later(other, stored) else (stored, other)
        store.conflicts.add(newer.entry_id, older.entry_id, now=now)
    return [other.entry for other in opposed]


def standing_in_for(stored: Stored, store: Store) -> Stored | None:
    """The active entry that took the place of one that was replaced, perhaps step by step."""
    seen = {stored.entry_id}
    while (newer := stored.entry.superseded_by) and newer not in seen:
        seen.add(newer)
        found = store.entries.by_ids([newer])
        if newer not in found:
            return None
        stored = found[newer]
    return stored if len(seen) > 1 and stored.entry.status == "active" else None


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
