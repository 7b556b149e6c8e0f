"""What a short statement is about, and how two of them stand to each other. Rules and a lexicon, no model.

When in doubt two statements are not opposite: a wrong conflict costs more than a missed one.
"""

from __future__ import annotations

from recollect.text import lexicon
from recollect.text.frames import PREPOSITIONS, Frame, Item, frame_of, is_question
from recollect.text.similarity import (
    ARTICLES,
    SEPARATORS,
    normalise,
    readable,
    root,
    similarity,
    singular_key,
    split_words,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Relation = Literal["same", "near", "opposite", "related", "unrelated"]

__all__ = [
    "is_hedged",
    "is_question",
    "near_identical",
    "normalise",
    "opposite",
    "relation",
    "similarity",
    "statement_key",
    "subject_key",
    "subject_of",
]

RELATED = 0.4
_DIRECTIONAL = frozenset(map(root, "from before after than depend call import extend inherit block over above".split()))
_NUMBERED = frozenset(map(root, "issue pr ticket step section chapter page line bug item case phase".split()))
_STATES = ("ed", "ing", "able", "ible", "ful", "ive", "less", "ous", "y")
_LABELS = frozenset(map(root, lexicon.LABELS))
_ROLES = frozenset(root(word) for word in lexicon.ROLES)
_CONCEPT_ROOTS = {group: frozenset(root(word) for word in words) for group, words in lexicon.CONCEPT_WORDS.items()}


def statement_key(text: str) -> str:
    """The same for texts that normalise alike."""
    from hashlib import blake2b

    return blake2b(normalise(text).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def subject_of(text: str) -> str:
    """What a statement is about, as a short phrase; "" when nothing sensible is found."""
    frame = frame_of(text)
    if frame.subject:
        return _phrase(frame.subject)
    sign = 1 if any(item.sign > 0 for item in frame.items) else -1
    items = [item for item in frame.items if item.sign == sign or item.antonym]
    for item in items:
        groups = lexicon.groups_of(item.alternative)
        if len(groups) == 1 and (groups[0] not in lexicon.SHARED or _names(frame, groups[0])):
            return groups[0]
    if frame.contrast and (shared := _shared_group(frame)):
        return shared
    order = frame.verb in ("work", "hold", "place", "several", "other") and len(items) > 1
    if order and PREPOSITIONS.isdisjoint((items[1].lead, items[1].raw.casefold())):
        items = items[1:]
    return _phrase(_first_chunk(items))


def _shared_group(frame: Frame) -> str:
    """What "bun, not npm" is about: bun alone could be four things, beside npm it is one."""
    named = [set(lexicon.groups_of(item.alternative)) for item in frame.items if item.alternative]
    shared = set.intersection(*named) if len(named) > 1 else set()
    return shared.pop() if len(shared) == 1 else ""


def _first_chunk(items: list[Item]) -> tuple[str, ...]:
    chunk: list[str] = []
    for item in items:
        ends = item.lead in PREPOSITIONS or item.lead in SEPARATORS or item.raw.casefold() in PREPOSITIONS
        if chunk and (ends or len(chunk) == 3):
            break
        chunk.append(item.raw)
    return tuple(chunk)


def subject_key(subject: str) -> str:
    """Equal for `deploy_target`, "Deploy targets" and `deployTarget`."""
    words = [word.casefold() for word in split_words(readable(subject))]
    return " ".join(singular_key(word) for word in words if word not in ARTICLES) or " ".join(words)


def is_hedged(text: str) -> bool:
    """Its author does not vouch for it: maybe, probably, I think."""
    return frame_of(text).hedged


def near_identical(a: str, b: str) -> bool:
    """They state the same: only order, stop words or inflection differ."""
    return normalise(a) == normalise(b) or _near(frame_of(a), frame_of(b))


def opposite(a: str, b: str) -> bool:
    """They cannot both hold. Precise rather than complete."""
    return relation(a, b) == "opposite"


def relation(a: str, b: str) -> Relation:
    """How two statements stand to each other; the same in both directions."""
    if normalise(a) == normalise(b):
        return "same"
    ours, theirs = frame_of(a), frame_of(b)
    if _near(ours, theirs):
        return "near"
    if _contradict(ours, theirs):
        return "opposite"
    return "related" if _related(a, b, ours, theirs) else "unrelated"


def _related(a: str, b: str, ours: Frame, theirs: Frame) -> bool:
    if similarity(a, b) >= RELATED:
        return True
    subject = subject_key(" ".join(ours.subject))
    if subject and subject == subject_key(" ".join(theirs.subject)):
        return True
    mine = {group for item in ours.items for group in lexicon.groups_of(item.alternative)}
    return any(group in mine for item in theirs.items for group in lexicon.groups_of(item.alternative))


def _phrase(words: tuple[str, ...]) -> str:
    """Words as written, but without the capital that only the sentence gave them."""
    if not words:
        return ""
    first = words[0]
    if (
        first[:1].isupper()
        and first[1:].islower()
        and (words[1][:1].islower() if len(words) > 1 else _is_common(first.lower()))
    ):
        words = (first.lower(), *words[1:])
    return "".join(words) if words[0][0] > "\u2e7f" else " ".join(words)


def _is_common(word: str) -> bool:
    return word.endswith(("s", "ing", "tion", "ment")) or word in lexicon.ROLES or lexicon.concepts(word) != ()


def _near(ours: Frame, theirs: Frame) -> bool:
    if not ours.signs or ours.signs != theirs.signs or ours.reason != theirs.reason:
        return False
    if (ours.tense, ours.hedged, ours.asks) != (theirs.tense, theirs.hedged, theirs.asks):
        return False
    if ours.owner != theirs.owner and ours.owner and theirs.owner:
        return False
    mine, yours = [item.raw for item in ours.items if item.code], [item.raw for item in theirs.items if item.code]
    if mine and yours and mine != yours:
        return False
    return _sequence(ours) == _sequence(theirs) or _reordered(ours, theirs)


def _sequence(frame: Frame) -> list[str]:
    """The words in order, what is asserted first: "this, not that" and "not that but this" are one."""
    return [item.key for item in sorted(frame.items, key=lambda item: -item.sign)]


def _reordered(ours: Frame, theirs: Frame) -> bool:
    """Another order says the same only where no name could have changed its place with another."""
    hard = {item.key for frame in (ours, theirs) for item in frame.items if item.hard}
    if len(hard) > 1 or not _DIRECTIONAL.isdisjoint(ours.signs):
        return False
    mine, yours = _before(ours), _before(theirs)
    return mine == yours or not mine or not yours


def _before(frame: Frame) -> list[str]:
    return [item.key for item in frame.items if not item.after]


def _contradict(ours: Frame, theirs: Frame) -> bool:
    """They cannot both hold. Precise rather than complete: a wrong conflict costs more than a missed one."""
    return _comparable(ours, theirs) and (
        _flipped(ours, theirs)
        or _corrected(ours, _asserted(theirs))
        or _corrected(theirs, _asserted(ours))
        or _other_alternative(ours, theirs)
        or _other_value(ours, theirs)
        or _other_holder(ours, theirs)
    )


def _comparable(ours: Frame, theirs: Frame) -> bool:
    if ours.hedged or theirs.hedged or ours.asks or theirs.asks or ours.tense != theirs.tense:
        return False
    return not (ours.owner and theirs.owner and ours.owner != theirs.owner)


def _flipped(ours: Frame, theirs: Frame) -> bool:
    """The same words, one of them denied in one statement and asserted in the other."""
    if ours.signs.keys() != theirs.signs.keys():
        return False
    changed = {key for key, sign in ours.signs.items() if sign * theirs.signs[key] < 0}
    if not changed:
        return False
    movable = {item.key for frame in (ours, theirs) for item in frame.items if item.antonym and not item.after}
    return not changed <= movable


def _corrected(ours: Frame, theirs: Frame) -> bool:
    """Ours says "this, not that"; theirs says "that", and nothing more."""
    if not theirs.signs or not theirs.signs.keys() < ours.signs.keys() or theirs.many:
        return False
    changed = {key for key, sign in theirs.signs.items() if sign * ours.signs[key] < 0}
    extra = [item for item in ours.items if item.key not in theirs.signs]
    if not changed or any(ours.signs[item.key] == ours.signs[key] for item in extra for key in changed):
        return False
    groups = {group for item in theirs.items if item.key in changed for group in lexicon.groups_of(item.alternative)}
    if all(groups.intersection(lexicon.groups_of(item.alternative)) for item in extra):
        return True
    return ours.contrast and len(extra) == 1


def _asserted(frame: Frame) -> Frame:
    """Of "this, not that" only "this": what was ruled out then is no part of what may be ruled out now."""
    items = tuple(item for item in frame.items if item.sign > 0)
    if not frame.contrast or not items or len(items) == len(frame.items):
        return frame
    return frame._replace(items=items, signs={item.key: frame.signs[item.key] for item in items})


def _other_alternative(ours: Frame, theirs: Frame) -> bool:
    """Each picks another member of one group, for the same purpose."""
    if ours.many or theirs.many or "several" in (ours.verb, theirs.verb):
        return False
    mine, yours = _chosen(ours), _chosen(theirs)
    for group in mine.keys() & yours.keys():
        if len(mine[group]) != 1 or len(yours[group]) != 1 or mine[group] == yours[group]:
            continue
        free = group not in lexicon.SHARED and all(
            len(lexicon.groups_of(name)) == 1 for name in (*mine[group], *yours[group])
        )
        rest = _rest(ours, group)
        if rest and "none" in (ours.verb, theirs.verb):
            continue
        if (free or (_names(ours, group) and _names(theirs, group))) and rest == _rest(theirs, group):
            return True
    return False


def _chosen(frame: Frame) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    if frame.verb in ("choose", "work", "place", "be", "none"):
        for item in frame.items:
            if item.alternative and item.sign > 0 and item.after:
                for group in lexicon.groups_of(item.alternative):
                    found.setdefault(group, set()).add(item.alternative)
    return found


def _names(frame: Frame, group: str) -> bool:
    return any(item.key in _CONCEPT_ROOTS[group] and not item.alternative for item in frame.items)


def _rest(frame: Frame, group: str) -> set[tuple[str, int]]:
    """What a statement says beyond its choice in this group."""
    rest = set()
    for item in frame.items:
        version = item.key[0].isdigit() and lexicon.canonical(item.lead) != ""
        if group in lexicon.groups_of(item.alternative) or item.key in _CONCEPT_ROOTS[group] or version:
            continue
        if item.key != "run":
            rest.add((item.key, item.sign))
    return rest


def _other_value(ours: Frame, theirs: Frame) -> bool:
    """The same statement up to one value behind the verb, where only one value can be right."""
    if ours.many or theirs.many or ours.verb != theirs.verb or ours.verb in ("several", "none"):
        return False
    start, mine, yours = _difference(ours.items, theirs.items)
    if not mine or not yours or max(len(mine), len(yours)) > 3 or {i.key for i in mine} & {i.key for i in yours}:
        return False
    if any(item.sign < 0 or not item.after for item in (*mine, *yours)):
        return False
    shared = ours.items[:start]
    if any(item.sign != other.sign for item, other in zip(shared, theirs.items, strict=False)):
        return False
    lead, other = mine[0].lead, yours[0].lead
    if lead != other and (lead in PREPOSITIONS or other in PREPOSITIONS):
        return False
    if ours.verb == "place" or (ours.verb == "be" and lead in ("in", "at", "on")):
        return ours.singular and theirs.singular and _same_sort(mine, yours)
    if not shared:
        return False
    if _is_number(mine[0].key) and _is_number(yours[0].key):
        return len(mine) == len(yours) == 1 and _other_number(mine[0], yours[0], shared[-1])
    if ours.verb in ("work", "choose") and lead == "with" and all(item.code for item in (*mine, *yours)):
        return not any(item.code for item in shared)
    return ours.verb == "be" and _other_name(shared, mine, yours)


def _same_sort(mine: tuple[Item, ...], yours: tuple[Item, ...]) -> bool:
    """Two paths, two times, two days, two names of places."""
    if not all(item.hard for item in (*mine, *yours)):
        return False
    one, other = mine[-1], yours[-1]
    if one.alternative or other.alternative:
        return not set(lexicon.groups_of(one.alternative)).isdisjoint(lexicon.groups_of(other.alternative))
    paths = [any(mark in item.raw for mark in "/.") for item in (one, other)]
    return paths[0] == paths[1] and _is_number(one.key) == _is_number(other.key)


def _difference(ours: tuple[Item, ...], theirs: tuple[Item, ...]) -> tuple[int, tuple[Item, ...], tuple[Item, ...]]:
    """Where two sequences begin to differ, and what stands there until they agree again."""
    shortest = min(len(ours), len(theirs))
    start = 0
    while start < shortest and ours[start].key == theirs[start].key:
        start += 1
    end = 0
    while end < shortest - start and ours[-1 - end].key == theirs[-1 - end].key:
        end += 1
    return start, ours[start : len(ours) - end], theirs[start : len(theirs) - end]


def _is_number(key: str) -> bool:
    return key[0].isdigit() or (key[0] in "v-$" and key[1:2].isdigit())


def _other_number(mine: Item, yours: Item, before: Item) -> bool:
    units = [item.key.lstrip("v$-").strip("0123456789.,:") for item in (mine, yours)]
    longer, shorter = sorted((mine.key, yours.key), key=len, reverse=True)
    return units[0] == units[1] and not longer.startswith(shorter + ".") and before.key not in _NUMBERED


def _other_name(shared: tuple[Item, ...], mine: tuple[Item, ...], yours: tuple[Item, ...]) -> bool:
    subject = [item for item in shared if not item.after]
    if len(subject) != len(shared) or not (subject[-1].key in _ROLES or subject[0].raw in lexicon.SINGLE):
        return False
    values = (*mine, *yours)
    if all(item.hard for item in values):
        return True
    if subject[-1].key not in _LABELS or len(values) > 2:
        return False
    return not any(item.antonym or (item.raw.endswith(_STATES) and not item.hard) for item in values)


def _other_holder(ours: Frame, theirs: Frame) -> bool:
    """Two names for what one person does: approves the budget, is the lead."""
    if ours.many or theirs.many or ours.verb != theirs.verb:
        return False
    if ours.verb != "hold" and not (ours.verb == "be" and ours.definite and theirs.definite):
        return False
    mine = [item for item in ours.items if not item.after]
    yours = [item for item in theirs.items if not item.after]
    if not mine or not yours or not all(item.raw[0].isupper() or item.raw[0] > "\u2e7f" for item in (*mine, *yours)):
        return False
    if {item.key for item in mine} & {item.key for item in yours}:
        return False
    held = [(item.key, item.sign) for item in ours.items if item.after]
    return bool(held) and held == [(item.key, item.sign) for item in theirs.items if item.after]
