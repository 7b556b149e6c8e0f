"""How well an entry answers a query. Pure: time and frequencies come in."""

from __future__ import annotations

from math import ceil, fsum, sqrt

from recollect.model.receipts import Parts
from recollect.model.record import Record
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.relevance import brevity, rarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.model.entries import Entry
    from recollect.model.recall import Frequencies, Query

TRUST = {"user": 1.15, "agent": 1.0, "system": 0.85}
CORRECTION_TRUST = 1.3
CORRECTION_TAG = "correction"
CHECK = {"verified": 1.05, "cited": 1.02, "unchecked": 1.0, "changed": 0.7, "gone": 0.5}

SMALLEST_STORE = 200  # in fewer entries than this nothing can be said about how rare a word is
LARGEST_STORE = 10_000  # in more entries than this, what it takes to be relevant no longer rises
COMMON_WEIGHT = 0.25  # what a common word tells, against a rare one
ALL_COMMON = 2.0  # times that, where a query has no other words
NAME_WEIGHT = 2.0  # a whole subject or alias is worth two words as rare as it is
LONG_QUERY = 6.0  # about as much as six rare words ask; what a query asks beyond counts less and less
COMPOUND_SHARE = 0.1  # what an identifier whole is worth at least, beside its words
MENTION_SHARE = 0.6  # what a name tells of an entry that only mentions it, where the query names another one so
PART_SHARE = 0.3  # what a part of such a name tells
IMPLIED_SHARE = 0.6  # what a query is about without naming it is worth this much of a name, if it asks nothing else
STRONG = 2.0  # this many times the floor brings archive entries without being asked
RECENCY_SHARE = 0.2
RECENCY_DAYS = 90.0
MARKS = "=#"  # of names and topics: tokens that are no words
SAME_SHARE = 0.85  # entries that share this part of their words say the same
SECONDS_PER_DAY = 86_400.0
GRAINS = 32  # in what one is worth: whole numbers that are small add up fast, and to the same in any order


class Weights(Record):
    """What each term of a query is worth, on a scale where the rarest word is 1, and what one is worth to the floor."""

    terms: dict[str, float]
    names: dict[str, float]
    topics: dict[str, float]
    compounds: dict[str, frozenset[str]]  # identifiers with more than one word inside, all of them known
    total: float
    scale: float = 1.0

    @property
    def grains(self) -> dict[str, int]:
        """Names, topics and terms, each with the most that it may tell, rounded up: the rarest word of an identifier
        also what that is worth whole, for it may be there in another spelling."""
        found = {**self.names, **self.topics, **self.terms}
        anywhere = 0.0
        for whole, parts in self.compounds.items():
            # Not a word that is such an identifier itself, and may be there in another spelling too.
            plain = sorted(parts - self.compounds.keys())
            if plain and parts <= self.terms.keys():
                found[max(plain, key=self.terms.__getitem__)] += self.terms[whole]
            elif not plain:
                anywhere += self.terms[whole]
        return {token: ceil(GRAINS * (weight + anywhere)) for token, weight in found.items()}


class Evidence(Record):
    """Why an entry matches: the names found whole; how much they and the loose words are, and how much of the query."""

    names: tuple[str, ...]
    strength: float  # orders the entries of one query
    relevance: float  # with what the words cover: comes in or stays below the floor


def weigh(
    query: Query, names: Sequence[str], frequencies: Frequencies, implied: dict[str, set[str]] | None = None
) -> Weights:
    """Rare words tell more than frequent ones, common English words little in a store of any size; of the names those
    that are only implied, by some terms, count as far as these are what is asked."""
    entries, known = max(frequencies.total, SMALLEST_STORE), frequencies.terms
    most = rarity(1, entries)
    common = set(query.topics.values())
    # Where there are no others they are all that is asked: two of three are something, one alone is still nothing.
    most_common = COMMON_WEIGHT * (ALL_COMMON if len(common) == len(query.terms) else 1.0)
    terms = {}
    for term in query.terms:
        # A word that stands in no entry still counts as asked for: it lowers what the others cover.
        weight = rarity(known.get(term) or 1, entries) / most
        terms[term] = most_common if weight > most_common and term in common else weight
    if query.compounds:
        _weigh_compounds(terms, query)
    total = sum(terms.values()) or 1.0
    weighed_names = {}
    for name in names:
        if name in known:
            weight = NAME_WEIGHT * _telling(name, query, known, entries) / most
            if implied and name in implied:
                weight *= IMPLIED_SHARE * covered(sum([terms[term] for term in implied[name] if term in terms]), total)
            weighed_names[name] = weight
    topics = {
        topic: IMPLIED_SHARE * NAME_WEIGHT * rarity(known[topic], entries) / most
        for topic in query.topics
        if topic in known
    }
    scale = most / rarity(1, min(entries, LARGEST_STORE))
    compounds = {
        whole: frozenset(parts)
        for whole, parts in query.compounds.items()
        if len(parts) > 1 and all(part in known for part in parts)
    }
    return Weights(terms, weighed_names, topics, compounds, total, scale)


