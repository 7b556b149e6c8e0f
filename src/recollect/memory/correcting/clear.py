"""Whether it is clear what a correction replaces: one value, with all that was said of it. If not, the sentence is kept
as it was typed. Pure."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from recollect.memory.correcting.changes import Change, clauses, is_as_before, is_denied, is_there, places, with_version
from recollect.memory.correcting.numbers import LABELS, is_of_the_one_told, numbers_told
from recollect.memory.correcting.pairs import bare, is_telling, no_longer_in
from recollect.memory.correcting.tidying import lowered, since_when, tidy, without_lead
from recollect.memory.correcting.values import NUMBERS, VERSION, Value, in_words_of, kind_of, values_in
from recollect.memory.correcting.whole import halves_a_name, joins_names
from recollect.text.language.frames import VERBS
from recollect.text.language.lexicon import canonical
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy
from recollect.text.similarity import root
from recollect.text.terms import terms

# Words of a correction that say nothing of the thing.
SAYS_LITTLE = STOPWORDS | set(
    terms("never always must use using now again only just please rest stays same before actually btw fyi already")
)
SAYS_LITTLE |= {term for word in ELSEWHERE for term in terms(word)}

_WORD = lazy(r"`[^`]+`|[^\s,;()\"“”]+")
_BEFORE = lazy(r"([^\W\d_][\w.+#/-]*) [:=]? ?[v$€£]?$")
# Of a version only the name says what it is of.
_NAMELESS = frozenset("version versions release v".split())
_SINCE = lazy(
    r"\b(?:(?:since|last|this|next) \w+|these days|over the weekend|(?:\w+ )?(?:days?|weeks?|months?|years?) ago"
    r"|(?:seit|depuis|desde) (?:(?:dem|der|le|la|el) )?\w+)\b|\b(?:because|weil|parce que|porque)\b[^,;]*",
    re.IGNORECASE,
)
_BECOMES = lazy(
    r"\b(?:turned|turns|became|becomes|changed|changes|switched|replaced|renamed|gave way|wurde|wird|devient|devenue?"
    r"|pasó|ahora es)\b",
    re.IGNORECASE,
)
_CHANGE = frozenset(
    terms(
        "turned became changed switched moved migrated went replaced renamed back gone any took taken takes handed"
        " retired left quit"
    )
)
_DENIED = lazy(
    r"(?:\b(?:is|are|was|do|does)n't|\b(?:not|no longer|instead of|rather than|nicht(?: mehr)?|pas|statt))\b"
    r"((?:(?!\bbut\b|\bsondern\b)[^,;])*)",
    re.IGNORECASE,
)
# Right before what is so of a thing.
_IS_SO = lazy(
    r"^(?!.*\b(?:never|nobody|no one|nothing|none)\b).*\b(?:is|are|uses|runs|goes|lives|needs)"
    r"(?: (?:written|built|hosted|deployed))?(?: (?:in|on|with|to|at|by))? $",
    re.IGNORECASE,
)
_PARTS = lazy(r"[,;.](?:\s+|$)")
_TWICE = lazy(r"(?<!\w)(\w+) \1(?!\w)", re.IGNORECASE)
_GERMAN = lazy(r"\b(?:der|die|das|dem|den|des|im|am|beim|vom|zum|ein|eine|einen|einer) $", re.IGNORECASE)
_NOTE = lazy(r"\((?:formerly|before:?) [^()]*\)", re.IGNORECASE)


def is_clear(said: str, statement: str, text: str, changes: list[Change]) -> bool:
    """Does the text that the changes lead to say what was said, and nothing that nobody said?"""
    told = _told(said, changes)
    if len({VERSION.sub("", one.new).casefold() for one in changes}) > 1 or _differ_elsewhere(told, statement, changes):
        return False
    if any(_is_said_still(one, said, told) or is_so_elsewhere(one, said) for one in changes):
        return False
    if any(one.guessed for one in changes) and not _BECOMES.search(said):
        return False
    if any(not _is_said_in(one, text) for one in _values_told(told, changes)):
        return False
    if any(kind_of(one.old) in NUMBERS and not _is_of_the_same(said, statement, one) for one in changes):
        return False
    if any(kind_of(one.old) in NUMBERS and not is_of_the_one_told(said, statement, one) for one in changes):
        return False
    if any(halves_a_name(one, statement) for one in changes) or joins_names(text, said, statement):
        return False
    if _TWICE.search(text) and not _TWICE.search(f"{said}\n{statement}"):
        return False
    return not _keeps_given_up(said, text) and not _says_less(told, statement, text, changes)


def _is_said_still(change: Change, said: str, told: str) -> bool:
    """Does the correction say of the old value, too, that it is so?"""
    return (
        not change.named
        and is_there(VERSION.sub("", change.old), _DENIED.sub("", told))
        and not is_denied(change.old, said)
    )


def is_so_elsewhere(change: Change, said: str) -> bool:
    """Is the old value said to be so of something else: "React stays in the admin", "the web app is on Fly"?"""
    for clause in clauses(said):
        if is_there(change.new, clause) or not is_there(change.old, clause) or is_denied(change.old, clause):
            continue
        is_of_another = kind_of(change.old) not in NUMBERS and _IS_SO.search(clause[: next(places(change.old, clause))])
        if is_as_before(clause) or is_of_another:
            return True
    return False


def _told(said: str, changes: list[Change]) -> str:
    """What is said to be so now, without why it is, since when, and what is as it was."""
    new, old = {one.new.casefold() for one in changes}, {one.old.casefold() for one in changes}
    start, end = since_when(said)
    said = said[:start] + said[end:]
    text = tidy(said)
    text = text if text[:1] in without_lead(said)[:1] else lowered(text)  # only who typed a capital may mean a name
    kept: list[str] = []
    for part in _PARTS.split(text):
        is_why = any(is_there(one, " ".join(kept)) for one in new) and any(is_there(one, part) for one in old)
        if not is_why or any(is_there(one, part) for one in new):
            kept.append(" and ".join(clause for clause in clauses(part) if not is_as_before(clause)))
    return _SINCE.sub("", ", ".join(kept))


def names_in(text: str) -> list[str]:
    """The names, tools and pieces of code of a text."""
    found = [
        one
        for one in values_in(text)
        if one.kind not in NUMBERS
        and not (
            one.kind == "name" and (_says_little(one) or _GERMAN.search(text[: one.start]))
        )  # there every noun has one
    ]
    return [*(bare(one.text) for one in found), *(word for word in map(bare, _WORD.findall(text)) if canonical(word))]


def _values_told(told: str, changes: list[Change]) -> list[str]:
    """What has to stand in the text: every value of a correction but what it gives up, a name with its version."""
    numbers = [one.text for one in values_in(told) if one.kind in NUMBERS]
    given_up = {word.casefold() for one in changes for word in (one.old, *one.old.split())}
    # Who names what is replaced may tell of others besides: "Ana moved to Brest, Ben takes over from her".
    named = all(one.named for one in changes)
    parts = [part for part in _PARTS.split(told) if any(is_there(one.new, part) for one in changes)] if named else []
    telling = {name for part in parts or [told] for name in names_in(part)}
    names = [name for name in names_in(told) if name.casefold() not in given_up]
    names = [name for name in names if name in telling or kind_of(name) != "name" or canonical(name)]
    found = [*names, *(with_version(name, told) for name in names), *numbers]
    return [one for one in found if one.casefold() not in given_up and not is_denied(one, told)]


def _says_little(name: Value) -> bool:
    words = set(terms(name.text))
    return not is_telling(name.text) or (
        name.first and (words <= SAYS_LITTLE | _CHANGE or root(name.text.casefold()) in VERBS)
    )


def _is_said_in(value: str, text: str) -> bool:
    return is_there(value, text) or any(
        in_words_of(word, value).casefold() == word.casefold() for word in map(bare, _WORD.findall(text))
    )


def _differ_elsewhere(told: str, statement: str, changes: list[Change], most: int = 1) -> bool:
    """Do the two sentences differ in more places than the changes: "on port 1, host alpha", "on port 2, host beta"?"""
    mine, theirs = (
        [bare(word).casefold() for word in _WORD.findall(text)] for text in (_DENIED.sub("", told), statement)
    )
    pairs = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    places = [(mine[a:b], theirs[c:d]) for kind, a, b, c, d in pairs if kind == "replace"]
    telling = [pair for pair in places if all(map(_is_value, pair))]
    known = {word for one in changes for word in one.old.casefold().split()}
    same = sum(b - a for kind, a, b, _, _ in pairs if kind == "equal")
    return len(telling) > most and 2 * same >= len(mine) and any(known.isdisjoint(old) for _, old in telling)


def given_up(said: str) -> list[str]:
    """The names that a correction says are not so any more."""
    denied = [name for span in _DENIED.finditer(said) for name in names_in(span[1]) if is_denied(name, said)]
    return [*denied, *(name for name in no_longer_in(said) if canonical(name))]


def restates(said: str, statement: str) -> bool:
    """Is it the same sentence with something else in one of its places?"""
    return _differ_elsewhere(without_lead(said), statement, [], most=0)


def _is_value(words: list[str]) -> bool:
    """Do they tell something, and no verb is among them? Who uses another verb words the sentence in another way."""
    return bool(set(terms(" ".join(words))) - SAYS_LITTLE) and VERBS.keys().isdisjoint(map(root, words))


def _is_of_the_same(said: str, statement: str, change: Change) -> bool:
    """Is the new number of what the old one is of: has it the same unit, and the same name before it?"""
    mine = [one for one in numbers_told(said) if in_words_of(change.old, one.text) == change.new]
    return any(_has_same_words(said, statement, one, change) for one in mine) or not mine


def _has_same_words(said: str, statement: str, new: Value, change: Change) -> bool:
    old = next((one for one in values_in(statement) if one.start == change.start), None)
    if old and {old.kind, new.kind} & {"measure", "share"} and old.kind != new.kind:
        return False  # "2 GB", where the statement says "10MB"
    unit, theirs = _telling(new.unit), _telling(old.unit if old else "")
    if unit and unit != theirs and new.kind == "amount" and unit not in terms(change.old):
        return False
    name, named = _name_before(said, new.start), _name_before(statement, change.start)
    if name:
        is_there_too = bool(unit) and unit == theirs and is_there(name, statement)  # "snapshots 14 days"
        return is_there_too or name == named or (name in LABELS and not named) or name in _NAMELESS
    alone = sum(one.kind == new.kind for one in values_in(statement)) == 1 or change.named
    if named and named not in LABELS:
        return alone or is_there(named, said)
    return alone or bool(set(terms(said)) - SAYS_LITTLE - set(terms(new.text)))


def _name_before(text: str, at: int) -> str:
    found = _BEFORE.search(text[:at])
    word = found[1].casefold() if found else ""
    return "" if root(word) in VERBS or set(terms(word)) <= _CHANGE or not _telling(word) else word


def _telling(word: str) -> str:
    return "" if set(terms(word)) <= SAYS_LITTLE else word


def _keeps_given_up(said: str, text: str) -> bool:
    """Does the text still say what the correction gives up?"""
    if any(map(is_as_before, clauses(said))):
        return False
    spans = [match[1] for match in _DENIED.finditer(said)]
    given_up = set(terms(" ".join(spans))) - SAYS_LITTLE - set(terms(_DENIED.sub("", said)))
    return bool(given_up & set(terms(_DENIED.sub("", _NOTE.sub("", text)))))


def _says_less(told: str, statement: str, text: str, changes: list[Change]) -> bool:
    """Is something of the correction lost, where the sentence as it was typed would lose nothing?"""
    old = {term for one in changes for term in terms(one.old)}
    kept = SAYS_LITTLE | _CHANGE | set(terms(text)) | old
    lost = [word for word in _DENIED.sub("", told).split() if kept.isdisjoint(found := terms(word)) and found]
    return bool(lost) and set(terms(statement)) - SAYS_LITTLE - old <= set(terms(told))
