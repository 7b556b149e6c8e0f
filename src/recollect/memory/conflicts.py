"""Entries that contradict each other, until a person settles it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry
    from recollect.store.store import Store


def open_conflicts(store: Store) -> list[tuple[Entry, Entry]]:
    """Pairs (newer, older) of active entries that contradict each other."""
    with store.read():
        pairs = store.verdicts.conflicts()
        entries = store.entries.by_rows(sorted({row for pair in pairs for row in pair}))
    return [(entries[newer], entries[older]) for newer, older in pairs]
