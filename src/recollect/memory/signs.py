"""The signs that a prompt needs an entry, as plain numbers, and how likely they make it. Pure.

Each sign is something that a person could point at. What each is worth was learned from prompts of which people said
what they need (`python -m benchmarks.learn_recall`)."""

from __future__ import annotations

from math import exp, log

from recollect.memory.learned import BIAS, ENOUGH, NEAR_BIAS, NEAR_ENOUGH, NEAR_WEIGHTS, WEIGHTS
from recollect.model.record import Record
from recollect.text.language.asides import ASIDE_STEMS, EVERYDAY_STEMS, is_general
from recollect.text.language.commonwords import FUNCTION_WORDS, is_common
from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from recollect.memory.rank import Evidence, Weights
    from recollect.model.recall import Nearness, Query

SIGNS = (
    "mass", "best", "rare", "common", "of_entry", "of_prompt", "names", "identifiers", "folder", "repaired", "lead",
    "first", "length", "quoted", "general", "asides", "relevance", "only", "subject", "mention", "two_rare",
    "log_of_entry", "long_mass",
)  # fmt: skip
# The same, where somebody knows how near in meaning the entry is.
NEAR_SIGNS = (
    "near", "near_spread", "near_lead", "nearest", "rather_near", "very_near", "near_words", "near_mass",
    "near_aside", "near_length", "near_of_entry", "near_rare", "near_names",
)  # fmt: skip
MASS, RARE, OF_ENTRY, NAMES, LENGTH = [SIGNS.index(name) for name in ("mass", "rare", "of_entry", "names", "length")]
ASIDE = [SIGNS.index(name) for name in ("quoted", "general", "asides")]
OF_PROMPT = SIGNS.index("of_prompt")
MENTION = SIGNS.index("mention")
MUCH_OF_PROMPT = 0.5  # of what a prompt asks
SHORT_PROMPT = 4  # words
ONE_SENTENCE = 6  # words
FLOOR = 0.8  # the floor as it is set: what is just likely enough stands on it
COMMON_WORTH = 0.25
REPAIRED_WORTH = 0.7  # of a word that was perhaps meant
MOST_COUNTED = 4
MOST_LEAD = 1.5
MOST_RELEVANCE = 3.0
LONGEST_NUMBER = 2  # digits; a longer number may be a port or a year
NO_PATHS = frozenset(
    "a/b and/or client/server either/or he/she his/her i/o input/output n/a on/off read/write tcp/ip true/false w w/o"
    " yes/no 24/7".split()
)
RATHER_NEAR, VERY_NEAR = 0.30, 0.45  # cosines; the nearest of a project that has nothing to do with it has 0.2
MOST_MASS = 3.0
EDGES = ".,;:()[]{}<>\"'`*"


class Asked(Record):
    """A prompt as far as it is seen without looking at an entry."""

    worth: dict[str, float]  # of each term: a rare word 1, a common one little
    total: float
    quoted: AbstractSet[str]  # terms that stand in quotation marks and nowhere else
    identifiers: AbstractSet[str]
    paths: AbstractSet[str]  # what is mentioned, and every folder above it
    meant: dict[str, float]  # terms that a misspelled word may be
    asides: AbstractSet[str]
    is_general: bool


class Shared(Record):
    """What a prompt and an entry have in common."""

    words: list[str]
    repaired: list[str]
    folder: bool
    mass: float


def asked_in(query: Query, weights: Weights, meant: Sequence[str]) -> Asked:
    """What this prompt asks, and what misspelled words of it were perhaps meant to be."""
    worth = {term: min(weight, _most(term)) for term, weight in weights.terms.items() if term not in FUNCTION_WORDS}
    low = query.text.lower()
    paths = {path for mentioned in _paths_in(low) for path in _above(mentioned)} if "/" in low else set()
    return Asked(
        worth,
        sum(worth.values()) or 1.0,
        _only_quoted(query.text) if '"' in low or "“" in low else frozenset(),
        {term for term in worth if term in query.compounds or _is_code(term)},
        paths,
        {term: REPAIRED_WORTH * _most(term) for term in meant if term not in worth},
        ASIDE_STEMS & worth.keys(),
        is_general(low),
    )


