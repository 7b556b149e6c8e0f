"""From a user's message to what the index is asked."""

from __future__ import annotations

from functools import lru_cache

from recollect.model.recall import Query
from recollect.text.fences import strip_fences
from recollect.text.language.commonwords import FUNCTION_WORDS, is_common
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import IGNORECASE, lazy
from recollect.text.terms import TOPIC_MARK, compounds_in, name_token, names_in, query_terms, shorten
from recollect.text.unseen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

_HOSTS_TAG = lazy(r"<(/?)(skill|command-[a-z]+|system-reminder)\b([^<>]*)>")
_HISTORY = lazy(
    r"\b(yesterday|previous(ly)?|earlier|history|last (time|week|month|session|year|monday|tuesday|wednesday|thursday"
    r"|friday|saturday|sunday)|the other day|(days?|weeks?|months?) ago|back then"
    r"|(did|have|had|were|was) (we|i|you) (\w+ )?(already|before|do|did|fix|solve|decide|change|try|use|discuss|talk)"
    r"|when did|how did (we|i|you)|why did (we|i|you)|what did (we|i|you)|remember when)\b",
    IGNORECASE,
)

# One of these stands in whatever the pattern matches.
_HISTORY_WORDS = (
    "yesterday", "previous", "earlier", "history", "last ", "the other day", " ago", "back then", "did", "have ",
    "had ", "were ", "was ", "remember when",
)  # fmt: skip

SHORTEST_MISSPELLED = 4
MOST_MISSPELLED = 5
MOST_REASONS = 8
SAME_BEGINNING = 3  # the mark of a name and its first two letters: slips are rare there


def understand(message: str, name_heads: AbstractSet[str] | None = None) -> Query:
    """What the user asks about: without skill bodies and without what Recollect itself put there.

    Who knows how names begin spares those of several words that nothing is called."""
    text = own_words(message)
    terms = query_terms(text)
    return Query(
        text,
        tuple(terms),
        names_in(text, name_heads),
        compounds_in(text),
        {TOPIC_MARK + term: term for term in terms if is_common(term)},
        asks_history(text),
    )


def asks_history(text: str) -> bool:
    """Does the message ask about the past?"""
    text = shorten(text)
    low = text.lower()
    # A look for the words first: most messages hold none of them, and compiling the pattern takes longer than recall.
    return any(word in low for word in _HISTORY_WORDS) and _HISTORY.search(text) is not None


def own_words(message: str) -> str:
    """A message without skill bodies and without what Recollect itself put there."""
    text = strip_fences(visible(message))
    return _without_bodies(text) if "<" in text else text


def _without_bodies(text: str) -> str:
    """The text without what stands between such a tag and its next end; one way through, however many there are."""
    tags = list(_HOSTS_TAG.finditer(text))
    ends: dict[str, list[re.Match[str]]] = {}
    for tag in reversed(tags):
        if tag[1] and not tag[3]:
            ends.setdefault(tag[2], []).append(tag)
    kept, at = [], 0
    for tag in tags:
        waiting = ends.get(tag[2], ())
        if tag[1] or tag.start() < at:
            continue
        while waiting and waiting[-1].start() < tag.end():
            waiting.pop()
        if waiting:
            kept += [text[at : tag.start()], " "]
            at = waiting[-1].end()
    return "".join([*kept, text[at:]])


def reasons(names: Sequence[str], words: Sequence[str]) -> str:
    """Why an entry came: its names that were found, and the other words of the query, each once."""
    shown: dict[str, str] = {}
    inside = {name_token(word) for name in names for word in name.split()} - {""}
    others = [word for word in words if name_token(word) not in inside] if inside else words
    for word in (*names, *others):
        last = next(reversed(shown), "")
        if len(word) == 2 and last and not word.isascii() and shown[last][-1] == word[0]:
            # Two pairs of unspaced characters that overlap are one word.
            shown[last] += word[1]
        else:
            shown.setdefault(word.casefold(), word)
    return ", ".join(list(shown.values())[:MOST_REASONS])


def respell(query: Query, known: dict[str, int], spelled_like: Callable[[str, int, int], list[str]]) -> list[str]:
    """Names that a word of the query was meant to be: one slip apart, and the word itself is known nowhere."""
    found: list[str] = []
    for word in _unknown(query, known):
        similar = spelled_like(word[:SAME_BEGINNING], len(word) - 2, len(word) + 1)
        # Names are kept without their plural: `postgress` was meant to be Postgres.
        found += [other for other in similar if one_slip(word, other) or one_slip(word, other + "s")]
    return found


def misspelled(query: Query, known: dict[str, int], spelled_like: Callable[[str, int, int], list[str]]) -> list[str]:
    """Terms that a word of the query was meant to be: one slip apart, as it was typed or as its stem, and the word
    itself is known nowhere."""
    found: dict[str, None] = {}
    for name in _unknown(query, known):
        word, (term,) = name[1:], query.names[name]
        # The second and third letter may be the ones that were swapped.
        for beginning in {word[:2], word[0] + word[2]}:
            similar = spelled_like(beginning, max(len(term) - 1, SHORTEST_MISSPELLED), len(word) + 1)
            found.update(dict.fromkeys([other for other in similar if one_slip(word, other) or one_slip(term, other)]))
    return list(found)


def translated(query: Query, known: dict[str, int]) -> dict[str, str]:
    """Words of the trade in English, each with the word of the prompt that it stands for: where the prompt is in
    another language, and nothing stored has that word."""
    unknown = [term for term in query.terms if term not in known and not is_common(term)]
    if not unknown or not any(map(_is_foreign, query.terms)):
        return {}
    # Imported here: most prompts are in English.
    from recollect.text.language.trade_words import in_english

    return {english: word for word in unknown for english in in_english(word)}


def _is_foreign(term: str) -> bool:
    return (term in FUNCTION_WORDS and term not in STOPWORDS) or not term.isascii()


def _unknown(query: Query, known: dict[str, int]) -> list[str]:
    """Words of the query that are known nowhere and may be misspelled, as the names that they would be."""
    unknown = [
        name
        for name, terms in query.names.items()
        if len(terms) == 1 and name not in known and terms[0] not in known and _may_be_misspelled(name, terms[0])
    ]
    return unknown[:MOST_MISSPELLED]


def _may_be_misspelled(name: str, term: str) -> bool:
    plain = name[1:]
    return len(plain) >= SHORTEST_MISSPELLED and plain.isalpha() and plain not in STOPWORDS and not is_common(term)


def one_slip(left: str, right: str) -> bool:
    """Do the words differ by one letter added, dropped, changed, or by two neighbours swapped?"""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    start = 0
    shortest = min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    a, b = left[start:], right[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer[1:] == shorter


def concept_names(query: Query) -> dict[str, set[str]]:
    """Names of what the words of the query are about, each with the terms that say so: `install` and `dependencies`
    are about the package manager."""
    # Imported here: most prompts name something, and then nobody asks for this table.
    from recollect.text.language.lexicon import CONCEPT_TERMS

    found: dict[str, set[str]] = {}
    for name, terms in query.names.items():
        if len(terms) == 1 and name[1:] in CONCEPT_TERMS:
            for concept in _concepts(name[1:]):
                found.setdefault(concept, set()).update(terms)
    return found


@lru_cache(maxsize=1_000)
def _concepts(word: str) -> list[str]:
    from recollect.text.language.lexicon import GROUPS, concepts

    return [name_token(concept) for concept in concepts(word) if concept in GROUPS]
