"""Names of more than one word: half of one is never replaced, and no name is put beside another. Pure."""

from __future__ import annotations

from itertools import pairwise

from recollect.memory.correcting.values import kind_of
from recollect.text.language.frames import VERBS
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.language.stopwords_elsewhere import ELSEWHERE
from recollect.text.patterns import lazy
from recollect.text.similarity import root

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from recollect.memory.correcting.changes import Change

_WORD = lazy(r"[^\W_][\w’'-]*(?:\.\w+)*")
_LEADS = frozenset("never always only please ask nobody everybody".split())


def halves_a_name(change: Change, statement: str) -> bool:
    """Is what is replaced a part of a longer name: "GitHub" of "GitHub Actions"?"""
    inside = range(change.start, change.end)
    return any((one.start() in inside) != (other.start() in inside) for one, other in _side_by_side(statement))


def joins_names(text: str, *known: str) -> bool:
    """Do two names stand side by side that do so in no text that is known?"""
    pairs = {(one[0], other[0]) for each in known for one, other in _side_by_side(each)}
    return any((one[0], other[0]) not in pairs for one, other in _side_by_side(text))


def _side_by_side(text: str) -> list[tuple[re.Match[str], re.Match[str]]]:
    """The names that only a space stands between."""
    names = [found for found in _WORD.finditer(text) if kind_of(found[0]) == "name" and not _leads(found, text)]
    return [(one, other) for one, other in pairwise(names) if text[one.end() : other.start()] == " "]


def _leads(word: re.Match[str], text: str) -> bool:
    """Has it its capital from the sentence that it begins: "Ask Ana"?"""
    before, bare = text[: word.start()].rstrip(), word[0].casefold()
    is_first = not before or before[-1] in ".!?:;"
    return is_first and (bare in STOPWORDS or bare in ELSEWHERE or bare in _LEADS or root(bare) in VERBS)
