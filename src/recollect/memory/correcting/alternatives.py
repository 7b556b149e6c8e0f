"""One tool in the place of another of its kind: "we moved to bun" where the statement says pnpm. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.values import NUMBERS, kind_of
from recollect.model.record import Record
from recollect.text.language.lexicon import canonical, groups_of
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import lazy

_WORD = lazy(r"(?<![\w./:@-])[^\W_][\w.+#-]*(?![/:@]\w)")  # what an address or a path contains is not a tool
_DENIED = lazy(
    r"\b(?:not|never|no|no longer|don't|stop|instead of|rather than|from|over)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
# Right before, or right behind, what is used from now on.
_TO = lazy(
    r"\b(?:back|moved|switched|migrated|went|changed|returned)(?: over| back)? (?:to|on) (?:the )?$", re.IGNORECASE
)
_AGAIN = lazy(r"\s+(?:again|now)\b", re.IGNORECASE)
_SAY_LITTLE = STOPWORDS | frozenset(
    "again actually back changed gone let's migrated moved now over returned switched use using went".split()
)


class Swap(Record):
    """What the statement names, and what the correction names instead."""

    old: str
    new: str
    told: bool  # it says that this is used now: "back to pnpm"


class _Named(Record):
    tool: str
    start: int
    end: int
    is_denied: bool


def swap_in(said: str, statement: str) -> Swap | None:
    """The one tool of the statement that the correction has another of the same kind for."""
    mine, theirs = _named_in(said), [one for one in _named_in(statement) if not one.is_denied]
    known = {one.tool for one in theirs}
    found = {
        (old.tool, new.tool): Swap(statement[old.start : old.end], said[new.start : new.end], _is_told(said, new))
        for new in mine
        for old in theirs
        if not new.is_denied and new.tool not in known and set(groups_of(new.tool)) & set(groups_of(old.tool))
    }
    return next(iter(found.values())) if len(found) == 1 else None


def says_only_that(said: str, swap: Swap) -> bool:
    """Is nothing else said? "Bun again." """
    words = {match[0].casefold().rstrip(".") for match in _WORD.finditer(said)}
    return words - {swap.new.casefold()} <= _SAY_LITTLE


def _named_in(text: str) -> list[_Named]:
    found = []
    for match in _WORD.finditer(text):
        word = match[0].rstrip(".-")
        tool = canonical(word)
        if tool and kind_of(word) not in NUMBERS:
            denied = _DENIED.search(text[: match.start()]) is not None
            found.append(_Named(tool, match.start(), match.start() + len(word), denied))
    return found


def _is_told(said: str, new: _Named) -> bool:
    return _TO.search(said[: new.start]) is not None or _AGAIN.match(said, new.end) is not None
