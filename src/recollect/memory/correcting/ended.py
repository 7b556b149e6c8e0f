"""What still holds when a part of a sentence has ended: of "takes 9 minutes and needs Java" the 9 minutes. Pure."""

from __future__ import annotations

import re
from itertools import takewhile

from recollect.memory.correcting.clear import SAYS_LITTLE
from recollect.memory.correcting.numbers import REVERSED
from recollect.memory.correcting.pairs import LONGEST
from recollect.memory.correcting.values import values_in
from recollect.model.record import Record
from recollect.text.language.frames import VERBS
from recollect.text.patterns import lazy
from recollect.text.similarity import root
from recollect.text.terms import terms

ENDED = lazy(
    r"\b(?:no longer|any ?more|any longer|stopped|not needed|(?:do|does|did|is|are|was|were|has|have)(?:n['’]t| not)"
    r"|nicht mehr|kein\w*\b.* mehr|(?:ne |n['’]).{1,40} plus|ya no)\b",
    re.IGNORECASE,
)
_STOPS = lazy(
    r"\b(?:(?:stopped|quit) (?:us|runn|host|deploy)ing|(?:dropped|ditched|abandoned|removed|retired|gave up(?: on)?)"
    r"|got rid of|moved away from|no longer (?:uses?|runs?(?: on)?|on)|nicht mehr|ya no)\b",
    re.IGNORECASE,
)
# Right before, and right behind, what has ended.
_STOPPED = lazy(rf"{_STOPS.pattern}(?: [\w-]+){{0,2}} `?$", re.IGNORECASE)
_IS_GONE = lazy(
    r"`? (?:(?:is|are) (?:gone|history|dead|no more)|(?:was|were|has been|have been) (?:dropped|removed|retired))\b",
    re.IGNORECASE,
)
_AND = lazy(r",? (?:and|but|und|aber|et|mais|y|pero) |, ")
_REASON = lazy(r"\b(?:because|so|which|that|when|where|while|since|if|unless|weil|damit|parce que|porque)\b.*")
_BE = lazy(r" (?:is|are|was|were)$")
_SENTENCE = lazy(r"[.;] +\S")
_USUAL = frozenset("is are was were has have do does did can must should may needs ist sind hat braucht".split())


class _Parts(Record):
    """A sentence in the parts that "and" joins."""

    subject: str  # what both sentences begin with
    kept: tuple[str, ...]
    ended: bool  # there is one that has ended
    first: bool  # the first part is among what is kept, with its subject


def without_ended(said: str, statement: str) -> str:
    """What still holds, and then what has ended; "" where nothing has, or where the rest is no sentence by itself."""
    parts = _read(said, statement)
    if not parts.ended or not parts.kept or not _can_stand(parts):
        return ""
    rest = " and ".join(parts.kept)
    if not parts.first:
        is_finite = rest.split(" ", 1)[0].endswith("s")  # "is manual and takes 10 minutes"
        rest = f"{_BE.sub('', parts.subject) if is_finite else parts.subject} {rest}"
    return f"{rest}. {said}"


def ends_a_part(said: str, statement: str) -> bool:
    """Has a part ended beside one that still holds and has a value or a name in it?"""
    parts = _read(said, statement)
    rest = " and ".join(parts.kept)
    return parts.ended and bool(values_in(rest.partition(" ")[2] if parts.first else rest))


def _read(said: str, statement: str) -> _Parts:
    none = _Parts("", (), ended=False, first=False)
    if max(len(said), len(statement)) > LONGEST or not ENDED.search(said) or REVERSED.search(said):
        return none
    told = statement.rstrip(" .!")
    if _SENTENCE.search(told):
        return none
    parts = _split(told)
    same = takewhile(lambda pair: pair[0] == pair[1], zip(_words(said), _words(told), strict=False))
    subject = " ".join(word for word, _ in same)
    words = _of_what(said, subject)
    held = [bool(words & set(terms(part))) for part in parts]
    if not any(held) or all(held):
        return none
    kept = tuple(part for part, is_held in zip(parts, held, strict=True) if not is_held)
    return _Parts(told[: len(subject)], kept, ended=True, first=not held[0])


def _split(text: str) -> list[str]:
    """The parts, as far as no reason is told; at a comma only before a verb."""
    reason = _REASON.search(text)
    parts, start = [], 0
    for match in _AND.finditer(text, 0, reason.start() if reason else len(text)):
        if match[0] != ", " or _is_verb(text[match.end() :].split(" ", 1)[0]):
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def _of_what(said: str, subject: str) -> set[str]:
    """The words that tell what has ended: neither of whom it is said, nor a verb."""
    words = [word for word in said[len(subject) :].split() if not _is_verb(word.strip(".,!"))]
    return set(terms(" ".join(words))) - SAYS_LITTLE - set(terms(subject)) - set(terms("longer anymore"))


def _can_stand(parts: _Parts) -> bool:
    first, *others = parts.kept
    if not parts.first and not set(terms(parts.subject)) - SAYS_LITTLE:
        return False
    return (any(map(_is_verb, first.split())) if parts.first else _begins(first)) and all(map(_begins, others))


def _begins(part: str) -> bool:
    return _is_verb(part.split(" ", 1)[0])


def _is_verb(word: str) -> bool:
    return word in _USUAL or root(word.casefold()) in VERBS


def _words(text: str) -> list[str]:
    return text.casefold().split()


def is_over(statement: str, start: int, end: int) -> bool:
    """Does the statement say that what stands here has ended: "we stopped using pnpm"?"""
    return bool(_STOPPED.search(statement[:start]) or _IS_GONE.match(statement, end))


def says_end(said: str) -> bool:
    """Does it say itself that something has ended?"""
    return bool(ENDED.search(said) or _STOPS.search(said))
