"""What recall is asked for."""

from __future__ import annotations

from recollect.model.record import Record


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
