"""A shelf: texts that a program keeps under addresses. Each is one entry or several passages, exact to the letter.

What stands there is redacted, recalled, audited and undone like every entry. But it is no statement of its own accord:
it is neither merged with what says the same nor refused because something like it was retired.
"""

from __future__ import annotations

from recollect.errors import Refused
from recollect.flows.recall import candidates
from recollect.memory.drafts import to_entry
from recollect.memory.queries import understand
from recollect.memory.shelving import passage_number, shelf_tag
from recollect.model.drafts import Draft
from recollect.model.recall import Filters
from recollect.model.record import Record
from recollect.text.secrets import redact
from recollect.text.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from recollect.flows.write import Writer
    from recollect.model.entries import Entry, Origin
    from recollect.model.recall import Limits
    from recollect.store.entries import Stored

MOST_FOUND = 200


class Sheet(Record):
    """What is to stand under an address: its passages in order, already without secrets; none takes it away."""

    address: str
    passages: tuple[str, ...]
    reason: str = ""
    lasts_seconds: float | None = None  # None: for good


class Place(Record):
    """Whose shelf it is, and what stands behind the texts on it."""

    repository: str  # empty: the user's own
    origin: Origin
    session: str = ""


class Shelf:
    """The texts of one place. Every call is one snapshot or one change; any thread may call."""

    def __init__(self, new_writer: Callable[[], Writer], place: Place, limits: Limits) -> None:
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

    def search(self, text: str) -> dict[int, float]:
        """Rows of what matches, with their scores, as recall finds entries; no floor, for a program asked for it."""
        query = understand(text)
        if not query.terms and not query.names:
            return {}
        writer, here = self._new_writer(), self.place.repository
        filters = Filters(repository=here, layers=("L1",), tags=(shelf_tag(1),))
        hits = candidates(query, writer.store, filters, self._limits._replace(max_entries=MOST_FOUND), writer.now)
        return {hit.brief.entry_row: hit.score for hit in hits if hit.brief.repository == here and hit.score}

    # -- writing

    def put(self, sheets: Sequence[Sheet], *, action: str = "shelve") -> list[str]:
        """Put all of it on the shelf as one change; returns the ids of the entries that were written or retired."""
        for sheet in sheets:
            require_plain(sheet.address)
        writer = self._new_writer()
        touched: list[str] = []
        with writer.store.write():
            change_id = writer.store.changes.begin(action, writer.actor, now=writer.now)
            for sheet in sheets:
                touched += _put(sheet, writer, self.place, change_id)
            writer.store.changes.drop_if_empty(change_id)
        return touched

    def move(self, moves: Sequence[tuple[str, str]], *, action: str = "move") -> None:
        """Give texts other addresses, as one change."""
        for _, address in moves:
            require_plain(address)
        writer = self._new_writer()
        with writer.store.write():
            change_id = writer.store.changes.begin(action, writer.actor, now=writer.now)
            for old, new in moves:
                for stored in standing(writer, self.place, old):
                    _change(stored, stored.entry._replace(subject=new, updated=writer.now), writer, change_id)
            writer.store.changes.drop_if_empty(change_id)

    def keep_for(self, seconds: Mapping[int, float]) -> None:
        """Let these rows last so long from now on."""
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
                _retire(stored, writer, change_id)
            writer.store.changes.drop_if_empty(change_id)
        return len(expired)


def standing(writer: Writer, place: Place, address: str) -> list[Stored]:
    """The passages under an address, in their order; of two with the same number the older one first."""
    found = writer.store.shelves.at(place.repository, address, now=writer.now)
    return sorted(found, key=lambda one: (passage_number(one.entry.tags), one.entry_row))


def require_plain(address: str) -> None:
    """Refuse an address with a secret in it: it could not be found again once that is taken out."""
    if redact(address) != address:
        raise Refused("An address with a secret in it cannot be kept; choose another name.")


def _put(sheet: Sheet, writer: Writer, place: Place, change_id: int) -> list[str]:
    old = standing(writer, place, sheet.address)
    wanted = [_draft(sheet, at, place) for at in range(len(sheet.passages))]
    until = 0.0 if sheet.lasts_seconds is None else writer.now + sheet.lasts_seconds
    head = _shared([one.entry.content for one in old], sheet.passages)
    tail = _shared([one.entry.content for one in old[head:]][::-1], sheet.passages[head:][::-1])
    changed, new = old[head : len(old) - tail], wanted[head : len(wanted) - tail]
    both = min(len(changed), len(new))
    pairs = [*zip(old[:head], wanted[:head], strict=True), *zip(changed[:both], new[:both], strict=True)]
    if tail:
        pairs += zip(old[-tail:], wanted[-tail:], strict=True)
    touched = []
    for stored, draft in pairs:
        after = _rewritten(stored.entry, draft, valid_to=until, now=writer.now)
        if _change(stored, after, writer, change_id):
            touched.append(after.entry_id)
    for stored in changed[both:]:
        touched.append(_retire(stored, writer, change_id))
    added = [to_entry(draft, entry_id=writer.new_id(), now=writer.now) for draft in new[both:]]
    added = [entry._replace(valid_to=until) for entry in added]
    if added:
        keys = [statement_key(entry.content) for entry in added]
        writer.store.entries.add(added, keys, change_id=change_id)
    return touched + [entry.entry_id for entry in added]


def _draft(sheet: Sheet, at: int, place: Place) -> Draft:
    return Draft(
        sheet.passages[at],
        scope="repository" if place.repository else "user",
        repository=place.repository,
        subject=sheet.address,
        reason=sheet.reason,
        tags=(shelf_tag(at + 1),),
        source="agent",
        origin=place.origin,
        confidence=0.5,
        session=place.session,
    )


def _rewritten(entry: Entry, draft: Draft, *, valid_to: float, now: float) -> Entry:
    others = tuple(tag for tag in entry.tags if not passage_number((tag,)))
    same = entry.content == draft.content
    return entry._replace(
        content=draft.content,
        reason=draft.reason,
        tags=(*draft.tags, *others),
        # Who rewrites a passage answers for it; who leaves it alone does not take it over.
        source=entry.source if same else draft.source,
        origin=entry.origin if same else draft.origin,
        session=entry.session if same else draft.session,
        valid_to=valid_to,
        updated=now,
    )


def _change(stored: Stored, after: Entry, writer: Writer, change_id: int) -> bool:
    if stored.entry._replace(updated=after.updated) == after:
        return False
    writer.store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
    return True


def _retire(stored: Stored, writer: Writer, change_id: int) -> str:
    after = stored.entry._replace(status="tombstone", updated=writer.now, valid_to=writer.now)
    _change(stored, after, writer, change_id)
    return stored.entry.entry_id


def _shared(old: Sequence[str], new: Sequence[str]) -> int:
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count
