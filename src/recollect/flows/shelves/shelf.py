"""A shelf: texts that a program keeps under addresses. Each is one entry or several passages, exact to the letter.

What stands there is redacted, recalled, audited and undone like every entry. But it is no statement of its own accord:
it is neither merged with what says the same nor refused because something like it was retired.
"""

from __future__ import annotations

from recollect.flows.shelves.change_texts import ShelfOwner, put, retire, standing
from recollect.flows.turns.recall import candidates, places, scored, weighed
from recollect.memory.passages import shelf_tag
from recollect.memory.queries import understand
from recollect.model.recall import Filters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.flows.shelves.change_texts import Sheet
    from recollect.flows.writes.writers import Writer
    from recollect.model.recall import Limits
    from recollect.store.entries import Stored


class Shelf:
    """The texts of one place. Every call is one snapshot or one change; any thread may call."""

    def __init__(self, new_writer: Callable[[], Writer], place: ShelfOwner, limits: Limits) -> None:
        self._new_writer = new_writer
        self.place = place
        self._limits = limits

    # -- reading

    def at(self, address: str) -> list[Stored]:
        """The passages under an address, in their order."""
        writer = self._new_writer()
        return standing(writer, self.place, address)

    def under(self, prefix: str, *, limit: int = -1, offset: int = 0) -> list[Stored]:
        """All passages under addresses that begin like this, in the order they came."""
        writer = self._new_writer()
        return writer.store.shelves.under(
            self.place.repository, prefix, now=writer.now, limit=limit, offset=offset
        )  # fmt: skip

    def addresses(self) -> list[str]:
        """Every address in use, sorted."""
        writer = self._new_writer()
        return writer.store.shelves.addresses(self.place.repository, now=writer.now)

    def search(self, text: str) -> dict[str, float]:
        """Ids of what matches, with their scores, as recall finds entries; no floor, for a program asked for it."""
        query = understand(text)
        if not query.terms and not query.names:
            return {}
        writer, here = self._new_writer(), self.place.repository
        filters = Filters(repository=here, layers=("L1",), tags=(shelf_tag(1),))
        limits = self._limits._replace(floor=0.0)
        with writer.store.read():
            search = writer.store.search_entries(places(filters, writer.store))
            matches = candidates(weighed(query, search), search, filters, limits)
            stored = writer.store.entries.by_ids([found.entry_id for found, _ in matches])
            hits, _ = scored(matches, stored, filters, limits, writer.now)
        return {hit.entry.entry_id: hit.score for hit in hits if hit.entry.repository == here and hit.score}

    # -- writing

    def put(self, sheets: Sequence[Sheet], *, action: str = "shelve") -> list[str]:
        """Put all of it on the shelf as one change; returns the ids of the entries that were written or retired."""
        return put(sheets, self._new_writer(), self.place, action=action)

    def keep_for(self, seconds: Mapping[str, float]) -> None:
        """Let these entries last so long from now on."""
        writer = self._new_writer()
        with writer.store.write(durable=False):
            writer.store.shelves.keep_until(list(seconds), [writer.now + one for one in seconds.values()])

    def sweep(self) -> int:
        """Retire what has expired; how many entries that were."""
        writer = self._new_writer()
        with writer.store.write():
            expired = writer.store.shelves.expired(self.place.repository, now=writer.now)
            change_id = writer.store.changes.begin("expire", writer.actor, now=writer.now)
            for stored in expired:
                retire(stored, writer, change_id)
            writer.store.changes.drop_if_empty(change_id)
        return len(expired)
