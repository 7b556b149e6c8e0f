"""Whether a correction, in the words people use for one, is about a given statement.

Somebody who corrects says less than who states: "no, the port is 8081" for "The dev server listens on port 8080". What
is left out is taken from the statement; what is said must all be found there, but for the new value. When in doubt it
is about something else: a statement that was wrongly retired is worse than one that stayed.
"""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.text.language import lexicon
from recollect.text.language.frames import PREPOSITIONS, VERBS, Frame, Item, frame_of
from recollect.text.language.opposites import (
    claims,
    contradict,
    difference,
    is_number,
    is_one,
    other_number,
    states,
    takes_its_place,
)
from recollect.text.patterns import lazy
from recollect.text.similarity import root, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MOST_NEW = 3  # words of a new value
MOST_PARTS = 40  # of a correction that are compared; nobody corrects more at once
MOST_LEFT_OUT = 4  # words of the statement that a correction need not repeat

_OPENING = lazy(
    r"^\W*(?:(?:no|nope|nah|wrong|incorrect|false|wait|sorry|oops|hm+|well|ok|okay|correction|update)\s*[,.!;:–—-]+\s*"
    r"|(?:actually|btw|fyi|by the way|as of (?:now|today)|note that|please|in fact)\b[\s,:;–—-]*)+",
    re.IGNORECASE,
)
# When it changed is no part of what is so.
_SINCE_WHEN = lazy(
    r"[\s,]{0,8}\b(?:now|nowadays|these days|today|already|by now|at the moment|from now on|going forward|yesterday"
    r"|again|recently|since (?:\w+ )?\w+"
    r"|(?:last|this) (?:week|month|year|quarter|sprint|summer|winter|spring|fall|autumn))\b",
    re.IGNORECASE,
)
_NO_LONGER = lazy(r"\b(?:any ?more|no longer|stopped)\b", re.IGNORECASE)
_BECAME = lazy(
    r"(?<!\bwe )\b(?:has |have )?(?:became|become|turned into"
    r"|(?:been )?(?:changed|renamed|raised|lowered|increased|reduced|bumped|switched|set) to)\b",
    re.IGNORECASE,
)
_MOVED = lazy(r"(?<!\bwe )\b(?:has |have )?moved to\b", re.IGNORECASE)
_NAMED = lazy(r"\b(?:is|are) (?:called|named)\b", re.IGNORECASE)
_BRACKETS = lazy(r"\s{0,8}\([^()]*\)")
_ASIDE = lazy(r"(?:,\s+(?:which|who|where|because|since|so|and)\b|(?<=[a-z0-9`\"'])[.;]\s+(?=[A-Z`])).*$", re.DOTALL)
_MOST = lazy(r"\b(max|min)\b(?= [a-z])", re.IGNORECASE)
_REDONE = lazy(r"\b(?:was|were|(?:has|have) been|got) (?:re)?(?=(?:written|built|implemented|ported)\b)", re.IGNORECASE)
_GAVE_UP = lazy(
    r"\b(?:dropped|abandoned|ditched|removed|retired|deprecated|got rid of|moved away from|stopped using)\b",
    re.IGNORECASE,
)
_LEFT = lazy(r"^(?P<who>[^\W\d]\w*(?: [A-Z]\w*)?) (?:has |is )?(?:left|gone|quit|resigned|retired)\b.*$", re.IGNORECASE)
_PARTS = lazy(
    r"[.;](?:\s+|$)|,\s+(?!not\b|instead\b|rather\b|but not\b)|(?<!\s)\s+(?:and|but|so)\s+(?=we\b|it\b|i\b|the\b)",
    re.IGNORECASE,
)
_PRONOUN = lazy(
    r"(?:it|they|(?:this|that|these|those)(?=\s+(?:is|are|was|were|has|have|must|should|will|can)\b|'s))\b"
    r"(?P<be>['\u2019](?:s|re))?",
    re.IGNORECASE,
)

_LIGHT = frozenset(map(root, "come go get own new old from still longer instead different do done".split()))
_LABELS = frozenset(map(root, "number address name version value setting link tool".split()))
UNTOLD = _LIGHT | _LABELS  # words that a correction may add without giving a new value
# What makes a thing another one than the thing itself.
_QUALIFIERS = frozenset(
    map(
        root,
        "staging test testing preview beta alpha legacy old former internal local sandbox demo backup mobile".split(),
    )
)
_GENERIC = frozenset("api url ui ci db id ip http https css html sql cli sdk pr prs ttl ci/cd".split())


