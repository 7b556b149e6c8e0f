"""The versions of what an entry says."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.model.entries import status_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry
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


def latest(entry: Entry, store: Store) -> Entry:
    """What took an entry's place, the last of a chain; itself where nothing did."""
    seen = {entry.entry_id}
    while entry.superseded_by and entry.superseded_by not in seen and store.entries.has(entry.superseded_by):
        seen.add(entry.superseded_by)
        entry = store.entries.get(entry.superseded_by).entry
    return entry


def require_active(entry: Entry, store: Store, remedy: str) -> None:
    """Refused for an entry that is no longer recalled, with the one that took its place, or else with the remedy."""
    if entry.status == "active":
        return
    now = latest(entry, store)
    if now.entry_id != entry.entry_id and now.status == "active":
        raise Refused(f"{entry.entry_id} was replaced by {now.entry_id}; use that one instead.")
    raise Refused(f"{entry.entry_id} is {status_word(entry.status)}; {remedy}.")
