"""What recall is asked for, and what it asks of a search."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


class Limits(Record):
    """The ceilings of one recall; all of them settings."""

    max_entries: int = 8
    max_tokens: int = 800
    max_archive: int = 2
    floor: float = 0.8
    budget_postings: int = 4_000
    check_milliseconds: int = 20


class Filters(Record):
    """Which entries may come at all. Empty means no restriction."""

    repository: str = ""  # entries of this repository and of user scope; empty: user scope alone
    known_as: tuple[str, ...] = ()  # other identities of that repository
    layers: tuple[
        str, ...
    ] = ()  # asked for by name; empty: L1, and L2 when history is asked for or the match is strong
    tags: tuple[str, ...] = ()  # any of these
    project: str = ""
    since: float = 0.0
    until: float = 0.0
    everywhere: bool = False  # all repositories, for a person who searches
    without: frozenset[str] = frozenset()  # ids that were given already


class Query(Record):
    """A message as the index sees it."""

    text: str
    terms: tuple[str, ...]
    names: dict[str, tuple[str, ...]]  # every run of words that could be the name of something, with its terms
    compounds: dict[str, tuple[str, ...]]  # terms that are identifiers or paths, with the terms inside them
    topics: dict[str, str]  # those of its terms that are common words, each by the token of what is about it
    asks_history: bool = False


class Nearness(Record):
    """How near in meaning entries are to a prompt, as cosines: some of them, and all by their mean, their spread and
    the two nearest."""

    cosines: dict[str, float]
    mean: float
    spread: float
    best: float
    second: float


class Places(Record):
    """Where entries are looked for: active ones of these layers and repositories ('' is user scope), and of others the
    retired and inactive ones."""

    layers: tuple[str, ...]
    repositories: tuple[str, ...]
    dead_layers: tuple[str, ...] = ()
    dead_repositories: tuple[str, ...] = ()


class Frequencies(Record):
    """In how many entries, or turns, each term occurs; terms that occur nowhere are left out."""

    total: int  # entries, or turns, that there are
    terms: dict[str, int]


class Needed(Record):
    """What an entry must have of the tokens of a query to be above the floor, before it is judged, in grains.

    None that is judged to be above it has less; some that are judged to be below have as much."""

    least: int  # with fewer nothing else helps
    enough: float
    whole: float  # of an entry that says nothing else
    spellings: int  # of identifiers, which are seen only when an entry is judged


class Wanted(Record):
    """What entries are searched by: names, topics and terms, with the most that each may tell."""

    worth: dict[str, int]  # in grains
    frequencies: Frequencies
    needed: Needed
    parts: AbstractSet[str] = frozenset()  # terms that come with another one; looked up when all others are


class Budget(Record):
    """How much a search may read, and how many of the best it hands out."""

    postings: int  # of the terms that are looked up
    pairs: int  # of other terms, passed over to see which entries have two
    read: int  # entries
    best: int


class Analysed(Record):
    """An entry as the index sees it: the terms of what it says, its names and topics."""

    entry_id: str
    tokens: AbstractSet[str]