class Correction(Record):
    """A correction, read once to be compared with many statements."""

    frames: tuple[Frame, ...]
    gave_up: bool


def corrects(correction: str, statement: str, *, answers: bool = True) -> bool:
    """Is this what the correction is about: does it say of the same thing that it is otherwise? What does not answer
    anybody stands by itself: its "it" is nothing but what it named before."""
    return is_about(read_correction(correction, answers=answers), read_corrected(statement))


def read_correction(text: str, *, answers: bool = True) -> Correction:
    """What a text says, if it is a correction."""
    parts = _with_names(_said(text))
    if not answers:
        parts = [part for part in parts if not _PRONOUN.match(part)]
    frames = tuple(frame for frame in map(frame_of, parts) if frame.items)
    return Correction(frames, gave_up=_NO_LONGER.search(text) is not None)


def read_corrected(text: str) -> Frame:
    """What a statement is recognised by, if somebody corrects it."""
    return frame_of(_spelled_out(_gist(text)))


def is_about(correction: Correction, theirs: Frame) -> bool:
    """`corrects`, of what was read already."""
    if theirs.asks or not theirs.items:
        return False
    frames = correction.frames
    if not frames or any(frame.asks or frame.hedged or _is_anothers(frame, theirs) for frame in frames):
        return False
    if any(contradict(frame, theirs) or takes_its_place(frame, theirs) for frame in frames):
        return True
    if _QUALIFIERS & {item.key for item in theirs.items} - {item.key for frame in frames for item in frame.items}:
        return False
    if _names_the_wrong(frames, theirs):
        return True
    return any(
        _gives_another_value(frame, theirs)
        or _says_other_of_it(frame, theirs)
        or _takes_back(frame, theirs, gave_up=correction.gave_up)
        for frame in frames
    )


def other_choices(correction: str) -> list[str]:
    """What could have been chosen in the place of what a correction names: "vitest" may stand against "jest"."""
    named = {item.alternative for frame in map(frame_of, _said(correction)) for item in frame.items if item.alternative}
    groups = {group for name in named for group in lexicon.groups_of(name)}
    members = [member for group in sorted(groups) for member in lexicon.GROUPS[group][1].split(",")]
    return [spelling for member in members for spelling in member.strip().split("=") if spelling not in named]


def gives_value_of(subject: str, correction: str, statement: str) -> bool:
    """Is the correction "SUBJECT is VALUE", and the statement, which somebody filed under this subject, has another
    value of that sort?"""
    theirs = [item for item in frame_of(statement).items if item.sign > 0]
    wanted = [root(word.casefold()) for word in split_words(subject)]
    for frame in map(frame_of, _said(correction)):
        before, new = [item for item in frame.items if not item.after], [item for item in frame.items if item.after]
        if frame.verb != "be" or [item.key for item in before] != wanted or len(new) != 1 or new[0].sign < 0:
            continue
        old = [item for item in theirs if item.key != new[0].key and _is_same_sort(item, new[0])]
        if len(old) == 1 and (new[0].alternative or is_number(new[0].key) or _sort(new[0].raw) != "name"):
            return True
    return False


def _said(correction: str) -> list[str]:
    """The parts of a correction, without what only tells that it is one, or since when."""
    text = _spelled_out(_SINCE_WHEN.sub("", _OPENING.sub("", correction.strip())))
    parts = [part.strip() for part in _PARTS.split(text, maxsplit=2 * MOST_PARTS)]
    return [_plain(part) for part in parts if part][:MOST_PARTS]


def _with_names(parts: Sequence[str]) -> list[str]:
    """The parts, where "it" is called by the name that the same text gave it before."""
    named: list[str] = []
    name = ""
    for part in parts:
        pronoun = _PRONOUN.match(part)
        if pronoun is None:
            name = " ".join(frame_of(part).subject) or name
        elif name:
            part = f"{name}{' is' if pronoun['be'] else ''}{part[pronoun.end() :]}"
        named.append(part)
    return named