def shared_with(asked: Asked, tokens: AbstractSet[str], content: str) -> Shared:
    """What an entry with these index tokens shares with the prompt."""
    words = [term for term in asked.worth if term in tokens]
    repaired = [term for term in asked.meant if term in tokens]
    mass = sum([asked.worth[term] for term in words]) + sum([asked.meant[term] for term in repaired])
    folder = bool(asked.paths) and _is_about(asked.paths, content)
    return Shared(words, repaired, folder, mass + folder)


def signs(
    asked: Asked, shared: Shared, tokens: AbstractSet[str], content: str, evidence: Evidence, known: Mapping[str, int],
    most_elsewhere: float, others_named: bool,
) -> list[float]:  # fmt: skip
    """The signs for one entry, in the order of SIGNS; `most_elsewhere` is what the best of the others has, and
    `others_named` whether some are named whole."""
    every = [*shared.words, *shared.repaired]
    rare = [term for term in every if _most(term) == 1.0]
    own = sum([_most(token) for token in tokens if token[0] not in "=#"]) or 1.0
    of_entry = sum(map(_most, every)) / own
    length = log(1 + len(asked.worth))
    quoted = sum([asked.worth[term] for term in shared.words if term in asked.quoted])
    names = _names_among(rare, content) if rare else 0
    decisive = len(rare) + shared.folder
    return [
        shared.mass,
        max([float(shared.folder), *[asked.worth.get(term) or asked.meant[term] for term in every]]),
        float(min(decisive, MOST_COUNTED)),
        float(min(len(every) - len(rare), MOST_COUNTED)),
        of_entry,
        shared.mass / asked.total,
        float(min(names, 3)),
        float(min(sum([term in asked.identifiers for term in rare]) + shared.folder, 2)),
        float(shared.folder),
        float(min(len(shared.repaired), 2)),
        max(-MOST_LEAD, min(MOST_LEAD, shared.mass - most_elsewhere)),
        float(shared.mass > most_elsewhere),
        length,
        quoted / shared.mass if shared.mass else 0.0,
        float(asked.is_general),
        float(min(len(asked.asides - tokens), 2)),
        min(evidence.relevance, MOST_RELEVANCE),
        float(any(known.get(term) == 1 for term in rare)),
        float(bool(evidence.names)),
        float(others_named and not evidence.names),
        float(decisive > 1),
        log(of_entry + 0.02),
        shared.mass * length,
    ]


def learned_relevance(
    entries: Sequence[tuple[AbstractSet[str], str, Evidence]],
    asked: Asked,
    known: Mapping[str, int],
    nearness: Nearness | None = None,
    cosines: Sequence[float | None] = (),
) -> list[float]:
    """How relevant each of these (tokens, content, evidence) is, on the scale of the floor: as its signs say, or as it
    was judged where it is what a short prompt asks, and nothing tells that this is about something else.

    `cosines` say how near each of them is, where somebody knows that."""
    is_plain = not asked.is_general and not asked.quoted
    is_short = len(asked.worth) <= SHORT_PROMPT
    found = []
    for at, ((tokens, _, evidence), own) in enumerate(zip(entries, signs_of(entries, asked, known), strict=True)):
        # In a prompt of one sentence that names another one, it is only a mention.
        is_mention = len(asked.worth) <= ONE_SENTENCE and own[MENTION]
        near = near_signs(own, cosines[at], nearness) if nearness else []
        relevance = 0.0 if is_mention else FLOOR * likelihood(own, near)
        is_asked_for = is_plain and (is_short or own[OF_PROMPT] >= MUCH_OF_PROMPT) and asked.asides <= tokens
        found.append(max(relevance, evidence.relevance) if is_asked_for else relevance)
    return found


