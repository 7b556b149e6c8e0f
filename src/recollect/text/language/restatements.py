"""Whether a statement says again what another one said, in whatever words: for what was retired and must stay so.

Wider than "near": verbs that say little, words for what a choice is about, and the order may differ. Whatever one of
them adds makes it another statement.
"""

from __future__ import annotations

from recollect.text.language import lexicon
from recollect.text.language.frames import Frame, Item, frame_of
from recollect.text.language.opposites import CONCEPT_ROOTS, claims, is_number
from recollect.text.language.statements import DIRECTIONAL, near_identical
from recollect.text.patterns import lazy
from recollect.text.similarity import root

_NAMED = lazy(r"\b(?:is|are) (?:called|named)\b")
_LITTLE = frozenset(
    root(word)
    for word in (
        "run use live set keep listen serve start go come happen do have host name call tool number value where user "
        "by from get work prefer preferred file"
    ).split()
)


def restates(statement: str, other: str) -> bool:
    """Do they say the same of the same thing? Hedged or not, one does not bring back the other."""
    if near_identical(statement, other):
        return True
    ours, theirs = frame_of(_NAMED.sub("is", statement)), frame_of(_NAMED.sub("is", other))
    if ours.asks or theirs.asks or ours.tense != theirs.tense or ours.reason != theirs.reason:
        return False
    if ours.owner and theirs.owner and ours.owner != theirs.owner:
        return False
    if _core(ours) != _core(theirs):
        return False
    # Said at the beginning of a sentence, a name looks like any word.
    names = {item.key for frame in (ours, theirs) for item in frame.items if item.hard or is_number(item.key)}
    if names.isdisjoint(_core(ours)) or _code(ours) != _code(theirs):
        return False
    return list(_core(ours)) == list(_core(theirs)) or not (_needs_order(ours, names) or _needs_order(theirs, names))


def _code(frame: Frame) -> list[str]:
    return [item.raw for item in frame.items if item.code]


def _core(frame: Frame) -> dict[str, int]:
    """What a statement cannot do without: its keys, asserted or denied."""
    groups = {group for item in frame.items for group in lexicon.groups_of(item.alternative)}
    about = frozenset().union(*(CONCEPT_ROOTS[group] for group in groups))
    signs = claims(frame)
    return {item.key: signs[item.key] for item in frame.items if not _is_dispensable(item, about)}


def _is_dispensable(item: Item, about: frozenset[str]) -> bool:
    return not item.alternative and not item.code and (item.key in about or item.key in _LITTLE)


def _needs_order(frame: Frame, names: set[str]) -> bool:
    """Whoever changes the places of two people or two tools says something else, and so does "from here to there"."""
    core = _core(frame)
    kinds = [_kind(item) for item in frame.items if item.key in names and item.key in core and not item.code]
    return len(kinds) > len(set(kinds)) or any(item.key in DIRECTIONAL for item in frame.items)


def _kind(item: Item) -> str:
    return "choice" if item.alternative else "number" if is_number(item.key) else "name"
