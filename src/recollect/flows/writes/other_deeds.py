"""What a person did last that is no change of an entry, task or project, so that `undo` does not cover it."""

from __future__ import annotations

from recollect.model.record import Record
from recollect.model.suggestions import APPLIED, DISMISSED
from recollect.text.ids import short_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.store import Store

LAST = "last deed without a change"  # when, and what


class Deed(Record):
    """What was done and when; `did` continues "The last thing you did was ..."."""

    at: float
    did: str


def note_deed(did: str, store: Store, *, now: float) -> None:
    """A person did this, of which no table tells when."""
    with store.write():
        store.set_home_value(LAST, f"{now!r} {did}")


def note_setting(name: str, store: Store, *, now: float) -> None:
    """A person has changed this setting."""
    way = f"`recollect settings set {name} VALUE`"
    note_deed(f"change the setting {name}, which has no undo; use {way}", store, now=now)


def last_other_deed(here: str, store: Store) -> Deed | None:
    """The last one in this repository or of what holds everywhere."""
    found = (_suggestion(here, store), _board(here, store), _noted(store))
    return max((one for one in found if one is not None), key=lambda one: one.at, default=None)


def _suggestion(here: str, store: Store) -> Deed | None:
    decided = [one for status in (APPLIED, DISMISSED) for one in store.suggestions.listed(status, repository=here)]
    last = max(decided, key=lambda one: one.updated, default=None)
    if last is None or not (last.undo or last.status == DISMISSED):
        return None
    did = "apply" if last.status == APPLIED else "dismiss"
    way = f"`recollect suggest undo {short_id(last.suggestion_id)}`"
    return Deed(last.updated, f"{did} a suggestion; undo it with {way}")


def _board(here: str, store: Store) -> Deed | None:
    """Only what is done to entries can be undone; of the board the person can see what is there now."""
    last = store.board.last_by_user(here)
    if last is None:
        return None
    at, name = last
    return Deed(at, f"change {name} on the board, which has no undo; see it with `recollect board list`")


def _noted(store: Store) -> Deed | None:
    at, _, did = store.home_value(LAST).partition(" ")
    return Deed(float(at), did) if did else None