def signs_of(
    entries: Sequence[tuple[AbstractSet[str], str, Evidence]], asked: Asked, known: Mapping[str, int]
) -> list[list[float]]:
    """The signs for each of these (tokens, content, evidence), in the order of SIGNS."""
    shares = [shared_with(asked, tokens, content) for tokens, content, _ in entries]
    best, second = sorted([0.0, 0.0, *[shared.mass for shared in shares]], reverse=True)[:2]
    named = any(evidence.names for _, _, evidence in entries)
    found = []
    for shared, (tokens, content, evidence) in zip(shares, entries, strict=True):
        most_elsewhere = second if shared.mass == best else best
        found.append(signs(asked, shared, tokens, content, evidence, known, most_elsewhere, named))
    return found


def near_signs(own: Sequence[float], cosine: float | None, near: Nearness) -> list[float]:
    """The signs of nearness for one entry with these other signs, in the order of NEAR_SIGNS; none where nobody knows
    how near it is."""
    if cosine is None:
        return []
    mass = own[MASS]
    others = near.second if cosine >= near.best else near.best
    return [
        cosine,
        (cosine - near.mean) / max(near.spread, 1e-6),
        cosine - others,
        float(cosine >= near.best),
        max(cosine - RATHER_NEAR, 0.0),
        max(cosine - VERY_NEAR, 0.0),
        cosine if mass else 0.0,
        cosine * min(mass, MOST_MASS),
        cosine * any(own[at] for at in ASIDE),
        cosine * own[LENGTH],
        cosine * own[OF_ENTRY],
        cosine * own[RARE],
        cosine * own[NAMES],
    ]


def likelihood(found: Sequence[float], near: Sequence[float] = ()) -> float:
    """How likely these signs make it that the entry is needed, against what is enough."""
    if near:
        return _chance(NEAR_BIAS, NEAR_WEIGHTS, [*found, *near]) / NEAR_ENOUGH
    return _chance(BIAS, WEIGHTS, found) / ENOUGH


def _chance(bias: float, weights: Sequence[float], found: Sequence[float]) -> float:
    return 1 / (1 + exp(-bias - sum([value * weight for value, weight in zip(found, weights, strict=True)])))


def _most(term: str) -> float:
    """What a term may tell at most: an everyday word or a small number little, in a store of any size."""
    if term in FUNCTION_WORDS:
        return 0.0
    common = is_common(term) or term in EVERYDAY_STEMS or (term.isdigit() and len(term) <= LONGEST_NUMBER)
    return COMMON_WORTH if common else 1.0


def _is_code(term: str) -> bool:
    return not term.isalpha() and not term.isdigit()


def _above(path: str) -> list[str]:
    """A path and every folder above it."""
    parts = path.strip("/").split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _is_about(paths: AbstractSet[str], content: str) -> bool:
    """Does the entry name one of these paths?"""
    return any(path in paths for path in _paths_in(content.lower()))


def _paths_in(text: str) -> list[str]:
    """Paths and folders in a lower-case text, without the slash of a folder."""
    pieces = [piece.strip(EDGES).strip("/") for piece in text.split() if "/" in piece and "//" not in piece]
    return [piece for piece in pieces if piece and piece not in NO_PATHS]


def _only_quoted(text: str) -> AbstractSet[str]:
    """The terms that stand between quotation marks and nowhere else."""
    pieces = text.replace("“", '"').replace("”", '"').split('"')
    return set(terms(" ".join(pieces[1::2]))) - set(terms(" ".join(pieces[::2])))


def _names_among(rare: Sequence[str], content: str) -> int:
    """How many of these terms the entry writes as names are written: with a capital, a digit or a mark inside."""
    found = set()
    heads = {term[0] for term in rare}
    is_first = True
    for piece in content.split() if heads else ():
        word = piece.strip(EDGES)
        # Only what may be one of them is taken apart: a term begins as its word does.
        may_be = word[:1].lower() in heads or not word[:1].isascii() or not word[:1].isalnum()
        if word and may_be and (not word[1:].islower() or (not is_first and word[:1].isupper()) or "`" in piece):
            found.update(terms(word)[:1])
        is_first = piece[-1] in ".!?:"
    return len(found.intersection(rare))
