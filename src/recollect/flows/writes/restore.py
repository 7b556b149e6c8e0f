"""Restore: a person brings an entry back, whatever had become of it."""

from __future__ import annotations

from recollect.errors import Refused
from recollect.memory.conflicts import note_conflicts
from recollect.memory.profile import load_profile, require_room
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.writes.writers import Writer
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored


def restore(stored: Stored, writer: Writer) -> Entry:
    """Make an entry active again; its votes start anew, or it would fall out at the next one."""
    if stored.entry.status == "active":
        raise Refused(f"{stored.entry.entry_id} is active, so there is nothing to bring back.")
    store = writer.store
    for other in store.entries.saying(statement_key(stored.entry.content)):
        same = (other.entry.layer, other.entry.repository) == (stored.entry.layer, stored.entry.repository)
        if same and other.entry.status == "active":
            raise Refused(f"{other.entry.entry_id} says the same and is active, so there is nothing to bring back.")
    after = stored.entry._replace(status="active", superseded_by="", valid_to=0.0, votes_down=0, updated=writer.now)
    with store.write():
        before = load_profile(store, limit_characters=writer.profile_characters)
        change_id = store.changes.begin("restore", writer.actor, now=writer.now)
        store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
        note_conflicts(stored._replace(entry=after), store, now=writer.now, before=stored)
        require_room(store, before=before)
    return after
