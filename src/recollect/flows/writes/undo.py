"""Undo: a change is taken back, whole: its entries, its tasks and its projects."""

from __future__ import annotations

from recollect.errors import NotFound, Refused
from recollect.flows.turns.announcements import quoted
from recollect.flows.views.name_repository import place_name
from recollect.flows.writes.erase import ERASED
from recollect.flows.writes.other_deeds import last_other_deed
from recollect.flows.writes.pending import APPROVED, settle
from recollect.memory.conflicts import note_conflicts
from recollect.memory.history import undo
from recollect.memory.profile import load_profile, require_room
from recollect.model.entries import Entry, action_word
from recollect.model.record import Record
from recollect.model.tasks import Project, Task
from recollect.store.changes import LOAD_OWN, Change
from recollect.text import ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.writes.writers import Writer
    from recollect.store.store import Store


class Undone(Record):
    """The change that was taken back, and what it had touched as that is now."""

    change: Change
    entries: list[Entry]
    work: list[Task | Project]
    newer: Change | None = None  # a later change, of another repository, that was left as it is
    waiting: tuple[str, ...] = ()  # what this change had approved, and waits for a person again


def take_back(name: str, writer: Writer) -> Undone:
    """Take back the last change here, a change by its number, or the last change of an entry, a task or a project."""
    store = writer.store
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        change = _named(name, store) if name else _latest(writer)
        entry_ids, work = undo(change, store=store, actor=writer.actor, now=writer.now)
        require_room(store, before=before)
        waiting = _wait_again(change, writer)
        touched = [store.entries.get(entry_id) for entry_id in entry_ids]
        for stored in touched:
            if stored.entry.status == "active" and stored.entry.layer != "L2":
                note_conflicts(stored, store, now=writer.now)
        undone = store.changes.get(change.change_id)
        newer = None if name else _newer_elsewhere(change, store)
        return Undone(undone, [stored.entry for stored in touched], work, newer, waiting)


def _wait_again(change: Change, writer: Writer) -> tuple[str, ...]:
    """What an approval that was taken back had accepted waits again, unless it has expired; when that is undone too, it
    is accepted again. Returns what waits."""
    store = writer.store
    approved = store.home_value(f"{APPROVED}{change.change_id}").split()
    for name in approved:
        settle(name, "accepted" if change.action == "undo" else "waiting", store)
    if approved and change.action != "undo":
        undone_by = store.changes.get(change.change_id).undone_by
        store.set_home_value(f"{APPROVED}{undone_by}", " ".join(approved))
    waiting = {one.candidate_id for one in store.candidates.waiting()}
    waiting |= {one.staged_id for one in store.staged.waiting(now=writer.now)}
    return tuple(name for name in approved if name in waiting)


def _named(name: str, store: Store) -> Change:
    change: Change | None
    if name.isdecimal():
        return store.changes.get(int(name))
    if name.startswith((ids.TASK, ids.PROJECT)):
        number = store.work_changes.last_of(store.tasks.known(name))
        change = store.changes.get(number) if number else None
    else:
        audits = store.changes.of_entry(_entry(name, store))
        own = (audit.change for audit in reversed(audits) if audit.change.action != LOAD_OWN)
        change = next((one for one in own if not one.undone_by), None)
    if change is None:
        raise NotFound(
            f"Every change of {name} has been undone; `recollect history {name}` shows them with their numbers."
        )
    return change


def _latest(writer: Writer) -> Change:
    """The latest change of the repository where the person is, or of what holds everywhere, if that is what they did
    last here."""
    store = writer.store
    here = store.repositories.canonical(writer.here)
    change = store.changes.last(here)
    _require_nothing_else_since(change, here, store)
    if change is None:
        raise NotFound(_nothing_left(store))
    if change.change_id <= int(store.home_value(ERASED) or 0):
        raise Refused(f"Something was erased after that, which cannot be undone; {_to_undo(change, store)}.")
    return change


def _require_nothing_else_since(change: Change | None, here: str, store: Store) -> None:
    """Raise Refused when the person did something since that has its own undo, or none; a later undo allows it."""
    other = last_other_deed(here, store)
    newest = store.changes.get(store.changes.newest()) if change else None
    since = newest if newest and newest.action == "undo" else change
    if other is not None and other.at > (since.created if since else 0.0):
        before = f" {_to_undo(change, store)}." if change else ""
        raise Refused(f"The last thing you did was {other.did}.{before}")


def _to_undo(change: Change, store: Store) -> str:
    did = action_word(change.action)
    touched = store.entries.by_ids(store.changes.touched(change.change_id, limit=1)).values()
    said = next((f": {quoted(one.entry.content)}" for one in touched), "")
    return f"`recollect undo {change.change_id}` undoes the change before it ({did}{said})"


def _newer_elsewhere(change: Change, store: Store) -> Change | None:
    """A later change of another repository, which the person may have meant."""
    last = store.changes.last()
    return last if last is not None and last.created > change.created else None


def _entry(name: str, store: Store) -> str:
    try:
        return store.entries.get(name).entry_id
    except NotFound as error:
        if name[:2] in ids.KINDS:
            raise
        raise NotFound(
            f"{name!r} is nothing that can be undone. Give the ID of an entry, task or project, the number of a change "
            "from `recollect history ID`, or the ID of something you rejected."
        ) from error


def _nothing_left(store: Store) -> str:
    """Why there is nothing to undo here, and the way back where everything has been undone."""
    elsewhere = store.changes.last()
    if elsewhere is not None:
        places = [place_name(one, store) for one in store.changes.places(elsewhere.change_id)]
        return (
            f"There is nothing to undo in this repository. The latest change ({action_word(elsewhere.action)}) is in "
            f"{', '.join(places)}; undo it with `recollect undo {elsewhere.change_id}`."
        )
    newest = store.changes.newest()
    if not newest:
        return "There is nothing to undo yet."
    undone = store.changes.get(newest).action == "undo"
    hint = f" To undo the last undo: `recollect undo {newest}`." if undone else ""
    return f"There is nothing left to undo.{hint}"
