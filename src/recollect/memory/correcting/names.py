"""One name for another: of a person, a tool, a file, a thing that was renamed. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.alternatives import swap_in
from recollect.memory.correcting.called import has_name_at, whole_thing
from recollect.memory.correcting.changes import Change, clauses, is_as_before, is_there, places, replaced, stays
from recollect.memory.correcting.numbers import REVERSED, numbers_in
from recollect.memory.correcting.pairs import CODED, bare, is_plain, is_telling, no_longer_in, pairs_in
from recollect.memory.correcting.values import NUMBERS, Value, is_same_sort, values_in
from recollect.text.patterns import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LIKE = 5  # letters with which two words for a thing begin
SHORTEST_STEM = 4  # of two identifiers that begin alike

_BESIDES = lazy(
    r"\b(?:also|too|as well|both|besides?|next to|except|only|just|still|auch|nur|aussi|seulement|también|solo)\b",
    re.IGNORECASE,
)
_GONE = lazy(
    r"(?:'s)?\W*(?:has |is |has been |est |hat )?"
    r"(?:left|gone|out|retired|moved on|on leave|quit|changed teams|went (?:over )?to|partie?|se ha ido|aufgehört)\b",
    re.IGNORECASE,
)
# What moves or changes over to something keeps its name: "the API switched to GraphQL".
_GOES_OVER = lazy(
    r"\s+(?:(?:has|have|is|are|was|were|now|just|been|already)\s+)*(?:switched|moved|migrated|changed|went|goes|runs?|uses?"
    r"|lives?|points?|talks?|speaks?)\b",
    re.IGNORECASE,
)
_FORBIDS = lazy(r"\b(?:not|never|don't|no longer|must)\b", re.IGNORECASE)
_PLACE = lazy(r"\b(?:to|at|in|à|nach|for|a)\s+$", re.IGNORECASE)
# Whose thing it is, around the name of a person.
_DOES = (
    r"(?:owns?|leads?|heads?|runs?|does|draws?|maintains?|handles?|approves?|decides?|manages?|looks after|takes care"
    r"|is (?:the |our )?(?:\w+ )?(?:one|contact|owner|maintainer|lead|pi|responsible|person|designer|editor|reviewer)"
    r"|is (?:our|the) \w+|has the last word|ist|macht|kümmert|übernimmt|lleva|es (?:el|la) responsable|s'occupe|reprend"
    r"|est responsable)\b"
)
_OWNS = lazy(
    rf" (?:now |also )?{_DOES}|'s (?:ok|review|call|job|baby|thing|turf|desk|bench|approval|team)\b|'s(?=[,.;]|$)",
    re.IGNORECASE,
)
_OWNED_BY = lazy(
    r"\b(?:ask|asks|by|contact|contact is|owner is|person .{0,20}? is|belongs to|go to|goes to|talk to|with|c'est|lleva"
    r"|pregunta a|demander à|bei|ist|an)(?: (?:mr|ms|mrs|dr|herr|herrn|frau|m|mme)\.?)? $",
    re.IGNORECASE,
)
_THING = lazy(
    r"\b(?:the|that|this|our) (?:[\w-]+ ){0,3}?(?P<thing>[a-z]+)"
    r" (?:(?:has been|was|got|is|are) )?(?:now )?(?:renamed|called|named)(?: to)? (?P<new>`[^`]+`|[^\s,;:]+)"
)
_ONLY_DOES = lazy(r"\b(?:only|just) (?:does|has|owns|keeps|do)\b|\bmacht nur\b", re.IGNORECASE)
_BOTH = lazy(
    r"(?P<owner>[A-Z][^,;.]*?) (?P<of>(?:on|about|for|of) )?"
    r"(?P<first>(?:the |de l'|de la |des? )?[^,;.\s]+(?: [^,;.\s]+)?) (?:and|und|et|y) (?P<second>[^,;.]+)"
)


def names_changed(said: str, statement: str) -> Iterator[list[Change]]:
    """Which names of the statement the correction changes, in each way to read it."""
    for read in (_persons, _renamed_thing, _siblings, _one_for_one, _owners, _other_tool):
        yield read(said, statement)


def has_name_for(said: str, statement: str) -> bool:
    """Does the statement name the thing that has another name now, or something that begins like the new one?"""
    return bool(_renamed_thing(said, statement) or _siblings(said, statement))


def pairs_changed(said: str, statement: str) -> list[Change]:
    """Old and new, both named."""
    for pair in pairs_in(said):
        found = [at for at in places(pair.old, statement) if not (pair.renames and has_name_at(statement, at))]
        if found and _are_alike(pair.old, pair.new, statement):
            changes = [replaced(said, statement, at, pair.old, pair.new) for at in found]
            whole = [whole_thing(said, statement, one._replace(renames=pair.renames)) for one in changes]
            return [one for one in whole if one]
        if path := _path_that_ends(pair.old, statement):
            return [Change(path.start, path.end, path.text, pair.new, True, pair.renames)]
    return []


def _path_that_ends(old: str, statement: str) -> Value | None:
    """The path whose last part this is."""
    found = re.search(rf"(?<![^\s`\"(])[\w./~-]*/{re.escape(old)}(?![\w/-])", statement) if "." in old else None
    return Value(found[0], "path", found.start(), found.end()) if found else None


def _are_alike(old: str, new: str, statement: str) -> bool:
    """Could one be said in the place of the other: two numbers of a sort, or two words for a thing?"""
    if not is_telling(old) or not is_telling(new) or is_there(new, statement):
        return False
    if is_plain(old) and new[:1].isupper() and new[1:].islower() and not swap_in(new, old):
        return False  # "every month a Release instead of quarterly"
    numbers = [numbers_in(text)[:1] for text in (old, new)]
    if not all(numbers):
        return not any(numbers)
    return is_same_sort(numbers[0][0], numbers[1][0])


def _names(text: str) -> list[Value]:
    return [one for one in values_in(text) if one.kind == "name" and is_telling(one.text)]


def _persons(said: str, statement: str) -> list[Change]:
    """Somebody who is gone, and the only other one who is named."""
    theirs = {one.text: one for one in _names(statement)}
    gone = [one.text for one in _names(said) if one.text in theirs and _GONE.match(said, one.end)]
    if len(gone) != 1:
        return []
    others = [one for one in _names(said) if one.text not in theirs and not _PLACE.search(said[: one.start])]
    names = list(dict.fromkeys(one.text for one in others))
    if not names or (len(names) > 1 and others[0].first and len(others) == 2):
        return []
    return [replaced(said, statement, at, gone[0], names[0]) for at in places(gone[0], statement)]


def _owners(said: str, statement: str) -> list[Change]:
    """Whose thing it is now, where the statement says of one person only that it is theirs: "that is Imogen's job"."""
    if _BESIDES.search(said) or REVERSED.search(said):
        return []
    new = {one.text for one in _names(said) if _is_owner(one, said) and not is_there(one.text, statement)}
    old = {one.text for one in _names(statement) if _is_owner(one, statement)}
    if len(new) != 1 or len(old) != 1:
        return []
    [text], [was] = new, old
    return [replaced(said, statement, at, was, text, named=was in said) for at in places(was, statement)]


def half_handed_over(said: str, statement: str) -> list[Change]:
    """The half of somebody's work that is another's now, where they keep the rest: "the codec is Ana's, Ben keeps the
    radio"."""
    kept = [clause for clause in clauses(said) if is_as_before(clause) or _ONLY_DOES.search(clause)]
    told = " ".join(clause for clause in clauses(said) if clause not in kept)
    new = {one.text for one in _names(told) if not is_there(one.text, statement) and not one.text.endswith("day")}
    if not kept or len(new) != 1:
        return []
    for both in _BOTH.finditer(statement):
        if _names(both["owner"]) and (_is_told(both["second"], told) and not _is_told(both["first"], told)):
            start, end = both.end("first"), both.start("second")
            text = f", {new.pop()} {both['of'] or ''}"
            return [Change(start, end, statement[start:end], text, False)]
    return []


