"""A part of a statement and what takes its place; where parts stand, and what is said of them. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.pairs import no_longer_in
from recollect.memory.correcting.values import VERSION, kind_of
from recollect.model.record import Record
from recollect.text.language.lexicon import canonical
from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

AS_BEFORE = lazy(
    r"\b(?:as before|as it was|stays|stay(?! (?:up|visible|open|on|in)\b)|same|unchanged|still|has ?n[o']t changed"
    r"|did ?n[o']t (?:move|change)|remains?|keeps?|you had right|bleibt|unverändert|gleich|stimmt noch|reste|garde"
    r"|igual|sigue|n'a pas changé|n'ont pas bougé)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy(r"[,;.](?:\s+|$)|\s+(?:and|but|so|und|aber|et|y)\s+")
# Right before a value: "not", and at most two words that set no limit.
_DENYING = lazy(
    r"\b(?:not|no longer|aren't on|isn't on|instead of|rather than|nicht|pas|statt)"
    r"(?: (?!before\b|after\b|until\b|more\b|less\b|over\b|under\b|above\b|below\b|than\b)[\w#-]+){0,2} `?$",
    re.IGNORECASE,
)


class Change(Record):
    """A part of the old statement and what takes its place."""

    start: int
    end: int
    old: str
    new: str
    named: bool  # the correction names the old part itself
    renames: bool = False  # and it is still known by that
    guessed: bool = False  # old and new only stand in one sentence


def replaced(said: str, statement: str, start: int, old: str, new: str, *, named: bool = True) -> Change:
    """A name for another, each with its version."""
    end = start + len(old)
    versions = {at: VERSION.match(statement, at + len(old)) for at in places(old, statement)}
    version = versions.get(start) if old.isalpha() or canonical(old) else None
    end = version.end() if version else end
    # Where the name comes again without a version, it stays without one.
    if version or not (any(versions.values()) or start > min(versions, default=start)):
        new = with_version(new, said)
    return Change(start, end, statement[start:end], new, named)


def with_version(name: str, said: str) -> str:
    """A name as the correction tells it: "Bun 1.2"."""
    if not canonical(name) and kind_of(name) != "name":
        return name
    found = (VERSION.match(said, at + len(name)) for at in places(name, said))
    version = next(filter(None, found), None)
    return f"{name}{version[0]}" if version else name


def places(old: str, statement: str) -> Iterator[int]:
    """Where a word stands by itself: "ink" is not a part of `*.ink`."""
    for match in re.finditer(rf"(?<![\w/.*-]){re.escape(old)}(?![\w-]|[./]\w)", statement, re.IGNORECASE):
        yield match.start()


def is_there(old: str, statement: str) -> bool:
    """Does the word stand there by itself?"""
    return next(places(old, statement), None) is not None


def is_denied(text: str, said: str) -> bool:
    """Does a correction give this up: "9443, not 8080", "in db 3, not db 1"? Said again it must not bring it back."""
    if text.casefold() in (one.casefold() for one in no_longer_in(said)):
        return True
    found = list(places(text, said))
    return bool(found) and all(_DENYING.search(said[:start]) for start in found)


def is_as_before(clause: str) -> bool:
    """Does it say that something has not changed?"""
    return AS_BEFORE.search(clause) is not None


def stays(said: str, at: int) -> bool:
    """Is what stands here said not to have changed?"""
    return is_as_before(clause_at(said, at))


def clause_with(text: str, part: str) -> str:
    """The clause in which a part of a text is first said."""
    return clause_at(text, max(text.find(part), 0))


def clause_at(text: str, at: int) -> str:
    """The clause that holds a place of a text."""
    start = 0
    for match in _CLAUSE.finditer(text):
        if match.start() >= at:
            return text[start : match.start()]
        start = match.end()
    return text[start:]


def clauses(text: str) -> list[str]:
    """A text in clauses."""
    return _CLAUSE.split(text)