def _plain(part: str) -> str:
    """A part as it would be stated: what became of a thing is what it is, and what was given up is not used."""
    left = _LEFT.match(part)
    if left:
        return f"not {left['who']}"
    return _BECAME.sub("is", _MOVED.sub("is in", _REDONE.sub("is ", _GAVE_UP.sub("do not use", part))))


def _gist(statement: str) -> str:
    """What a statement says first; what it adds in brackets, in a clause of its own or in more sentences is no part of
    what it can be recognised by."""
    return _ASIDE.sub("", _BRACKETS.sub("", statement.strip()), count=1)


def _spelled_out(text: str) -> str:
    return _MOST.sub(r"\1imum", _NAMED.sub("name is", text))


def _is_anothers(frame: Frame, theirs: Frame) -> bool:
    return bool(frame.owner and theirs.owner and frame.owner != theirs.owner)


def _asserted(items: Sequence[Item]) -> dict[str, Item]:
    return {item.key: item for item in items if item.sign > 0}


def _telling(frame: Frame) -> list[Item]:
    return [item for item in frame.items if item.key not in _LIGHT]


def _names_the_wrong(frames: Sequence[Frame], theirs: Frame) -> bool:
    """ "We use Sentry for error tracking, not Rollbar": what is wrong is named, and the rest is found there."""
    held = _asserted(theirs.items)
    said = [item for frame in frames for item in _telling(frame)]
    shared = [item for item in said if item.sign > 0 and item.key in held]
    wrong = [held[item.key] for item in said if item.sign < 0 and item.key in held]
    if not (shared and any(frame.contrast for frame in frames)):
        wrong = [item for item in wrong if item.hard or _is_object(item, theirs)]
    strange = [item for item in said if item.key not in held and not item.alternative]
    if not wrong or any(_is_half_a_name(item, theirs) for item in wrong) or any(item.sign < 0 for item in strange):
        return False
    if any(not item.after for item in strange) or len(_new(said, held)) > 1:
        return False
    if shared:
        return True
    chooses = any(map(_is_choice, frames)) or theirs.verb == "hold"
    return chooses and any(_is_chosen(item, theirs) and not is_number(item.key) for item in wrong)


def _is_choice(frame: Frame) -> bool:
    """ "We use Y", "Y instead of X", "we are with Y"."""
    if frame.verb in ("choose", "hold") or (frame.verb == "none" and frame.contrast):
        return True
    return frame.verb == "be" and frame.owner == "project" and not frame.subject


def _is_object(item: Item, frame: Frame) -> bool:
    return frame.verb == "choose" and VERBS.get(root(item.lead)) == "choose"


def _new(said: Sequence[Item], held: dict[str, Item]) -> list[list[Item]]:
    """What is new, in runs: a value is one of them, and a purpose or a place would be another."""
    runs: list[list[Item]] = []
    goes_on = False
    for item in said:
        fresh = item.sign > 0 and item.key not in held
        if fresh and goes_on and item.lead not in PREPOSITIONS:
            runs[-1].append(item)
        elif fresh:
            runs.append([item])
        goes_on = fresh
    return runs


def _is_half_a_name(item: Item, frame: Frame, but: Collection[str] = ()) -> bool:
    """The first half: "Slack alerts", "npm scripts"."""
    at = frame.items.index(item)
    following = [one for one in frame.items[at + 1 : at + 2] if one.key not in but]
    return bool(following) and following[0].lead == item.raw.casefold() and not following[0].hard


def _is_chosen(item: Item, frame: Frame) -> bool:
    if item.after and frame.verb == "work":
        return item.lead == "with" or not frame.subject
    if item.after:
        return frame.verb in ("choose", "be", "place", "hold")
    return frame.verb == "hold" or (frame.verb == "be" and frame.definite)


def _gives_another_value(frame: Frame, theirs: Frame) -> bool:
    """ "The port is 8081": all of it is found there but one value, where another of its sort stands."""
    held, said = _asserted(theirs.items), _telling(frame)
    if _LABELS.isdisjoint(held):
        said = [item for item in said if item.key not in _LABELS]
    runs = _new(said, held)
    if frame.many or theirs.many or len(runs) != 1 or any(item.sign < 0 for item in said):
        return False
    new, shared = runs[0], [item for item in said if item.key in held]
    if len(new) > MOST_NEW or not all(item.hard or is_number(item.key) for item in new):
        return False
    if all(is_number(item.key) for item in shared) or not (all(item.after for item in new) or frame.verb == "none"):
        return False
    if frame.verb not in (theirs.verb, "be", "none", "choose"):
        return False
    return _is_replaced(new, said, shared, theirs)


