"""Which parts of a statement a correction changes, and to what. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.called import name_changed
from recollect.memory.correcting.changes import Change, is_denied
from recollect.memory.correcting.names import half_handed_over, names_changed, pairs_changed
from recollect.memory.correcting.numbers import numbers_changed
from recollect.memory.correcting.pairs import LONGEST
from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BEHIND = lazy(r",? (?:and )?not (?:the |a |an )?([^\s,;.]+)")  # what it is not, right behind what it is


def changed_parts(said: str, statement: str) -> list[Change]:
    """Which parts of the statement the correction changes, and to what, never to what it says is no longer so; none
    where either is a long text."""
    return [one for one in parts(said, statement) if not is_denied(one.new, said)]


def parts(said: str, statement: str) -> list[Change]:
    """The same, with what would bring back what the correction gives up."""
    return next(readings(said, statement), [])


def readings(said: str, statement: str) -> Iterator[list[Change]]:
    """The ways to read what is changed, the surest first."""
    if len(said) <= LONGEST and len(statement) <= LONGEST:
        for read in (half_handed_over, name_changed, pairs_changed, numbers_changed):
            if changes := read(said, statement):
                yield changes
        yield from filter(None, names_changed(said, statement))


def contrasts(said: str, statement: str, changes: list[Change]) -> list[Change]:
    """Where the statement says "pnpm, not npm", and the correction "yarn, not pnpm": what it is not changes too."""
    found = []
    for one in changes:
        contrast = _BEHIND.match(statement, one.end)
        denied = re.search(rf"\bnot (?:the |a |an )?{re.escape(one.old)}\b", said, re.IGNORECASE)
        if contrast and denied and all(contrast.start(1) != other.start for other in changes):
            found.append(Change(contrast.start(1), contrast.end(1), contrast[1], one.old, True))
    return found