def _weigh_compounds(terms: dict[str, float], query: Query) -> None:
    """An identifier is one word: with those inside it, it is worth hardly more than it is alone. So its words are
    together worth no more than it, unless they stand elsewhere too, and it is worth what they do not tell already."""
    alone = {stems[0] for stems in query.names.values() if len(stems) == 1}
    for whole, parts in query.compounds.items():
        inside = [part for part in dict.fromkeys(parts) if part != whole]
        spelled = [part for part in inside if part not in alone]
        own, together = terms[whole], sum([terms[part] for part in spelled])
        if together > own:
            for part in spelled:
                terms[part] *= own / together
        terms[whole] = max(own - sum([terms[part] for part in inside]), COMPOUND_SHARE * own)


def _telling(name: str, query: Query, frequencies: Mapping[str, int], entries: int) -> float:
    """How rare a name is: no rarer than its words together, for `test` is said often where one entry is called so."""
    own = rarity(frequencies[name], entries)
    words = [rarity(frequencies[term], entries) for term in query.names.get(name, ()) if term in frequencies]
    return min(own, sum(words)) if words else own


def judge(tokens: AbstractSet[str], weights: Weights, spoken_for: dict[str, float] | None = None) -> Evidence:
    """The evidence that an entry with these index tokens holds for a query; some words may tell only a share."""
    worth = weights.terms
    common = worth.keys() & tokens
    for whole, parts in weights.compounds.items():
        if whole not in common and parts <= common:
            common.add(whole)  # in another spelling
    # Exact whatever the order: a set has none, and two runs must agree.
    if spoken_for:
        mass = fsum([worth[term] * spoken_for.get(term, 1.0) for term in common])
    else:
        mass = fsum(map(worth.__getitem__, common))
    names = tuple([name for name in weights.names if name in tokens]) if weights.names else ()
    named = sum([weights.names[name] for name in names]) if names else 0.0
    share = share_of(mass, weights.total, len(common), len(tokens))
    if weights.topics:
        named += share * fsum([weights.topics[topic] for topic in weights.topics.keys() & tokens])
    return Evidence(names, named + mass * brevity(len(tokens)), weights.scale * (named + mass * share))


def share_of(mass: float, total: float, said: int, tokens: int) -> float:
    """How far what an entry has of a query is what that asks; what is said whole is, however much else is asked."""
    return max(covered(mass, total), min(said / max(tokens, 1), 1.0) ** 2)


def covered(mass: float, total: float) -> float:
    """How far words of this weight are what a query asks."""
    return sqrt(mass / asking(total))


def asking(total: float) -> float:
    """How much a query asks: of a long one less is needed, for it speaks of more than one thing."""
    return total if total <= LONG_QUERY else sqrt(LONG_QUERY * total)


def mentioned(tokens: AbstractSet[str], named: set[str], query: Query) -> dict[str, float]:
    """Where the query names an entry whole, the same words inside another one are only a mention of it, and some of
    them hardly that: the share that each tells."""
    shares: dict[str, float] = {}
    for name in named:
        words = [word for word in query.names.get(name, ()) if word not in STOPWORDS]
        share = MENTION_SHARE if all(word in tokens for word in words) else PART_SHARE
        for word in words:
            for term in (word, *query.compounds.get(word, ())):
                shares[term] = max(share, shares.get(term, 0.0))
    return shares


def score(entry: Entry, evidence: Evidence, *, check: str, now: float) -> Parts:
    """Relevance first; trust, age, votes and the check only bend it."""
    trust = CORRECTION_TRUST if CORRECTION_TAG in entry.tags else TRUST[entry.source]
    age_days = max(now - max(entry.updated, entry.last_used), 0.0) / SECONDS_PER_DAY
    recency = 1 - RECENCY_SHARE + RECENCY_SHARE * 0.5 ** (age_days / RECENCY_DAYS)
    voted = entry.votes_up or entry.votes_down
    votes = min(max(1 + 0.05 * entry.votes_up - 0.10 * entry.votes_down, 0.3), 1.5) if voted else 1.0
    return Parts(evidence.strength, trust, recency, votes, CHECK[check])


def words_of(tokens: AbstractSet[str]) -> set[str]:
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
