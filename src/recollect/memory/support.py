"""Whether cited lines say what a statement says, as far as that can be told without understanding it.

They hold the statement when each of its names and values stands in them:
- what it quotes, as it stands there;
- every identifier, path, version, number and word with a capital that does not begin a sentence, whatever its case;
- every word that turns a statement around (not, never, disabled, private), counts (three), or says what a value is of
  (port, branch, timeout);
- every other word, in any form, unless it says how a sentence is built or occurs in much of what people write.
A statement without any of these is held by nothing. A line that denies something ("we do not use Redis") holds no
statement that denies nothing, and a statement that something is not so, or no longer, is held only by lines that say as
much: that its names stand there speaks against it. What a statement names only to set it apart ("pnpm, not npm") need
not stand there, and must not stand there undenied."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.language.commonwords import is_common
from recollect.text.language.stems import stem
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import lazy
from recollect.text.terms import fold

LONGEST_PASSAGE = 60_000  # characters; what is longer holds a word of everything and says nothing in particular
_QUOTED = lazy(r"`([^`\n]+)`|\"([^\"\n]+)\"|“([^”\n]+)”")
# With the marks that belong to a name: `.env`, `@scope/package`, `--flag`, `$HOME`, `/var/cache`, `node.js`, `1.2.3`.
_WORD = lazy(r"[.@/$~-]*\w+(?:[./:@'’+#=-]+\w+)*")
_ENDING = lazy(r"['’](?:s|re|ve|ll|d|m)$")
_BEGINS = lazy(r"(?:^|[.!?:]\s|\n)[\s*>-]*$")  # what stands before the first word of a sentence
_PIECES = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+")
_DENIES = lazy(r"\b(?:not|never|cannot|no longer)\b|n['’]t\b", re.IGNORECASE)
_GONE = (
    "removed dropped deleted gone replaced deprecated retired abandoned discontinued stopped unused obsolete ditched"
    " instead formerly previously anymore away"
).split()
_OTHER = r"(?:[^\s,.;]|\.(?=\w))+"  # a dot goes on with a name: 3.11, next.js
_ALTERNATIVE = lazy(
    r", (?:and |but )?not (?:(?:with|to|on|in|by|from|via) )?(?:(?:the|a|an) )?"
    rf"({_OTHER}(?:(?: or| nor|,) {_OTHER})??)(?=\s*(?:[,;]|\.?\s*$|\. ))",
    re.IGNORECASE,
)
_NEGATIVE = lazy(
    rf"\b(?:not|never|cannot|no|none|nothing|neither|nor|without|any more|used to|rid of|{'|'.join(_GONE)}"
    r"|(?:moved|migrated|switched) (?:off|from))\b|n['’]t\b",
    re.IGNORECASE,
)
_COUNTS = "zero two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice".split()
_OPPOSED = (*lexicon.NEGATIONS, *lexicon.ANTONYMS, *lexicon.ANTONYMS.values(), "cannot", "only", *_GONE)
_DECISIVE = frozenset(map(stem, (*_OPPOSED, *_COUNTS, *(lexicon.ROLES - lexicon.PROJECT))))


class Names(Record):
    """What has to stand in the lines that a statement cites."""

    quoted: tuple[str, ...] = ()  # as it is
    exact: tuple[str, ...] = ()  # whatever its case
    words: tuple[str, ...] = ()  # in any form


def names_of(statement: str) -> Names:
    """The names and values of a statement."""
    quoted = [next(filter(None, found)).strip() for found in _QUOTED.findall(statement)]
    rest = _QUOTED.sub(" ", statement)
    exact: list[str] = []
    words: list[str] = []
    for found in _WORD.finditer(rest):
        word = _ENDING.sub("", found.group())
        called = rest[found.end() :].startswith("(")
        begins = _BEGINS.search(rest, max(found.start() - 9, 0), found.start()) is not None
        if called or not _is_ordinary(word, begins=begins):
            exact.append(word)
        elif _is_telling(word.lower()):
            words.append(word)
    return Names(_different(quoted), _different(exact), _different(words))


def missing_names(statement: str, cited: str) -> tuple[str, ...]:
    """The names and values of a statement that the cited text does not hold; empty when it holds them all.

    A statement that has none misses itself."""
    asserted, denied = _apart(statement)
    names = names_of(asserted)
    if not any(names) or len(cited) > LONGEST_PASSAGE:
        return (statement,)
    return (*_missing(names, "\n".join(_lines_that_count(asserted, cited))), *_said_anyway(denied, cited))


def why_not_held(statement: str, cited: str, *, most: int) -> str:
    """What to say of lines that do not hold a statement: what they do not mention, else what they say instead."""
    asserted, denied = _apart(statement)
    names = names_of(asserted)
    if not any(names) or len(cited) > LONGEST_PASSAGE:
        return "does not mention anything that this names"
    if missing := [one for one in _missing(names, cited) if not _NEGATIVE.fullmatch(one)]:
        return f"does not mention {', '.join(missing[:most])}"
    if anyway := _said_anyway(denied, cited):
        return f"mentions {', '.join(anyway[:most])}"
    return "mentions all of this, but does not say it"


def _apart(statement: str) -> tuple[str, Names]:
    """A statement without what it names only to set it apart, and the names of that."""
    asserted = _ALTERNATIVE.sub("", statement)
    if asserted == statement or _NEGATIVE.search(asserted):
        return statement, Names()
    return asserted, names_of(" ".join(_ALTERNATIVE.findall(statement)))


def _said_anyway(denied: Names, cited: str) -> tuple[str, ...]:
    """The names that a statement sets apart and lines use without denying them."""
    if not any(denied):
        return ()
    text = "\n".join(line for line in cited.splitlines() if not _DENIES.search(line))
    missing = _missing(denied, text)
    return tuple(one for names in denied for one in names if one not in missing)


def _missing(names: Names, cited: str) -> tuple[str, ...]:
    text = " ".join(cited.split())
    folded = fold(text)
    missing = [one for one in names.quoted if not _stands_in(" ".join(one.split()), text)]
    missing += [one for one in names.exact if not _stands_in(fold(one), folded)]
    return (*missing, *_words_missing(names.words, text))


def _lines_that_count(statement: str, cited: str) -> list[str]:
    """The lines that deny something, for a statement that does; those that do not, for any other."""
    if _NEGATIVE.search(statement):
        return [line for line in cited.splitlines() if _NEGATIVE.search(line)]
    return [line for line in cited.splitlines() if not _DENIES.search(line)]


def _is_ordinary(word: str, *, begins: bool) -> bool:
    """A word of the language, not a name."""
    if not word.isalpha():
        return False
    return word == word.lower() or word == "I" or (begins and word[1:] == word[1:].lower())


def _is_telling(word: str) -> bool:
    root = _root(word)
    return root in _DECISIVE or (word not in STOPWORDS and not is_common(root))


def _stands_in(name: str, text: str) -> bool:
    """Is it there, and not as a part of a longer word or number? 5.2 is not in 5.2.1, nor 3000 in 13000."""
    at = text.find(name)
    while at >= 0:
        if not (
            _goes_on(text[max(at - 2, 0) : at][::-1], name[0])
            or _goes_on(text[at + len(name) : at + len(name) + 2], name[-1])
        ):
            return True
        at = text.find(name, at + 1)
    return False


def _goes_on(beyond: str, edge: str) -> bool:
    """Is what stands beyond the edge of a name a part of it?"""
    if not beyond:
        return False
    if beyond[0].isalnum() or beyond[0] == "_":
        return True
    return edge.isdigit() and beyond[0] in ".," and beyond[1:].isdigit()


def _words_missing(words: tuple[str, ...], text: str) -> list[str]:
    held = {_root(piece) for piece in set(_PIECES.findall(text))}
    return [word for word in words if _root(word) not in held]


def _root(word: str) -> str:
    folded = fold(word)
    return stem(folded) if folded.isascii() else folded


def _different(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for one in found if one))
