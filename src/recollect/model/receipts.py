"""What recall found, and the record of what was given to a turn."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from recollect.model.entries import Entry


# How the reasons of what a limit left out begin.
LIMITS = ("beyond the limit ", "more than ", "over the ceiling ", "more archive entries ")

ARCHIVED = "archive entry"  # why it stays out unless its layer or the past is asked for
BELOW = "below the relevance floor"
GIVEN_BEFORE = "given before in this session"  # why an entry stays out that the session still has before it
# What took everything that a session was given before out of its sight: it is due again.
COMPACTED = "the conversation was compacted; what it was given before is due again"
CLEARED = "the conversation was cleared; what it was given before is due again"
LOST = "past its time; what was found did not arrive"
GIVEN, KNOWN = "given", "known"
PROFILE, PREFERENCE = "profile", "preference"  # why an entry is given at every start, whatever is asked


class Parts(Record):
    """The factors of a score; their product is the score."""

    text: float
    trust: float = 1.0
    recency: float = 1.0
    votes: float = 1.0
    check: float = 1.0

    @property
    def score(self) -> float:
        """Relevance first; trust, age, votes and the check only bend it."""
        return self.text * self.trust * self.recency * self.votes * self.check


class Recalled(Record):
    """One entry that a turn gets, and why."""

    entry: Entry
    parts: Parts
    check: str
    tokens: int
    because: str  # which names and words matched
    relevance: float = 0.0  # on the scale of the floor

    @property
    def score(self) -> float:
        """The product of its parts."""
        return self.parts.score


class LeftOut(Record):
    """One entry that matched and was not given, and why."""

    entry_id: str
    why: str
    relevance: float = 0.0  # on the scale of the floor; 0 where it was not judged by words
    content: str = ""  # for a person who asks; a receipt never keeps it

    @property
    def by_limit(self) -> bool:
        """Would it have been given with a higher limit?"""
        return self.why.startswith(LIMITS)


class Recall(Record):
    """The answer to one query, which is told without its secrets."""

    query: str
    entries: tuple[Recalled, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: int = 0
    floor: float = 0.0  # what has less relevance stays out


class Answer:
    """What a question brought: its `entries`, best first, and the id of their `receipt`.

    It is false when there are no entries; `len` counts them, and an index takes one."""

    __slots__ = ("found", "receipt")

    def __init__(self, found: Recall, receipt: str) -> None:
        self.found = found
        self.receipt = receipt

    @property
    def entries(self) -> tuple[Recalled, ...]:
        """The entries, best first."""
        return self.found.entries

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What matched and was not given, and why."""
        return self.found.left_out

    @property
    def tokens(self) -> int:
        """What the entries cost."""
        return self.found.tokens

    def __bool__(self) -> bool:
        return bool(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, at: int) -> Recalled:
        return self.entries[at]

    def __iter__(self) -> Iterator[Any]:
        from warnings import warn  # only here: a hook reads this module and unpacks nothing

        told = "An answer will no longer unpack into two: use its .entries, .found and .receipt."
        warn(told, DeprecationWarning, stacklevel=2)
        return iter((self.found, self.receipt))

    def __str__(self) -> str:
        return "\n".join(one.entry.content for one in self.entries)

    def __repr__(self) -> str:
        return f"Answer({len(self)} entries, receipt={self.receipt!r})"


class Receipt(Record):
    """The record of one injection. `entries` and `left_out` are JSON values, without the text of any entry."""

    receipt_id: str
    session: str
    turn: int
    host: str
    repository: str
    created: float
    query: str
    tokens: int
    entries: list[dict[str, object]]
    left_out: list[dict[str, object]]

    @property
    def used(self) -> list[str]:
        """The ids of the entries that somebody had use for: not of a preference, which comes at every start, but of
        what a prompt asked for and the session had already."""
        given = [entry for entry in self.entries if entry.get("because") != PREFERENCE]
        had = [one for one in self.left_out if one.get("why") == GIVEN_BEFORE]
        return [str(one["id"]) for one in (*given, *had)]

    def how(self, entry_id: str) -> str:
        """How a turn came to have this entry: `given`, `known` because the session had it already, as a standing
        `preference`, or not at all (empty). The first two count as use."""
        if entry_id in self.used:
            return GIVEN if any(one.get("id") == entry_id for one in self.entries) else KNOWN
        return PREFERENCE if any(one.get("id") == entry_id for one in self.entries) else ""

    @property
    def empties_window(self) -> bool:
        """Was what the session had been given before gone by then?"""
        return any(one.get("why") in (COMPACTED, CLEARED, LOST) for one in self.left_out)


class Injection(Record):
    """Text for a turn or a session's start, and the id of its receipt."""

    text: str
    receipt_id: str = ""
    tokens: int = 0
