"""The versions of what an entry says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.entries import Stored
    from recollect.store.store import Store


def with_earlier(stored: Stored, store: Store) -> list[Stored]:
    """An entry and all that it replaced, step by step."""
    versions = {stored.entry_id: stored}
    left = [stored]
    while left:
        replaced = store.entries.superseded_by(left.pop().entry_id)
        fresh = [one for one in replaced if one.entry_id not in versions]
        versions.update((one.entry_id, one) for one in fresh)
        left += fresh
    return list(versions.values())
