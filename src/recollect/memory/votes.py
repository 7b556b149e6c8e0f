"""Votes: up raises, down lowers twice as much, and enough downs take an entry out of recall."""

from __future__ import annotations

from recollect.errors import Refused, TextMissing, require_text
from recollect.text.clean import clean
from recollect.text.language.statements import statement_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.model.entries import Entry
    from recollect.store.entries import Stored
    from recollect.store.store import Store

DIRECTIONS = ("up", "down")
UP_CONFIDENCE = 0.05
DOWN_CONFIDENCE = 0.10


def vote(
    stored: Stored, direction: str, reason: str, *, store: Store, actor: str, vote_out_downs: int, now: float
) -> Entry:
    """Count a vote on an entry; returns what it is now. Needs an open write()."""
    if direction not in DIRECTIONS:
        raise Refused(f"A vote is up or down, not {direction!r}.")
    require_text(reason, "The reason of a vote")
    reason = clean(reason).strip()
    if not reason:
        raise TextMissing("A vote needs a reason: say what was useful or wrong.")
    after = counted(stored.entry, direction, vote_out_downs=vote_out_downs, now=now)
    change_id = store.changes.begin(f"vote {direction}", actor, now=now)
    store.entries.update(stored, after, statement_key(after.content), change_id=change_id)
    store.votes.add(stored.entry_id, direction, reason, actor, now=now)
    return after


def counted(entry: Entry, direction: str, *, vote_out_downs: int, now: float) -> Entry:
    """The entry with one more vote."""
    if direction == "up":
        entry = entry._replace(votes_up=entry.votes_up + 1, confidence=min(0.99, entry.confidence + UP_CONFIDENCE))
    else:
        entry = entry._replace(
            votes_down=entry.votes_down + 1, confidence=max(0.01, entry.confidence - DOWN_CONFIDENCE)
        )
    out = entry.votes_down - entry.votes_up >= vote_out_downs
    status = "inactive" if out and entry.status == "active" else entry.status
    return entry._replace(status=status, confidence=round(entry.confidence, 4), updated=now)