def _is_replaced(new: Sequence[Item], said: Sequence[Item], shared: Sequence[Item], theirs: Frame) -> bool:
    keys = {item.key for item in shared}
    left = [item for item in theirs.items if item.key not in keys]
    value = next((item for item in new if item.alternative), new[-1])
    old = [item for item in left if item.after and item.sign > 0 and _is_same_sort(item, value)]
    if len(old) != 1:
        return False
    rest = [item for item in left if item is not old[0]]
    if len(rest) > MOST_LEFT_OUT or any(map(_is_named, rest)):
        return False
    subject = [item for item in theirs.items if not item.after]
    if subject and all(item in rest for item in subject) and all(item.hard for item in shared):
        return False  # the linter's Python is not Python, the server's port is the port
    if old[0].alternative:
        return True
    return _unit(old[0], theirs.items) == _unit(new[-1], said) and _stands_alike(old[0], new[0], said, theirs)


def _stands_alike(old: Item, new: Item, said: Sequence[Item], theirs: Frame) -> bool:
    """Behind the same word, behind the same preposition, or as what the same thing is."""
    if old.lead == new.lead:
        return True
    plain = PREPOSITIONS.isdisjoint((old.lead, new.lead))  # it is Kong, and it is in Frankfurt
    if _before(old, theirs.items) == _before(new, said) != "":
        return plain or is_number(old.key)
    return theirs.verb == "be" and plain


def _before(item: Item, items: Sequence[Item]) -> str:
    at = list(items).index(item)
    return items[at - 1].key if at else ""


def _unit(item: Item, items: Sequence[Item]) -> str:
    """What a number counts: the word right behind it."""
    at = list(items).index(item)
    following = list(items)[at + 1 : at + 2]
    return following[0].key if following and following[0].lead not in PREPOSITIONS else ""


def _is_named(item: Item) -> bool:
    return item.hard and item.raw.casefold() not in _GENERIC


def _is_same_sort(old: Item, new: Item) -> bool:
    if is_number(old.key) or is_number(new.key):
        return is_number(old.key) and is_number(new.key) and other_number(old, new)
    if old.alternative or new.alternative:
        return not set(lexicon.groups_of(old.alternative)).isdisjoint(lexicon.groups_of(new.alternative))
    if not old.hard or not new.hard or old.code != new.code:
        return False
    return _sort(old.raw) == _sort(new.raw)


def _sort(raw: str) -> str:
    return next((mark for mark in ("://", "@") if mark in raw), "path" if "/" in raw or "." in raw else "name")


def _says_other_of_it(frame: Frame, theirs: Frame) -> bool:
    """The same thing, whole, and it is in another place, or is another one where there is only one."""
    mine, yours = ([item.key for item in one.items if not item.after] for one in (frame, theirs))
    if not mine or mine != yours or frame.verb != theirs.verb or frame.verb not in ("be", "place"):
        return False
    start, new, old = difference(frame.items, theirs.items)
    if not new or not old or max(len(new), len(old)) > MOST_NEW or any(item.sign < 0 for item in (*new, *old)):
        return False
    if frame.verb == "place":
        return start > len(mine) and new[0].lead == old[0].lead
    return (
        PREPOSITIONS.isdisjoint((new[0].lead, old[0].lead)) and is_one(frame.items[:start]) and not states(*new, *old)
    )


def _takes_back(frame: Frame, theirs: Frame, *, gave_up: bool) -> bool:
    """ "I don't drink coffee any more" takes back "drinks coffee in the morning" as well, and "deploys are manual" that
    they are automatic on every merge."""
    held, said = claims(theirs), claims(frame)
    if not said.keys() <= held.keys():
        return False
    turned = [item for item in frame.items if item.after and said[item.key] * held[item.key] < 0]
    if not turned or not (gave_up or any(item.antonym for item in turned)):
        return False
    keys = {item.key for item in turned}
    taken = [item for item in theirs.items if item.key in keys]
    if any(not item.after or _is_half_a_name(item, theirs, but=keys) for item in taken):
        return False
    return len(said) > 1 or frame.verb == theirs.verb or (frame.verb, theirs.verb) == ("choose", "work")
