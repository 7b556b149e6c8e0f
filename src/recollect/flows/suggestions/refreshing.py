"""Refresh: what waits, on its file as it is now, so that a diff that is shown is the one that would be written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from recollect.flows.suggestions.ground import gone_from
from recollect.flows.suggestions.reconcile import rebased, suggestions_lock
from recollect.flows.suggestions.rewording import file_now, placed_anew
from recollect.model.suggestions import OPEN, PENDING, Suggestion
from recollect.suggestions.customizations import read_customization
from recollect.suggestions.proposing import fingerprint, is_sound
from recollect.suggestions.stale import outdated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.flows.opened import Opened


def refreshed(found: Sequence[Suggestion], memory: Opened) -> list[Suggestion]:
    """These as their files are now. A change that still fits is stored that way: it is what was shown, so it is what
    may be applied. One that does not says why, and stays as it was made."""
    if not any(_is_behind(one) for one in found):
        return list(found)
    with suggestions_lock(memory):
        return [_refreshed(one, memory) if _is_behind(one) else one for one in found]


def _is_behind(one: Suggestion) -> bool:
    """Does it wait, for a file that was changed since?"""
    return one.status in OPEN and os.path.isdir(one.root) and file_now(one) != one.before


def _refreshed(one: Suggestion, memory: Opened) -> Suggestion:
    one = memory.store.suggestions.get(one.suggestion_id)
    if not _is_behind(one):
        return one  # decided or refreshed by another process
    fresh = rebased(one, memory)
    if fresh.status != PENDING:
        anew = _anew(one, memory)
        if anew is None:
            return fresh
        fresh = anew._replace(status=PENDING, note="")
    with memory.store.write():
        memory.store.suggestions.save(fresh._replace(updated=memory.now))
    return fresh


def _anew(one: Suggestion, memory: Opened) -> Suggestion | None:
    """The same change in the file as it is now, where git cannot merge it; None where it would change nothing."""
    now = file_now(one)
    if now is None or one.before is None:
        return None
    fresh = placed_anew(one, now, memory) if one.fact_ids else _found_anew(one, now)
    return fresh if fresh is not None and fresh.after != now and is_sound(fresh.proposal) else None


def _found_anew(one: Suggestion, now: str) -> Suggestion | None:
    """The same change of an outdated line, as long as there is still a reason for it."""
    file = read_customization(one.target, now)
    found = outdated(file, gone_from(one.root, [file])) if file is not None else ()
    made = next((made for made in found if fingerprint(made) == one.fingerprint), None)
    return None if made is None else one._replace(before=made.before, after=made.after, why=made.why)
