"""The trail of an entry, and taking changes back."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.memory.neighbours import DEAD
from recollect.memory.work_history import take_back
from recollect.model.record import Record
from recollect.store.changes import UPKEEP
from recollect.store.rows import COLUMNS, from_row, to_row
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.memory.work_history import Work
    from recollect.model.entries import Entry
    from recollect.store.changes import Audit, Change
    from recollect.store.entries import Stored
    from recollect.store.store import Store

# What changes by itself, and is therefore no reason to refuse an undo.
_COUNTERS = ("updated", "last_used", "recall_count")


class Step(Record):
    """One change of an entry, with the whole entry before and after it."""

    change: Change
    before: Entry | None
    after: Entry


def trail(stored: Stored, audits: Sequence[Audit]) -> list[Step]:
    """An entry's changes, oldest first; earlier versions are rebuilt from what each change replaced."""
    steps: list[Step] = []
    current = dict(zip(COLUMNS, to_row(stored.entry), strict=True))
    for audit in reversed(audits):
        after = from_row(tuple(current.values()))
        if audit.before or audit.after:
            current.update(audit.before)
            steps.append(Step(audit.change, from_row(tuple(current.values())), after))
        else:
            steps.append(Step(audit.change, None, after))
    return steps[::-1]


def undo(change: Change, *, store: Store, actor: str, now: float) -> tuple[list[str], list[Work]]:
    """Take a change back, whole; returns the ids of the entries it touched, and its tasks and projects as they are now.
    Needs an open write()."""
    if change.undone_by:
        raise Refused(
            f"Change {change.change_id} was already undone by change {change.undone_by}; "
            f"`recollect undo {change.undone_by}` redoes it."
        )
    audits = store.changes.audits(change.change_id)
    work = store.work_changes.of_change(change.change_id)
    if not audits and not work:
        raise Refused(f"Change {change.change_id} has nothing left to undo; its entry was erased.")
    entries = store.entries.by_ids([audit.entry_id for audit in audits])
    undo_id = store.changes.begin("undo", actor, now=now)
    for audit in audits:
        stored = entries[audit.entry_id]
        if not audit.before and not audit.after:
            _require_untouched(stored, change, store)
        after = _before(audit, stored.entry, now=now)
        store.entries.update(stored, after, statement_key(after.content), change_id=undo_id)
    left = take_back(work, store=store, undo_id=undo_id)
    store.changes.mark_undone(change.change_id, by=undo_id)
    if change.action == "undo":
        store.changes.clear_undone(by=change.change_id)
    return [audit.entry_id for audit in audits], left


def _require_untouched(stored: Stored, added: Change, store: Store) -> None:
    """Raise Refused when an entry was retired or brought back after it was added, and that still holds."""
    for audit in reversed(store.changes.of_entry(stored.entry_id)):
        later = audit.change
        holds = later.change_id > added.change_id and not later.undone_by and later.action not in ("undo", *UPKEEP)
        if holds and "status" in audit.after:
            name = stored.entry.entry_id
            raise Refused(f"{name} has changed again since; undo that first (`recollect undo {later.change_id}`).")


def _changed_since(entry: Entry) -> Refused:
    name = entry.entry_id
    return Refused(f"{name} has changed again since; undo that first (`recollect history {name}`).")


def is_taken_back(stored: Stored, store: Store) -> bool:
    """Was it taken back by somebody, and not merely forgotten?"""
    audits = store.changes.of_entry(stored.entry_id)
    return bool(audits) and audits[-1].change.action == "undo"


def _before(audit: Audit, entry: Entry, *, now: float) -> Entry:
    if not audit.before and not audit.after:
        if entry.status in DEAD:
            raise _changed_since(entry)  # what took its place, or retired it, has to go first
        return entry._replace(status="inactive", updated=now)
    current = dict(zip(COLUMNS, to_row(entry), strict=True))
    for name, value in audit.after.items():
        if current[name] != value and name not in _COUNTERS:
            raise _changed_since(entry)
    before: dict[str, Any] = {name: value for name, value in audit.before.items() if name not in _COUNTERS}
    current.update(before)
    return from_row(tuple(current.values()))._replace(updated=now)
