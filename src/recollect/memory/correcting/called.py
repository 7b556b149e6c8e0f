"""What a thing is called: a new name takes the place of the name that a statement gives it, not of the thing. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.changes import Change
from recollect.memory.correcting.pairs import LONGEST, bare, is_coded, is_telling
from recollect.model.record import Record
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy

_NOW = r"(?:now |also |just |jetzt |nun |inzwischen |ab sofort |maintenant |désormais |ahora |ora |agora |adesso |nu )?"
_NAME = r"(?P<name>`[^`]+`|[\"“„«][^\"”“»]+[\"”“»]|[#@]?[^\W_][\w#@/-]*(?:\.\w+)*(?: [A-Z][\w-]*)*)"
_THING = r"(?P<thing>[^,;:.!?()`]{2,80}?)"
_READ = tuple(
    lazy(pattern)
    for pattern in (
        rf"{_THING},? (?:(?:is|are|was|were|has been|have been|got) )?{_NOW}"
        rf"(?:called|named|known as|dubbed|renamed(?: to)?) {_NAME}",
        rf"{_THING} (?:goes|go|went) {_NOW}by (?:the name )?(?:of )?{_NAME}",
        rf"{_THING}['’]s? name (?:is|was) {_NOW}{_NAME}",
        rf"\b[Tt]he name (?:of|for) {_THING} (?:is|was) {_NOW}{_NAME}",
        r"\b(?:[Ww]e|I|[Tt]hey|[Ee]verybody|[Ee]veryone|[Pp]eople) (?:now |also )?call "
        rf"(?P<thing>(?:the|our|this|that) [\w -]{{2,60}}?) {_NAME}(?= now\b| and\b|[,;.!]|$)",
        rf"{_THING} (?:hei(?:ß|ss)t|s['’]appelle|se llama|si chiama|se chama|heet|hedder|heter) {_NOW}{_NAME}",
    )
)  # fmt: skip
_ARTICLE = (
    r"(?:the|our|my|your|this|that|der|die|das|unsere?|dieser?|le|la|les|notre|ce|cette|el|los|las|nuestr[oa]|este|esta"
    r"|il|lo|o|a|nosso|nossa|de|het|ons|onze|den|det)"
)
_BEGINS = lazy(rf"(?:^|\s){_ARTICLE}\s+|(?:^|\s)l['’]", re.IGNORECASE)
_OF = lazy(r"\s(?:of|for|in|on|at|from|de|du|des|del|della|do|da|von|für|para|pour|voor|van)\s", re.IGNORECASE)
_MODIFIERS = lazy(rf"(?:^|\s){_ARTICLE} (?P<words>(?:[\w-]+ ){{1,3}})$", re.IGNORECASE)


class _Called(Record):
    """A thing and its name, as a text gives it."""

    start: int  # of what is said of the thing
    thing: str
    name: str
    at: int  # where the name stands


def name_changed(said: str, statement: str) -> list[Change]:
    """The name of the thing, where the statement gives it another one."""
    found = _same_thing(said, statement)
    if len(found) != 1:
        return []
    [(new, old)] = found
    if bare(new.name).casefold() == bare(old.name).casefold():
        return []
    quoted = old.name != bare(old.name)
    text = f"{old.name[0]}{bare(new.name)}{old.name[-1]}" if quoted else new.name
    return [Change(old.at, old.at + len(old.name), old.name, text, bare(old.name) in said)]


def names_several(said: str, statement: str) -> bool:
    """Does the statement name several things, any of which may be meant?"""
    return len(_same_thing(said, statement)) > 1


def names_another(said: str, statement: str) -> bool:
    """Do both name a thing of the same sort, and each says which one: "the mail worker" and "the image worker"?"""
    pairs = [(_words(new), _words(old)) for new in called_in(said) for old in called_in(statement) if _alike(new, old)]
    return bool(pairs) and all(new - old and old - new for new, old in pairs)


def has_name_at(statement: str, at: int) -> bool:
    """Does the statement give the thing that stands here a name?"""
    return any(one.start <= at < one.at for one in called_in(statement))


def whole_thing(said: str, statement: str, change: Change) -> Change | None:
    """What is renamed with the words that say which one it is: "the mail worker" and not "worker"; none if it is
    another one."""
    given = [one for one in called_in(said) if one.thing.casefold().split()[-1:] == [change.old.casefold()]]
    before = _MODIFIERS.search(statement[: change.start])
    if not given or before is None or is_coded(change.old) or not change.old.islower():
        return change
    told, words = _words(given[0]) - {change.old.casefold()}, set(before["words"].casefold().split())
    if not told <= words:
        return None
    start = before.start("words")
    return change._replace(start=start, old=statement[start : change.end], named=change.named and told == words)


def called_in(text: str) -> list[_Called]:
    """The things that a text says the name of."""
    found: dict[int, _Called] = {}
    for match in (match for pattern in _READ for match in pattern.finditer(text[:LONGEST])):
        begins = _BEGINS.search(match["thing"])
        thing = match["thing"][begins.end() if begins else 0 :].strip()
        name = match["name"].rstrip(".")
        if is_telling(bare(name)) and thing:
            found.setdefault(match.start("name"), _Called(match.start("thing"), thing, name, match.start("name")))
    return list(found.values())


def _same_thing(said: str, statement: str) -> list[tuple[_Called, _Called]]:
    news, olds = called_in(said), called_in(statement)
    return [(new, old) for new in news for old in olds if _alike(new, old) and _words(new) <= _words(old)]


def _alike(one: _Called, other: _Called) -> bool:
    return _head(one) == _head(other)


def _head(called: _Called) -> str:
    """The word for the thing: "worker" of "the mail worker", "serveur" of "le serveur de test"."""
    return _OF.split(called.thing)[0].casefold().split()[-1]


def _words(called: _Called) -> set[str]:
    words = {word.removesuffix("'s").removesuffix("’s") for word in called.thing.casefold().split()}
    return {word for word in words if word not in STOPWORDS and word not in ELSEWHERE}
