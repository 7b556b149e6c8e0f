"""When two statements cannot both hold. Precise rather than complete: a wrong conflict costs more than a missed one."""

from __future__ import annotations

from recollect.text.language import lexicon
from recollect.text.language.frames import PREPOSITIONS, Frame, Item
from recollect.text.similarity import root

_NUMBERED = frozenset(map(root, "issue pr ticket step section chapter page line bug item case phase".split()))
_TONGUE = "language of communication"
_STATES = ("ed", "ing", "able", "ible", "ful", "ive", "less", "ous", "y")
_LABELS = frozenset(map(root, lexicon.LABELS))
_ROLES = frozenset(root(word) for word in lexicon.ROLES)
CONCEPT_ROOTS = {group: frozenset(root(word) for word in words) for group, words in lexicon.CONCEPT_WORDS.items()}


def contradict(ours: Frame, theirs: Frame) -> bool:
    """They cannot both hold."""
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
    mine, yours = claims(ours), claims(theirs)
    changed = {key for key, sign in mine.items() if sign * yours[key] < 0}
    # A private key and a public one are two things.
    others = {item.key for frame in (ours, theirs) for item in frame.items if item.antonym and not item.after}
    return bool(changed) and changed.isdisjoint(others)


def claims(frame: Frame) -> dict[str, int]:
    """What is asserted and denied, whichever side of the verb it stands on: "secrets are never committed" denies of
    secrets what "never commit secrets" denies."""
    behind = [item.sign for item in frame.items if item.after and not item.antonym]
    if frame.contrast or not behind or max(behind) > 0:
        return frame.signs
    denied = {item.key: -1 for item in frame.items if not item.after and not item.antonym and item.sign > 0}
    return {**frame.signs, **denied}


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
    return any(
        (_excludes(ours, group) and _excludes(theirs, group))
        or (group == _TONGUE and _is_written_in(ours, theirs))
        or (names_group(ours, group) and names_group(theirs, group))
        for group in _chosen_otherwise(ours, theirs)
    )


def takes_its_place(ours: Frame, theirs: Frame) -> bool:
    """Said as a correction: "we use bun" may be about four things, and theirs, "we use pnpm", tells about which."""
    return _comparable(ours, theirs) and any(_excludes(theirs, group) for group in _chosen_otherwise(ours, theirs))


def _chosen_otherwise(ours: Frame, theirs: Frame) -> list[str]:
    """The groups of which each of them picks one, and not the same, for the same purpose."""
    if ours.many or theirs.many or not {"several", "need"}.isdisjoint((ours.verb, theirs.verb)):
        return []
    mine, yours = _chosen(ours), _chosen(theirs)
    found = []
    for group in mine.keys() & yours.keys():
        if len(mine[group]) == 1 == len(yours[group]) and mine[group] != yours[group]:
            rest = _rest(ours, group)
            if rest == _rest(theirs, group) and not (rest and "none" in (ours.verb, theirs.verb)):
                found.append(group)
    return found


def _excludes(frame: Frame, group: str) -> bool:
    """Does it choose within this group and no other? Bun alone could be four things, "bun, not npm" is one."""
    if group in lexicon.SHARED:
        return False
    chosen = [lexicon.groups_of(item.alternative) for item in frame.items if item.alternative and item.sign > 0]
    return any(groups == (group,) for groups in chosen) or shared_group(frame) == group


def _is_written_in(ours: Frame, theirs: Frame) -> bool:
    """ "Comments are in English": of one kind of text, and not what it is available in."""
    items = (*ours.items, *theirs.items)
    languages = [item for item in items if _TONGUE in lexicon.groups_of(item.alternative)]
    if ours.verb not in ("be", "work") or len(ours.signs) > 3 or any(item.raw.endswith("able") for item in items):
        return False
    return all(item.lead == "in" for item in languages)


def _chosen(frame: Frame) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    if frame.verb in ("choose", "work", "place", "be", "none"):
        for item in frame.items:
            if item.alternative and item.sign > 0 and item.after:
                for group in lexicon.groups_of(item.alternative):
                    found.setdefault(group, set()).add(item.alternative)
    return found


def shared_group(frame: Frame) -> str:
    """What "bun, not npm" is about: bun alone could be four things, beside npm it is one."""
    named = [set(lexicon.groups_of(item.alternative)) for item in frame.items if item.alternative]
    shared = set.intersection(*named) if len(named) > 1 else set()
    return shared.pop() if len(shared) == 1 else ""


