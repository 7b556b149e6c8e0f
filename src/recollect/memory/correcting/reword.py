"""The text that a correction leaves: the old statement with the changed part changed, else the new one, tidied."""

from __future__ import annotations

import re

from recollect.memory.correcting.alternatives import swap_in
from recollect.memory.correcting.values import NUMBERS, Value, is_same_sort, values_in
from recollect.model.record import Record
from recollect.text.language.frames import WANTS
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import lazy
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1_000  # characters of a correction, and of a statement, in which parts are looked for

_LEAD = lazy(
    r"^\W*(?:(?:no|nope|nah|wait|sorry|oops|hm+|well|ok|okay|correction(?: from \w+)?|update|oh and|oh|hold on|hang on"
    r"|stop|moment|nein|non|übrigens|actually|btw|by the way|fyi|note that|heads up|just so you know|reminder"
    r"|please note|(?:as of|since|from|starting) (?:today|yesterday|now on|now|this \w+|last \w+|recently)|ab sofort"
    r"|seit (?:heute|gestern)|depuis hier|desde ayer)"
    r"\b[\s,.:;!–—-]*)+",
    re.IGNORECASE,
)
_TAIL = lazy(
    r"(?<![\s,;–—-])[\s,;–—-]*\b(?:fyi|sorry|btw|please|thanks|thx)[.!]*$"
    r"|[,;.]\s+(?:so |and )?(?:please|can you|could you|bitte)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
# From when on it holds, at the beginning.
_SINCE_WHEN = lazy(
    r"^(?:from (?:\d+ )?\w+(?: on)?|from the \w+(?: \w+){0,4}?(?= the\b)"
    r"|starting (?:with|in|from) (?:the )?\w+(?: release)?|beginning (?:with|in) [\w.]+|after the \w+(?: break)?"
    r"|as of (?:the )?\w+(?: \w+)?|ab (?!sofort|jetzt)\w+|à partir d\w+ \w+|desde el \w+|a partir de \w+)(?=[\s,])",
    re.IGNORECASE,
)
_AS_BEFORE = lazy(
    r"\b(?:as before|as it was|stays?|same|unchanged|still|has ?n[o']t changed|did ?n[o']t (?:move|change)|remains?"
    r"|bleibt|unverändert|stimmt noch|reste|sigue)\b",
    re.IGNORECASE,
)
_RENAMED = lazy(
    r"\b(?:renamed|called|call it|is now|since the|heißt|umbenannt|renomm\w+|replaced|switched)\b", re.IGNORECASE
)
_ONLY = lazy(r"\b(?:only|just|except|unless|may|nur|solo|seulement)\b", re.IGNORECASE)
_REVERSED = lazy(
    r"\b(?:again|allowed|free to|is fine|no longer (?:blocked|frozen|forbidden)|unfrozen|released|lifted|wieder"
    r"|cancelled)\b",
    re.IGNORECASE,
)
_BESIDES = lazy(
    r"\b(?:also|too|as well|both|besides?|next to|except|only|just|still|auch|nur|aussi|seulement|también|solo)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy(r"[,;.](?:\s+|$)|\s+(?:and|but|so|und|aber|et|y)\s+")
_WORD = r"(?:`[^`]+`|(?:[A-Z][\w'-]*(?: [A-Z][\w'-]*)+)|[^\s,;:`]+)"
_ARTICLE = r"(?:the |a |an |der |die |das |le |la |el |on |in |to )?"
# One sentence as it was typed, or as it is written down: "we moved to bun, never use pnpm".
_MOVED = rf"(?i:\b(?:moved|switched|migrated|changed|went)(?: over| back)? to) {_ARTICLE}NEW"
_BANNED = rf"(?i:\b(?:never|don't|do not|no longer|must not|stop) us(?:e|ing)) {_ARTICLE}OLD"
_AND_SO = rf"\b[^.!?;\n]{{0,60}}?(?:[,;–—-]|\bso\b|\band\b|\. {WANTS.strip()}) "
# Who or what was there before, and who or what is there now.
_PAIRS = tuple(
    lazy(pattern.replace("OLD", f"(?P<old>{_WORD})").replace("NEW", f"(?P<new>{_WORD})"))
    for pattern in (
        rf"\b(?:moved|switched|migrated|went|changed|gone)\b[^.;]{{0,40}}?\bfrom {_ARTICLE}OLD to {_ARTICLE}NEW",
        rf"\bOLD (?:is|are) (?:now )?(?:called|known as) {_ARTICLE}NEW",
        r"\bOLD (?:heißt|heisst) (?:jetzt |nun )?NEW",
        r"\bOLD (?:has been |was |got |is )?renamed,? (?:to |into |it's |it is )?NEW",
        r"\bOLD (?:was|is|has been|got) replaced (?:by|with) NEW",
        rf"\breplaced? {_ARTICLE}OLD (?:by|with) {_ARTICLE}NEW",
        rf"\b(?:dropped|ditched|swapped|left) {_ARTICLE}OLD (?:for|in favou?r of) {_ARTICLE}NEW",
        rf"\bNEW (?:instead of|rather than|statt|en vez de|au lieu de|in place of) {_ARTICLE}OLD",
        rf"\bNEW,? (?:and )?(?:not|no longer|nicht|pas) {_ARTICLE}OLD",
        rf"\b(?:isn't|is not|not) {_ARTICLE}OLD (?:any ?more|any longer)?,? .*?\b(?:call it|it's|it is|but) NEW",
        r"\bOLD (?:has )?(?:handed|gave|passed) .{1,60}?\bto NEW",
        r"\bNEW (?:has |have )?(?:took|taken|takes|inherited|inherits|got) .{1,80}?\bfrom OLD",
        rf"{_MOVED}{_AND_SO}(?:please |so |and )?{_BANNED}",
        rf"\b(?:on|using|use) NEW now{_AND_SO}(?:please |so |and )?{_BANNED}",
        r"\bOLD hat .{1,60}? an NEW (?:ab|über)ge",
        r"\bNEW hat .{1,60}? von OLD übernommen",
    )
)
# "bin/promote is now bin/ship": with plain words the same would be "the sidebar is collapsible now".
_RENAMING = tuple(
    lazy(pattern.replace("OLD", f"(?P<old>{_WORD})").replace("NEW", f"(?P<new>{_WORD})"))
    for pattern in (rf"\bOLD (?:is|are) now {_ARTICLE}NEW", r"\bOLD is NEW (?:now|since|today|these days)\b")
)
_CODED = ("code", "path", "identifier", "channel")
_GONE = lazy(
    r"\W*(?:has |is |has been |est |hat )?"
    r"(?:left|gone|retired|moved on|on leave|quit|changed teams|parti\w*|se ha ido|aufgehört)\b",
    re.IGNORECASE,
)
_BEHIND = lazy(r",? (?:and )?not (?:the |a |an )?([^\s,;.]+)")  # what it is not, right behind what it is
_FORBIDS = lazy(r"\b(?:not|never|don't|no longer|must)\b", re.IGNORECASE)
_NTH_DAY = lazy(r"\b(?:first|second|third|fourth|last|other) \w+day\b", re.IGNORECASE)
# Right before a value: "not", and at most two words that set no limit.
_DENYING = lazy(
    r"\b(?:not|no longer|instead of|rather than|nicht|pas|statt)"
    r"(?: (?!before\b|after\b|until\b|more\b|less\b|over\b|under\b|above\b|below\b|than\b)[\w#-]+){0,2} `?$",
    re.IGNORECASE,
)
_PLACE = lazy(r"\b(?:to|at|in|à|nach|for|a)\s+$", re.IGNORECASE)


class Change(Record):
    """A part of the old statement and what takes its place."""

    start: int
    end: int
    old: str
    new: str
    named: bool  # the correction names the old part itself


def reworded(said: str, statement: str) -> str:
    """What is true after the correction, as one would write it down."""
    changes = changed_parts(said, statement)
    if not changes:
        if _parts(said, statement):
            return statement  # it says so already: what the correction gives up does not stand in it
        if _ONLY.search(said) and not _REVERSED.search(said):
            return f"{statement.rstrip(' .')}; {tidy(said)[0].lower()}{tidy(said)[1:]}"
        return tidy(said)
    text = statement
    changes = [*changes, *_contrasts(said, statement, changes)]
    for one in sorted(changes, key=lambda change: -change.start):
        text = text[: one.start] + _with_old_name(one, said) + text[one.end :]
    when = _SINCE_WHEN.match(without_lead(said))
    if when:
        text = f"{when[0][:1].upper()}{when[0][1:].rstrip(',')}, {_lowered(text)}"
    return text


def _contrasts(said: str, statement: str, changes: list[Change]) -> list[Change]:
    """Where the statement says "pnpm, not npm", and the correction "yarn, not pnpm": what it is not changes too."""
    found = []
    for one in changes:
        contrast = _BEHIND.match(statement, one.end)
        denied = re.search(rf"\bnot (?:the |a |an )?{re.escape(one.old)}\b", said, re.IGNORECASE)
        if contrast and denied:
            found.append(Change(contrast.start(1), contrast.end(1), contrast[1], one.old, True))
    return found


def _with_old_name(change: Change, said: str) -> str:
    """A thing with a new name is still asked for by its old one."""
    is_name = not any(value.kind in NUMBERS for value in values_in(change.old))
    if change.named and is_name and _RENAMED.search(said) and not _GONE.search(said):
        return f"{change.new} (formerly {change.old})"
    return change.new


def _lowered(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text if not first[1:].islower() and len(first) > 1 else text[:1].lower() + text[1:]


def without_lead(said: str) -> str:
    """A correction without what only tells that it is one: "no,", "btw", "hold on"."""
    return _LEAD.sub("", said.strip())


def tidy(said: str) -> str:
    """A correction as a statement: without its lead-in and what it asks for besides."""
    text = _TAIL.sub("", without_lead(said)).strip(" ,;-–—") or said.strip()
    text = text if values_in(text.split(" ", 1)[0]) else text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."


def changed_parts(said: str, statement: str) -> list[Change]:
    """Which parts of the statement the correction changes, and to what, never to what it says is no longer so; none
    where either is a long text."""
    return [one for one in _parts(said, statement) if not _is_denied(one.new, said)]


def _parts(said: str, statement: str) -> list[Change]:
    if len(said) > LONGEST or len(statement) > LONGEST:
        return []
    return (
        list(_named_pairs(said, statement))
        or _named_values(said, statement)
        or _persons(said, statement)
        or _unnamed(said, statement)
        or _one_for_one(said, statement)
        or _other_tool(said, statement)
    )


def given_up_in(said: str) -> list[str]:
    """What the correction says is no longer so, where it names that together with what is; nothing in a long text."""
    if len(said) > LONGEST:
        return []
    found = [match["old"].strip("`'\"").rstrip(".:!") for pattern in _PAIRS for match in pattern.finditer(said)]
    return [one for one in found if _is_telling(one)]


def _is_denied(text: str, said: str) -> bool:
    """Does a correction give this up: "9443, not 8080", "in db 3, not db 1"? Said again it must not bring it back."""
    if text.casefold() in (one.casefold() for one in given_up_in(said)):
        return True
    places = list(_places(text, said))
    return bool(places) and all(_DENYING.search(said[:start]) for start in places)


def _named_pairs(said: str, statement: str) -> Iterator[Change]:
    """Old and new, both named: "from pixi to uv", "bin/promote is now bin/ship"."""
    for pattern in (*_PAIRS, *_RENAMING):
        for match in pattern.finditer(said):
            if pattern in _RENAMING and not all(_is_coded(match[name]) for name in ("old", "new")):
                continue
            old, new = (match[name].strip("`'\"").rstrip(".:!").removesuffix("'s") for name in ("old", "new"))
            places = list(_places(old, statement))
            if places and _are_alike(old, new, statement):
                for start in places:
                    yield Change(start, start + len(old), statement[start : start + len(old)], new, True)
                return


def _is_coded(word: str) -> bool:
    return any(value.kind in _CODED for value in values_in(word))


def _are_alike(old: str, new: str, statement: str) -> bool:
    """Could one be said in the place of the other: two numbers of a sort, or two words for a thing?"""
    if not _is_telling(old) or not _is_telling(new) or any(_places(new, statement)):
        return False
    numbers = [_numbers(text)[:1] for text in (old, new)]
    if not all(numbers):
        return not any(numbers)
    return is_same_sort(numbers[0][0], numbers[1][0])


def _is_telling(text: str) -> bool:
    word = text.casefold()
    return word not in STOPWORDS and word not in _EMPTY and (len(word) > 2 or not word.isalpha() or text.isupper())


_EMPTY = frozenset(
    "today yesterday tomorrow now again that this one ones people person thing things only also used using needed there"
    " here what".split()
)


def _places(old: str, statement: str) -> Iterator[int]:
    for match in re.finditer(rf"(?<![\w-]){re.escape(old)}(?![\w-])", statement, re.IGNORECASE):
        yield match.start()


def _named_values(said: str, statement: str) -> list[Change]:
    """A number that is mentioned beside another one of its sort: "8090, not 8080", "3200 now, 3100 clashed"."""
    mine, theirs = _numbers(said), _numbers(statement)
    old_texts = {one.text for one in theirs}
    new = [one for one in mine if one.text not in old_texts]
    changes = []
    for one in theirs:
        mentioned = next((other for other in mine if other.text == one.text), None)
        if mentioned is None or _AS_BEFORE.search(_clause_at(said, mentioned.start)):
            continue
        found = [other for other in new if is_same_sort(other, one)]
        if found:
            nearest = min(found, key=lambda other: abs(other.start - mentioned.start))
            changes.append(Change(one.start, one.end, one.text, nearest.text, True))
    return changes


def _persons(said: str, statement: str) -> list[Change]:
    """Somebody who is gone, and the only other one who is named."""
    theirs = {one.text: one for one in values_in(statement) if one.kind == "name"}
    gone = [
        (value, theirs[value.text])
        for value in values_in(said)
        if value.kind == "name" and value.text in theirs and _GONE.match(said, value.end)
    ]
    if len(gone) != 1:
        return []
    others = [
        one
        for one in values_in(said)
        if one.kind == "name" and one.text not in theirs and not _PLACE.search(said[: one.start])
    ]
    names = list(dict.fromkeys(one.text for one in others))
    if not names or (len(names) > 1 and others[0].first and len(others) == 2):
        return []
    old = gone[0][1]
    return [Change(start, start + len(old.text), old.text, names[0], True) for start in _places(old.text, statement)]


def _unnamed(said: str, statement: str) -> list[Change]:
    """A number whose old one is not named: the one that stands among the words of the correction."""
    if _REVERSED.search(said):
        return []
    theirs = _numbers(statement)
    if len(_weekdays(theirs)) != len(_weekdays(_numbers(said))) or _NTH_DAY.search(f"{said}\n{statement}"):
        theirs = [one for one in theirs if one.kind != "weekday"]  # one day for two, or "the last Friday"
    kept = {one.text for one in theirs}
    when = _SINCE_WHEN.match(without_lead(said))
    changes: list[Change] = []
    for one in _numbers(said):
        if one.text in kept or (when and one.text in when[0]) or _AS_BEFORE.search(_clause_at(said, one.start)):
            continue
        found = [other for other in theirs if is_same_sort(one, other) and all(other.start != c.start for c in changes)]
        if found:
            near = max(found, key=lambda other: _nearness(said, statement, one, other))
            changes.append(Change(near.start, near.end, near.text, one.text, False))
    return changes


def _one_for_one(said: str, statement: str) -> list[Change]:
    """The only name or identifier of the statement that is mentioned, and the only new one, whatever happened: "frio1
    turned into `camara-a`"."""
    if _BESIDES.search(said) or _REVERSED.search(said):
        return []
    mine = [one for one in values_in(said) if one.kind not in NUMBERS and _is_telling(_bare(one))]
    here = {_bare(one): one for one in mine if _stands_in(one, statement)}
    new = {_bare(one): one for one in mine if _bare(one) not in here and not (one.kind == "name" and one.first)}
    if len(here) != 1 or len(new) != 1:
        return []
    [(old, was)], [(text, now)] = here.items(), new.items()
    if (was.kind in _CODED) != (now.kind in _CODED) or _AS_BEFORE.search(_clause_at(said, was.start)):
        return []
    return [Change(at, at + len(old), statement[at : at + len(old)], text, True) for at in _places(old, statement)]


def _stands_in(value: Value, statement: str) -> bool:
    """Does the statement have this too? A word that is only capital because it begins a sentence is not a name."""
    text = _bare(value)
    if value.kind == "name" and value.first:
        return any(statement.startswith(text, at) for at in _places(text, statement))
    return any(_places(text, statement))


def _other_tool(said: str, statement: str) -> list[Change]:
    """Another tool of the same kind: "we moved to bun". Who also says what not to use has said a rule of their own."""
    swap = None if _BESIDES.search(said) or _FORBIDS.search(said) else swap_in(said, statement)
    if swap is None or any(_places(swap.new, statement)):
        return []
    return [Change(start, start + len(swap.old), swap.old, swap.new, False) for start in _places(swap.old, statement)]


def _bare(value: Value) -> str:
    return value.text.strip("`")


def _weekdays(values: list[Value]) -> list[Value]:
    return [one for one in values if one.kind == "weekday"]


def _numbers(text: str) -> list[Value]:
    return [one for one in values_in(text) if one.kind in NUMBERS]


_LABELS = frozenset("port version number days percent minutes".split())


def _nearness(said: str, statement: str, new: Value, old: Value) -> float:
    """How near the old value stands to words that the correction says of the new one; the same unit decides."""
    told = set(terms(_clause_at(said, new.start)))
    elsewhere = set(terms(said)) - told
    score = 3.0 if new.unit and new.unit == old.unit else 0.0
    for match in re.finditer(r"[\w./-]+", statement):
        if old.start <= match.start() < old.end:
            continue
        found = set(terms(match[0]))
        worth = 1.0 if found & told else -0.5 if found & elsewhere else 0.0
        if match[0].casefold() in _LABELS:
            worth *= 0.3
        gap = len(statement[min(match.end(), old.end) : max(match.start(), old.start)].split())
        score += worth / (1 + gap)
    return score


def clause_with(text: str, part: str) -> str:
    """The clause in which a part of a text is first said."""
    return _clause_at(text, max(text.find(part), 0))


def _clause_at(text: str, at: int) -> str:
    start = 0
    for match in _CLAUSE.finditer(text):
        if match.start() >= at:
            return text[start : match.start()]
        start = match.end()
    return text[start:]