def _is_told(part: str, told: str) -> bool:
    """Does it share a word, or the beginning of one?"""
    words = {word.casefold()[:LIKE] for word in re.findall(r"\w{5,}", told)}
    return any(word.casefold()[:LIKE] in words for word in re.findall(r"\w{5,}", part))


def _is_owner(name: Value, text: str) -> bool:
    return _OWNS.match(text, name.end) is not None or _OWNED_BY.search(text[: name.start]) is not None


def _renamed_thing(said: str, statement: str) -> list[Change]:
    """What the statement calls a thing that has another name now: "the bucket was renamed to acme-media"."""
    for match in _THING.finditer(said):
        called = rf"\b{match['thing']}(?: (?:is|named|called))? (?P<old>`[^`]+`|\"[^\"]+\"|[\w.#-]+)"
        for found in re.finditer(called, statement, re.IGNORECASE):
            old, new = found["old"].strip('`"').rstrip("."), bare(match["new"])
            if found["old"][0] in '`"' or _coded(old):
                start = found.start("old") + (found["old"][0] in '`"')
                return [Change(start, start + len(old), old, new, False)]
    return []


def _coded(word: str) -> bool:
    return any(one.kind in CODED for one in values_in(word))


def _siblings(said: str, statement: str) -> list[Change]:
    """An identifier, a path or a command that begins like the only one of the statement: "hil/start.py" for
    "hil/run.sh"."""
    if _BESIDES.search(said):
        return []
    theirs = [one for one in values_in(statement) if one.kind in CODED and one.text not in said]
    changes: list[Change] = []
    for one in values_in(said):
        if one.kind not in CODED or stays(said, one.start) or one.text in statement:
            continue
        alike = [old for old in theirs if _stem(bare(one.text), bare(old.text))]
        if len(alike) == 1 and alike[0].start not in (change.start for change in changes):
            changes.append(Change(alike[0].start, alike[0].end, alike[0].text, _as_written(one.text, alike[0]), False))
    return changes


