"""Which of several numbers of one sort a correction means: the one that stands with a word it says. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.changes import clause_at, clauses, is_as_before
from recollect.memory.correcting.values import Value
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy
from recollect.text.terms import terms

_LIST = lazy(r"[,;.](?:\s+|$)|\s+(?:and|but|or|so|und|aber|oder|et|y|e|o)\s+")
_WHY = lazy(r"\b(?:because|weil|parce que|porque)\b[^,;.]*$", re.IGNORECASE)
_EMPTY = STOPWORDS | {term for word in ELSEWHERE for term in terms(word)} | set(terms("now must"))


def told_of(said: str, statement: str, new: Value, theirs: list[Value]) -> list[Value]:
    """The numbers of the statement that the new one may stand for, but those of a reason and those that are as before:
    the one with the same word at its side, else those with a word of the correction that no other has, else all."""
    theirs = [one for one in theirs if not is_why(statement, one)] or theirs
    if len(theirs) == 1:
        return theirs
    words = own_words(statement, theirs)
    told = set(terms(clause_at(said, new.start)))
    kept = {term for clause in clauses(said) if is_as_before(clause) for term in terms(clause)} - told
    free = [one for one in theirs if not kept & words[one.start]]
    beside = _beside(said, new)
    same = [one for one in free if beside & _beside(statement, one)]
    return same if len(same) == 1 else [one for one in free if told & words[one.start]] or free


def is_why(text: str, value: Value) -> bool:
    """Does it only stand in a reason?"""
    return _WHY.search(text[: value.start]) is not None


def own_words(statement: str, numbers: list[Value]) -> dict[int, set[str]]:
    """What stands with each number and with no other. In "5 for guests and 50 for members" what stands before the first
    is said of both; in "the API on 80 and the admin on 81" it is said of one."""
    around = {one.start: _around(statement, one, numbers) for one in numbers}
    is_before = any(before for before, _ in list(around.values())[1:])
    words = {at: behind | before if is_before else behind for at, (before, behind) in around.items()}
    return {
        at: mine - set().union(*(theirs for other, theirs in words.items() if other != at))
        for at, mine in words.items()
    }


def _around(statement: str, number: Value, numbers: list[Value]) -> tuple[set[str], set[str]]:
    """The telling words before a number and behind it, as far as the parts of the sentence go that have no other."""
    cuts = [0, *(cut for match in _LIST.finditer(statement) for cut in match.span()), len(statement)]
    first = max((one.end for one in numbers if one.end <= number.start), default=0)
    last = min((one.start for one in numbers if one.start >= number.end), default=len(statement))
    start = min((cut for cut in cuts if first <= cut <= number.start), default=first) if first else 0
    end = min((cut for cut in cuts if number.end <= cut <= last), default=last)
    return _telling(statement[start : number.start]), _telling(statement[number.end : end])


def _telling(text: str) -> set[str]:
    return set(terms(text)) - _EMPTY


def _beside(text: str, number: Value) -> set[str]:
    return _telling(f"{' '.join(text[: number.start].split()[-1:])} {number.unit}")
