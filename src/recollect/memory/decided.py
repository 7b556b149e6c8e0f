"""What was decided, as far as a question asks for it. Pure."""

from __future__ import annotations

from recollect.memory.later import About
from recollect.text.language.commonwords import is_common
from recollect.text.language.decisions import SAYS_LITTLE, is_decision, sentences_of
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_READ = 12_000
_PREFIX = 6  # of a term: enough to see whether a text may hold it


def decided_about(texts: Iterable[str], asked: Iterable[str]) -> About:
    """What these texts decide of what is asked for; what any question about a decision says does not count."""
    wanted = {word for word in asked if word not in SAYS_LITTLE}
    said: list[str] = []
    for text in texts:
        low = text[:LONGEST_READ].lower()
        if any(word[:_PREFIX] in low for word in wanted):
            said += filter(is_decision, sentences_of(text[:LONGEST_READ]))
    return spoken_of(said, wanted)


def spoken_of(sentences: Iterable[str], asked: Iterable[str]) -> About:
    """What of what is asked for these sentences speak of, and what those that do name besides."""
    wanted = {word for word in asked if word not in SAYS_LITTLE}
    found: set[str] = set()
    names: set[str] = set()
    for sentence in sentences:
        words = set(terms(sentence))
        if not words.isdisjoint(wanted):
            found |= words & wanted
            names |= {word for word in words - wanted if word not in STOPWORDS and not is_common(word)}
    return About(frozenset(found), frozenset(names))