def _as_written(new: str, old: Value) -> str:
    return f"`{bare(new)}`" if old.text.startswith("`") else bare(new)


def _stem(one: str, other: str) -> bool:
    """Do they begin with the same part, and end in different ones?"""
    first, second = (re.split(r"(?<=[\s/_.:=-])", text.removeprefix("./")) for text in (one, other))
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    shared = sum(map(len, first[:same]))
    return shared >= SHORTEST_STEM and max(len(first), len(second)) - same <= 1


def _one_for_one(said: str, statement: str) -> list[Change]:
    """The only name or identifier of the statement that is mentioned, and the only new one, whatever happened: "frio1
    turned into `camara-a`"."""
    if _BESIDES.search(said) or REVERSED.search(said):
        return []
    mine = [one for one in values_in(said) if one.kind not in NUMBERS and is_telling(bare(one.text))]
    here = {bare(one.text): one for one in mine if _stands_in(one, statement)}
    new = {bare(one.text): one for one in mine if bare(one.text) not in here and not (one.kind == "name" and one.first)}
    if len(here) != 1 or len(new) != 1:
        return []
    [(old, was)], [(text, now)] = here.items(), new.items()
    if (was.kind in CODED) != (now.kind in CODED) or stays(said, was.start):
        return []
    guessed = old not in no_longer_in(said)
    if guessed and _GOES_OVER.match(said, was.end):
        return []
    return [replaced(said, statement, at, old, text)._replace(guessed=guessed) for at in places(old, statement)]


def _stands_in(value: Value, statement: str) -> bool:
    """Does the statement have this too? A word that is only capital because it begins a sentence is not a name."""
    text = bare(value.text)
    if value.kind == "name" and value.first:
        return any(statement.startswith(text, at) for at in places(text, statement))
    return is_there(text, statement)


def _other_tool(said: str, statement: str) -> list[Change]:
    """Another tool of the same kind: "we moved to bun". Who also says what not to use has said a rule of their own."""
    swap = None if _BESIDES.search(said) or _FORBIDS.search(said) else swap_in(said, statement)
    if swap is None or is_there(swap.new, statement):
        return []
    return [replaced(said, statement, at, swap.old, swap.new, named=False) for at in places(swap.old, statement)]
