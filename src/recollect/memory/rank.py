"""How well an entry answers a query. Pure: time and frequencies come in."""

from __future__ import annotations

from math import fsum

from recollect.model.receipts import Parts
from recollect.model.record import Record
from recollect.store.index import ALL, rarity
from recollect.text.commonwords import COMMON_STEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.recall import Query
    from recollect.store.entries import Brief

TRUST = {"user": 1.15, "agent": 1.0, "system": 0.85}
CORRECTION_TRUST = 1.3
CORRECTION_TAG = "correction"
CHECK = {"verified": 1.05, "unchecked": 1.0, "changed": 0.7, "gone": 0.5}

SMALLEST_STORE = 200  # in fewer entries than this nothing can be said about how rare a word is
LARGEST_STORE = 10_000  # in more entries than this, what it takes to be relevant no longer rises
COMMON_WEIGHT = 0.25  # what a common word tells, against a rare one
NAME_WEIGHT = 2.0  # a whole subject or alias is worth two words as rare as it is
LONG_QUERY = 6.0  # about as much as six rare words ask; what a query asks beyond counts less and less
COMPOUND_SHARE = 0.25  # what an identifier whole is worth at least, beside its words
TYPICAL_WORDS = 25
LENGTH_SHARE = 0.25  # how far the length of an entry bends what its words are worth
LONGEST = 4.0  # times the typical length; beyond that, length says no more
MENTION_SHARE = 0.6
CONCEPT_SHARE = 0.5  # what a query is about without naming it is worth half a name
STRONG = 2.0  # this many times the floor brings archive entries without being asked
RECENCY_SHARE = 0.2
RECENCY_DAYS = 90.0
MARKS = "=@"  # of names and partitions: tokens that are no words
SAME_SHARE = 0.85  # entries that share this part of their words say the same
SECONDS_PER_DAY = 86_400.0


class Weights(Record):
    """What each term of a query is worth, on a scale where the rarest word is 1, and what one is worth to the floor."""

    terms: dict[str, float]
    names: dict[str, float]
    total: float
    scale: float = 1.0


class Evidence(Record):
    """Why an entry matches: the names found whole; how much they and the loose words are, and how much of the query."""

    names: tuple[str, ...]
    strength: float  # orders the entries of one query
    relevance: float  # with what the words cover: comes in or stays below the floor


def weigh(query: Query, names: Sequence[str], frequencies: dict[str, int], *, share: float = 1.0) -> Weights:
    """Rare words tell more than frequent ones, common English words little in a store of any size."""
    entries = max(frequencies.get(ALL, 0), SMALLEST_STORE)
    most = rarity(1, entries)
    terms = {}
    for term in query.terms:
        # A word that stands in no entry still counts as asked for: it lowers what the others cover.
        weight = rarity(max(frequencies.get(term, 0), 1), entries) / most
        terms[term] = min(weight, COMMON_WEIGHT) if term in COMMON_STEMS else weight
    for whole, parts in query.compounds.items():
        # Who has an identifier has its words too: it is worth what they do not tell already.
        told = sum([terms[part] for part in set(parts) if part != whole])
        terms[whole] = max(terms[whole] - told, COMPOUND_SHARE * terms[whole])
    weighed_names = {
        name: share * NAME_WEIGHT * _telling(name, query, frequencies, entries) / most
        for name in names
        if name in frequencies
    }
    scale = most / rarity(1, min(entries, LARGEST_STORE))
    return Weights(terms, weighed_names, sum(terms.values()) or 1.0, scale)


def _telling(name: str, query: Query, frequencies: dict[str, int], entries: int) -> float:
    """How rare a name is: no rarer than its words together, for `test` is said often where one entry is called so."""
    own = rarity(frequencies[name], entries)
    words = [rarity(frequencies[term], entries) for term in query.names.get(name, ()) if term in frequencies]
    return min(own, sum(words)) if words else own


def judge(tokens: AbstractSet[str], weights: Weights) -> Evidence:
    """The evidence that an entry with these index tokens holds for a query."""
    worth = weights.terms
    # Exact whatever the order: a set has none, and two runs must agree.
    mass = fsum([worth[term] for term in worth.keys() & tokens])
    names = tuple([name for name in weights.names if name in tokens]) if weights.names else ()
    named = sum([weights.names[name] for name in names]) if names else 0.0
    covered = (mass / _asked(weights.total)) ** 0.5
    return Evidence(names, named + mass * brevity(len(tokens)), weights.scale * (named + mass * covered))


def brevity(tokens: int) -> float:
    """What a match in an entry of so many words is worth: a long one meets many words by chance."""
    return 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * min(tokens / TYPICAL_WORDS, LONGEST))


def _asked(total: float) -> float:
    """How much of a query an entry has to cover: of a long one less, for it speaks of more than one thing."""
    return total if total <= LONG_QUERY else (LONG_QUERY * total) ** 0.5


def without_mentions(weights: Weights, named: set[str], query: Query) -> Weights:
    """Where the query names an entry whole, the same word inside another entry is only a mention of it."""
    spoken_for = {term for name in named for term in query.names.get(name, ())}
    return weights._replace(
        terms={term: weight * MENTION_SHARE if term in spoken_for else weight for term, weight in weights.terms.items()}
    )


def score(brief: Brief, evidence: Evidence, *, check: str, now: float) -> Parts:
    """Relevance first; trust, age, votes and the check only bend it."""
    trust = CORRECTION_TRUST if brief.tags and f'"{CORRECTION_TAG}"' in brief.tags else TRUST[brief.source]
    age_days = max(now - max(brief.updated, brief.last_used), 0.0) / SECONDS_PER_DAY
    recency = 1 - RECENCY_SHARE + RECENCY_SHARE * 0.5 ** (age_days / RECENCY_DAYS)
    voted = brief.votes_up or brief.votes_down
    votes = min(max(1 + 0.05 * brief.votes_up - 0.10 * brief.votes_down, 0.3), 1.5) if voted else 1.0
    return Parts(evidence.strength, trust, recency, votes, CHECK[check])


def words_of(tokens: set[str]) -> set[str]:
    """The index tokens of an entry that are words of what it says."""
    return {token for token in tokens if token[0] not in MARKS}


def says_the_same(left: set[str], right: set[str]) -> bool:
    """Do two entries consist of nearly the same words, and of the same numbers?"""
    if min(len(left), len(right)) < SAME_SHARE * max(len(left), len(right)):
        return False
    common = len(left & right)
    if common < SAME_SHARE * (len(left) + len(right) - common):
        return False
    return not any(character.isdigit() for token in left ^ right for character in token)
