"""Typed: is a statement found in what the user typed in the session, seen by a hook or in the log?"""

from __future__ import annotations

from recollect.errors import NotFound
from recollect.memory.typed_words import correction_of, says, takes_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.model.entries import Entry
    from recollect.model.sessions import Session, Turn
    from recollect.store.store import Store

NEAR_SECONDS = 12 * 3_600.0  # who does not know its session is given what was typed here this long ago at most
MOST_TURNS = 200
# The host of sessions that Recollect keeps itself. What a program calls the user's there may be anybody's: only what
# was typed at our own terminal has a mark.
OWN = "recollect"


def was_typed(text: str, *, store: Store, session: str = "", repository: str = "", now: float) -> bool:
    """Did the user type this, in this session or, when none is known, here within the last hours?"""
    return any(says(typed, text) for typed in _typed(store, session, repository, now))


def was_taken_back(entry: Entry, *, store: Store, session: str = "", repository: str = "", now: float) -> bool:
    """Did the user type that this should be forgotten, or is wrong?"""
    return any(takes_back(typed, entry.content, entry.entry_id) for typed in _typed(store, session, repository, now))


def typed_correction(old: str, new: str, *, store: Store, session: str = "", repository: str = "", now: float) -> str:
    """The sentence in which the user put the new value in the place of the old one; empty when there is none."""
    found = (correction_of(typed, old, new) for typed in _typed(store, session, repository, now))
    return next(filter(None, found), "")


def is_typed(session: Session, turn: Turn) -> bool:
    """Did a person type what this turn begins with, as far as a log can tell?"""
    return session.host != OWN or bool(turn.mark)


def _typed(store: Store, session: str, repository: str, now: float) -> Iterator[str]:
    """What was typed, newest first; what an agent asked memory about itself does not count."""
    since = now - NEAR_SECONDS
    yield from store.receipts.prompts(session=session, repository=repository, since=0.0 if session else since)
    if session:
        for turn in reversed(_turns(store, session)):
            if turn.user:
                yield turn.user
        return
    for known, typed in reversed(store.sessions.typed(limit=MOST_TURNS, by_mark=OWN)):
        if known.repository == repository and known.ended >= since:
            yield typed


def _turns(store: Store, session: str) -> list[Turn]:
    """The stored turns of a person's own session; a sub-agent's prompts were not typed, nor what a program said."""
    try:
        found = store.sessions.get(session)
    except NotFound:
        return []
    if found.agent:
        return []
    return [turn for turn in store.sessions.turns(found.session_id) if is_typed(found, turn)]