def names_group(frame: Frame, group: str) -> bool:
    return any(item.key in CONCEPT_ROOTS[group] and not item.alternative for item in frame.items)


def _rest(frame: Frame, group: str) -> set[tuple[str, int]]:
    """What a statement says beyond its choice in this group."""
    rest = set()
    for item in frame.items:
        version = item.key[0].isdigit() and lexicon.canonical(item.lead) != ""
        if group in lexicon.groups_of(item.alternative) or item.key in CONCEPT_ROOTS[group] or version:
            continue
        if item.key != "run":
            rest.add((item.key, item.sign))
    return rest


def _other_value(ours: Frame, theirs: Frame) -> bool:
    """The same statement up to one value behind the verb, where only one value can be right."""
    if ours.many or theirs.many or ours.verb != theirs.verb or ours.verb == "several":
        return False
    start, mine, yours = difference(ours.items, theirs.items)
    if ours.verb == "none" and not (len(ours.items) == len(theirs.items) == 2 and ours.items[0].key in _ROLES):
        return False  # of what has no verb only "port 3000" tells one thing
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
        # Tests live in several folders; keys in the vault or in a file.
        chosen = ours.verb == "place" and mine[-1].alternative != "" != yours[-1].alternative
        return ((ours.singular and theirs.singular) or chosen) and _same_sort(mine, yours)
    if not shared:
        return False
    if is_number(mine[0].key) and is_number(yours[0].key):
        return len(mine) == len(yours) == 1 and other_number(mine[0], yours[0]) and shared[-1].key not in _NUMBERED
    if ours.verb in ("work", "choose") and lead == "with" and all(item.code for item in (*mine, *yours)):
        return not any(item.code for item in shared)
    return ours.verb == "be" and _other_name(shared, mine, yours)


def _same_sort(mine: tuple[Item, ...], yours: tuple[Item, ...]) -> bool:
    """Two paths, two times, two days, two names of places."""
    if not all(item.hard for item in (*mine, *yours)):
        return False
    one, other = mine[-1], yours[-1]
    if one.alternative and other.alternative:
        return not set(lexicon.groups_of(one.alternative)).isdisjoint(lexicon.groups_of(other.alternative))
    paths = [any(mark in item.raw for mark in "/.") for item in (one, other)]
    return paths[0] == paths[1] and is_number(one.key) == is_number(other.key)


def difference(ours: tuple[Item, ...], theirs: tuple[Item, ...]) -> tuple[int, tuple[Item, ...], tuple[Item, ...]]:
    """Where two sequences begin to differ, and what stands there until they agree again."""
    shortest = min(len(ours), len(theirs))
    start = 0
    while start < shortest and ours[start].key == theirs[start].key:
        start += 1
    end = 0
    while end < shortest - start and ours[-1 - end].key == theirs[-1 - end].key:
        end += 1
    return start, ours[start : len(ours) - end], theirs[start : len(theirs) - end]


def is_number(key: str) -> bool:
    """A number, a version, an amount."""
    return key[0].isdigit() or (key[0] in "v-$" and key[1:2].isdigit())


def other_number(mine: Item, yours: Item) -> bool:
    """Two numbers of one kind, and neither is the other one more exactly."""
    units = [item.key.lstrip("v$-").strip("0123456789.,:") for item in (mine, yours)]
    longer, shorter = sorted((mine.key, yours.key), key=len, reverse=True)
    return units[0] == units[1] and not longer.startswith(shorter + ".")


def _other_name(shared: tuple[Item, ...], mine: tuple[Item, ...], yours: tuple[Item, ...]) -> bool:
    if not is_one(shared):
        return False
    values = (*mine, *yours)
    if all(item.hard for item in values):
        return True
    return shared[-1].key in _LABELS and len(values) == 2 and not states(*values)


def is_one(shared: tuple[Item, ...]) -> bool:
    """Is this a thing of which there is one: a port, a default, a main something?"""
    if not shared or any(item.after for item in shared):
        return False
    return shared[-1].key in _ROLES or shared[0].raw in lexicon.SINGLE


def states(*values: Item) -> bool:
    """Is one of these how a thing is, and not what it is? It can be fast and public."""
    return any(item.antonym or (item.raw.endswith(_STATES) and not item.hard) for item in values)


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
