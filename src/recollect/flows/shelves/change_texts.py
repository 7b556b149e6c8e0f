"""Putting texts under addresses, as passages that are entries; and a change of them that can wait for a person."""

from __future__ import annotations

import hashlib

from recollect.errors import Refused
from recollect.memory.drafts import to_entry
from recollect.memory.passages import join, passage_number, shelf_tag
from recollect.model.drafts import Draft
from recollect.model.record import Record
from recollect.text.language.statements import statement_key
from recollect.text.secrets.redacting import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.writes.writers import Writer
    from recollect.model.entries import Entry, Origin
    from recollect.store.entries import Stored

CHANGED = "It has been changed in the meantime; read it again, then retry."


class Sheet(Record):
    """What is to stand under an address: its passages in order, already without secrets; none takes it away."""

    address: str
    passages: tuple[str, ...]
    reason: str = ""
    lasts_seconds: float | None = None  # None: for good


class ShelfOwner(Record):
    """Whose shelf it is, and what stands behind the texts on it."""

    repository: str  # empty: the user's own
    origin: Origin
    session: str = ""


class TextChange(Record):
    """A change of texts under addresses, and what stood there when it was asked for: done only if that still does."""

    place: ShelfOwner
    sheets: tuple[Sheet, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()
    before: tuple[tuple[str, str], ...] = ()  # address and fingerprint
    what: str = ""  # in words, for a person
    status: str = "updated"  # what a success is called: stored | updated | removed


def change_texts(change: TextChange, writer: Writer) -> str:
    """Do it; Refused when something else stands there by now."""
    with writer.store.write():
        for address, seen in change.before:
            if fingerprint(text_at(writer, change.place, address)) != seen:
                raise Refused(CHANGED)
        if change.sheets:
            put(change.sheets, writer, change.place, action="write")
        if change.moves:
            move(change.moves, writer, change.place, action="rename")
    return change.status


def fingerprint(text: str | None) -> str:
    """Tells two texts apart; empty for none."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def text_change_json(change: TextChange) -> dict[str, Any]:
    """The change as JSON."""
    fields = change._asdict()
    return {**fields, "place": change.place._asdict(), "sheets": [sheet._asdict() for sheet in change.sheets]}


def text_change_of(fields: dict[str, Any]) -> TextChange:
    """The change of its JSON."""
    return TextChange(
        ShelfOwner(**fields["place"]),
        sheets=tuple(Sheet(**{**sheet, "passages": tuple(sheet["passages"])}) for sheet in fields["sheets"]),
        moves=tuple((old, new) for old, new in fields["moves"]),
        before=tuple((address, seen) for address, seen in fields["before"]),
        what=fields["what"],
        status=fields["status"],
    )


def standing(writer: Writer, place: ShelfOwner, address: str) -> list[Stored]:
    """The passages under an address, in their order; of two with the same number the older one first."""
    found = writer.store.shelves.at(place.repository, address, now=writer.now)
    return sorted(found, key=lambda one: passage_number(one.entry.tags))


def put(sheets: Sequence[Sheet], writer: Writer, place: ShelfOwner, *, action: str) -> list[str]:
    """Put all of it on the shelf as one change; returns the ids of the entries that were written or retired."""
    for sheet in sheets:
        require_plain(sheet.address)
    touched: list[str] = []
    with writer.store.write():
        change_id = writer.store.changes.begin(action, writer.actor, now=writer.now)
        for sheet in sheets:
            touched += _put(sheet, writer, place, change_id)
        writer.store.changes.drop_if_empty(change_id)
    return touched


def move(moves: Sequence[tuple[str, str]], writer: Writer, place: ShelfOwner, *, action: str) -> None:
    """Give texts other addresses, as one change."""
    for _, address in moves:
        require_plain(address)
    with writer.store.write():
        change_id = writer.store.changes.begin(action, writer.actor, now=writer.now)
        for old, new in moves:
            for stored in standing(writer, place, old):
                _change(stored, stored.entry._replace(subject=new, updated=writer.now), writer, change_id)
        writer.store.changes.drop_if_empty(change_id)


def text_at(writer: Writer, place: ShelfOwner, address: str) -> str | None:
    """The whole text under an address; None when nothing stands there."""
    found = standing(writer, place, address)
    return join([one.entry.content for one in found]) if found else None


def require_plain(address: str) -> None:
    """Refuse an address with a secret in it: it could not be found again once that is taken out."""
    if redact(address) != address:
        raise Refused("An address with a secret in it cannot be kept; choose another name.")


def _put(sheet: Sheet, writer: Writer, place: ShelfOwner, change_id: int) -> list[str]:
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
        touched.append(retire(stored, writer, change_id))
    added = [to_entry(draft, entry_id=writer.new_id(), now=writer.now) for draft in new[both:]]
    added = [entry._replace(valid_to=until) for entry in added]
    if added:
        keys = [statement_key(entry.content) for entry in added]
        writer.store.entries.add(added, keys, change_id=change_id)
    return touched + [entry.entry_id for entry in added]


def _draft(sheet: Sheet, at: int, place: ShelfOwner) -> Draft:
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


def retire(stored: Stored, writer: Writer, change_id: int) -> str:
    """Take one passage away; what remains is its tombstone."""
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
