"""One number for another of its sort: a port, a version, a time, a day of the week. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from recollect.memory.correcting.changes import Change, clause_at, clauses, is_as_before, is_denied, stays
from recollect.memory.correcting.several import told_of
from recollect.memory.correcting.tidying import since_when
from recollect.memory.correcting.values import NUMBERS, Value, in_words_of, is_same_sort, values_in
from recollect.text.patterns import lazy
from recollect.text.terms import terms

SAME_TEXT = 0.4  # of a value that the statement has too: it names that one, unless its words lead to another
NAMED = 2.0  # of the old value that a correction names beside the new one
SAME_UNIT = 3.0
SAME_KIND = 0.5
ALIKE = 0.2  # of two that begin alike, or are as long
AS_BEFORE = -2.0  # of words that are said not to have changed
ELSEWHERE = -0.5  # of words that another clause has
# Kinds that say by themselves what the value is of.
TYPED = frozenset("weekday date time hex version tiny share address".split())

REVERSED = lazy(
    r"\b(?:again|allowed|free to|is fine|no longer (?:blocked|frozen|forbidden)|unfrozen|released|lifted|wieder"
    r"|cancelled|de nouveau|vuelve a)\b",
    re.IGNORECASE,
)
_NTH_DAY = lazy(r"\b(?:first|second|third|fourth|last|other) \w+day\b", re.IGNORECASE)
_RANGE = lazy(r"\s?(?:to|and|bis|und|à|et|y|a|[-–])\s?", re.IGNORECASE)
_MORE = lazy(r"(?: \w+)? (?:earlier|later|more|less|fewer|sooner)\b", re.IGNORECASE)  # by how much, and not how much
_THING = lazy(r"^\W*(?:the )?([^\W\d_]+) $", re.IGNORECASE)
_IS = lazy(r" (?:is|are|has|needs|gets|goes|runs|must|may)\b", re.IGNORECASE)
_PORT = lazy(r":(\d{2,5})(?!\d)")
LABELS = frozenset("port version number days percent minutes".split())


def numbers_changed(said: str, statement: str) -> list[Change]:
    """A number for another of its sort: the one that is named beside it ("8090, not 8080"), else the one that stands
    among the words of the correction."""
    mine = numbers_told(said)
    theirs = _slots(statement, mine)
    if _NTH_DAY.search(f"{said}\n{statement}") or _days(theirs) != _days(mine):
        theirs = [one for one in theirs if one.kind != "weekday"]  # one day for two, or "the last Friday"
    named = _named_in(said, statement, mine, theirs)
    if not named and REVERSED.search(said):
        return []
    restated = _in_ranges(said, mine)
    old_named = {old.start for at, old in named.items() if at not in restated and not stays(said, at)}
    taken = {old.start for old in named.values()} - old_named
    changes: list[Change] = []
    for one in mine:
        if one.start in named or stays(said, one.start) or _is_label(said, one, statement):
            continue
        found = [old for old in theirs if is_same_sort(one, old) and old.start not in taken]
        if found:
            found = found if old_named else told_of(said, statement, one, found) or found
            near = max(found, key=lambda old: _fit(said, statement, one, old) + NAMED * (old.start in old_named))
            taken.add(near.start)
            new = in_words_of(near.text, one.text)
            changes.append(Change(near.start, near.end, near.text, new, near.start in old_named))
    return [one for one in changes if one.named] or changes


def is_of_the_one_told(said: str, statement: str, change: Change) -> bool:
    """Of several numbers of one sort, does the correction mean this one, and say nothing of the others?"""
    mine = numbers_told(said)
    new = next((one for one in mine if in_words_of(change.old, one.text) == change.new), None)
    theirs = _slots(statement, mine)
    old = next((one for one in theirs if one.start == change.start), None)
    if new is None or old is None:
        return True
    restated = {one.text for one in mine} - {old.text}
    alike = [one for one in theirs if is_same_sort(old, one) and one.text not in restated]
    if change.named and sum(one.text == old.text for one in alike) == 1:
        return True
    return told_of(said, statement, new, alike) == [old]


def has_slot_for(said: str, statement: str) -> bool:
    """Does the statement have a value of the very sort that the correction has a new one of: a time, so many days?"""
    mine = numbers_told(said)
    theirs = _slots(statement, mine)
    return any(
        one.kind == old.kind and one.text != old.text and (one.kind in TYPED or (one.unit and one.unit == old.unit))
        for one in mine
        for old in theirs
    )


def numbers_told(said: str) -> list[Value]:
    """The numbers of the correction, without those that only say from when on it holds."""
    start, end = since_when(said)
    return [one for one in numbers_in(said) if not start <= one.start < end and not _MORE.match(said, one.end)]


def numbers_in(text: str) -> list[Value]:
    """The numbers of a text."""
    return [one for one in values_in(text) if one.kind in NUMBERS]


def _slots(statement: str, mine: list[Value]) -> list[Value]:
    """The numbers of a statement; of an address the port, where a port alone is told, and of a path what is named."""
    found = numbers_in(statement)
    if any(one.kind == "amount" for one in mine) and all(one.kind != "address" for one in mine):
        found = [_port_of(one) for one in found]
    known = {one.text for one in found}
    for one in (one for one in mine if one.kind == "version" and one.text not in known):
        inside = re.search(rf"(?<=[/_-]){re.escape(one.text)}(?![\w-])", statement)
        found += [Value(one.text, one.kind, inside.start(), inside.end())] if inside else []
    return found


def _port_of(value: Value) -> Value:
    port = _PORT.search(value.text) if value.kind == "address" else None
    return Value(port[1], "amount", value.start + port.start(1), value.start + port.end(1)) if port else value


def _named_in(said: str, statement: str, mine: list[Value], theirs: list[Value]) -> dict[int, Value]:
    """Old values by where the correction names them. "Production is on 2, staging went to 3" names none where they
    were 1 and 2: then each stands for another."""
    named: dict[int, Value] = {}
    others = {one.text for one in mine} - {old.text for old in theirs}
    for one in mine:
        alike = [old for old in theirs if is_same_sort(one, old)]
        same = next((old for old in alike if old.text == one.text), None)
        if same is None:
            continue
        best = max(alike, key=lambda old: _fit(said, statement, one, old) + SAME_TEXT * (old is same))
        if best is same or not others or is_denied(one.text, said) or one.start in _in_ranges(said, mine):
            named[one.start] = same
    return named


def _is_label(said: str, value: Value, statement: str) -> bool:
    """Does it only tell which of several things is spoken of: "depot 99 is closed", where there is a depot 0?"""
    thing = None if value.kind == "version" else _THING.search(said[: value.start])
    if thing is None or thing[1].casefold() in LABELS or not _IS.match(said, value.end):
        return False
    return re.search(rf"\b{thing[1]} \d", statement, re.IGNORECASE) is not None


def _in_ranges(said: str, mine: list[Value]) -> set[int]:
    """Values that are named because they stand beside the new one: "from 7 to 9"."""
    return {
        value.start
        for one, other in pairwise(mine)
        if _RANGE.fullmatch(said[one.end : other.start])
        for value in (one, other)
    }


def _fit(said: str, statement: str, new: Value, old: Value) -> float:
    """How near the old value stands to words that the correction says of the new one; the same unit decides."""
    told = set(terms(clause_at(said, new.start)))
    kept = {term for clause in clauses(said) if is_as_before(clause) for term in terms(clause)} - told
    elsewhere = set(terms(said)) - told
    score = SAME_UNIT if new.unit and new.unit == old.unit else SAME_KIND * (new.kind == old.kind)
    score += ALIKE * (new.text.split(".")[0] == old.text.split(".")[0]) + ALIKE / 2 * (len(new.text) == len(old.text))
    for match in re.finditer(r"[\w./-]+", statement):
        if old.start <= match.start() < old.end:
            continue
        found = set(terms(match[0]))
        worth = 1.0 if found & told else AS_BEFORE if found & kept else ELSEWHERE if found & elsewhere else 0.0
        if match[0].casefold() in LABELS:
            worth *= 0.3
        gap = len(statement[min(match.end(), old.end) : max(match.start(), old.start)].split())
        score += worth / (1 + gap)
    return score


def _days(values: list[Value]) -> int:
    return sum(one.kind == "weekday" for one in values)
