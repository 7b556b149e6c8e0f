"""A small store in memory: a thread that asks again and again reads once what the index holds."""

from __future__ import annotations

from _thread import _local
from bisect import bisect_left, insort
from itertools import product
from operator import itemgetter
from sys import intern

from recollect.model.recall import Analysed, Frequencies
from recollect.store.rows import LAST_CHARACTER
from recollect.text.relevance import brevity, reaching
from recollect.text.terms import NAME_HEAD, NAME_MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recollect.model.recall import Budget, Places, Wanted
    from recollect.store.database import Database, ThreadConnection
    from recollect.store.index import Index

MOST_HELD = 4_000  # entries, of some 2 KB each


class Held:
    """What the index holds at one of its versions, by entry and by token."""

    def __init__(self, session: ThreadConnection) -> None:
        self.session = session
        self.version = self.asked = -1  # the index as it is here, and as it was at the last question
        self.newest_row = 0
        self.entries: list[Analysed] = []
        self.words: list[int] = []  # how many different tokens they have, by their place in that list
        self.brevities: list[float] = []
        self.inside: list[str] = []  # which partition they are in
        self._places: dict[str, list[int]] = {}  # of the entries with a token
        self.name_heads: set[str] = set()  # how the names of entries begin
        self._spelled: list[str] | None = None  # all tokens in order, when somebody asked for them
        self._partitions: dict[tuple[str, str, int], str] = {}

    def add(self, rows: Iterable[tuple[int, str, str]], partitions: Mapping[tuple[str, str, int], str]) -> None:
        """Hold these entries too, (entry_row, entry_id, analysed), with rows behind all others; and all partitions."""
        places = self._places
        for place, (row, entry_id, analysed) in enumerate(rows, len(self.entries)):
            partition, *every = analysed.split()
            tokens = frozenset(map(intern, every))  # a word of many entries is kept once
            for token in tokens:
                if token not in places:
                    places[token] = []
                    if token[0] == NAME_MARK:
                        self.name_heads.add(token[:NAME_HEAD])
                    if self._spelled is not None:
                        insort(self._spelled, token)
                places[token].append(place)
            self.entries.append(Analysed(entry_id, tokens))
            self.words.append(max(len(tokens), 1))
            self.brevities.append(brevity(len(every)))
            self.inside.append(intern(partition))
            self.newest_row = row
        self._partitions = dict(partitions)

    def partitions(self, places: Places) -> set[str]:
        """The partitions that there are in these places."""
        wanted = [*product(places.layers, places.repositories, (1,))]
        wanted += product(places.dead_layers, places.dead_repositories, (0,))
        known = self._partitions
        return {known[one] for one in wanted if one in known}

    def frequencies(self, wanted: Iterable[str]) -> dict[str, int]:
        """In how many entries each token occurs; those that occur nowhere are left out."""
        places = self._places
        return {token: len(places[token]) for token in wanted if token in places}

    def spelled_like(self, prefix: str, shortest: int, longest: int, limit: int) -> list[str]:
        """Tokens that begin with the prefix and have between shortest and longest characters."""
        if self._spelled is None:
            self._spelled = sorted(self._places)
        spelled = self._spelled
        like = spelled[bisect_left(spelled, prefix) : bisect_left(spelled, prefix + LAST_CHARACTER)]
        return [token for token in like if shortest <= len(token) <= longest][:limit]

    def count(self, token: str, partitions: set[str]) -> int:
        """In how many entries of these partitions a token occurs."""
        return sum(self.inside[place] in partitions for place in self._places.get(token, ()))

    def having(self, worth: Mapping[str, int], least: int) -> list[tuple[int, int, int]]:
        """Which entries have so much of these tokens, by what they are worth: (place, how much, how many)."""
        mass, said = [0] * len(self.entries), [0] * len(self.entries)
        telling: list[int] = []
        light = 0  # an entry that has only the lightest tokens has less than that: nobody looks there
        for token, weight in sorted(worth.items(), key=itemgetter(1)):
            places = self._places.get(token)
            if places:
                for place in places:
                    mass[place] += weight
                    said[place] += 1
                light += weight
                if light >= least:
                    telling += places
        enough = {place for place in telling if mass[place] >= least}
        return [(place, mass[place], said[place]) for place in enough]


class HeldSearch:
    """The entries of some places, in memory. It answers as a search over the index does, of which no part is looked up
    first."""

    def __init__(self, held: Held, places: Places) -> None:
        self.held = held
        self.name_heads = held.name_heads
        self._partitions = held.partitions(places)

    def frequencies(self, wanted: Iterable[str]) -> Frequencies:
        """In how many entries each of these occurs, of all entries that there are."""
        return Frequencies(len(self.held.entries), self.held.frequencies(wanted))

    def spelled_like(self, prefix: str, shortest: int, longest: int, limit: int = 200) -> list[str]:
        """Tokens that begin with the prefix and have between shortest and longest characters."""
        return self.held.spelled_like(prefix, shortest, longest, limit)

    def count_here(self, token: str) -> int:
        """In how many entries of these places it occurs, as far as that tells how rare it is."""
        return self.held.count(token, self._partitions)

    def best(self, wanted: Wanted, budget: Budget) -> list[Analysed]:
        """Those that can reach the floor, or else all that have anything; of these the best, oldest first."""
        held, worth, needed, partitions = self.held, wanted.worth, wanted.needed, self._partitions
        inside = held.inside
        near = reaching(needed, held.having(worth, needed.least), held.words)
        found = [one for one in near if inside[one[0]] in partitions]
        if not found:
            found = [(place, grains) for place, grains, _ in held.having(worth, 1) if inside[place] in partitions]
        best = sorted([(-grains * held.brevities[place], place) for place, grains in found])
        return [held.entries[place] for place in sorted([place for _, place in best[: budget.best]])]


class Holding:
    """Keeps the index of a small store in memory, one copy a thread, in step with what other processes do."""

    def __init__(self, database: Database, index: Index) -> None:
        self._database = database
        self._index = index
        self._thread = _local()

    def search(self, places: Places) -> HeldSearch | None:
        """A search in memory, where there is one."""
        held = self.held()
        return None if held is None else HeldSearch(held, places)

    def held(self) -> Held | None:
        """The index as this snapshot has it; None where reading it whole does not pay, and inside a write(), for what
        is written there may never have been."""
        session = self._database.own_connection()
        if session.depth:
            return None
        held: Held | None = getattr(self._thread, "held", None)
        if held is None or held.session is not session:
            held = Held(session)
        version = self._index.version()
        if held.version != version:
            self._thread.held = None  # what is interrupted half-way is not used again
            held = self._caught_up(held, version)
        self._thread.held = held
        held.asked = version
        return held if held.version == version else None

    def _caught_up(self, held: Held, version: int) -> Held:
        """With what was added since; anything else is read anew, when somebody asks the second time after it."""
        if self._index.newest_row() > MOST_HELD:
            return Held(held.session)
        added = self._index.analysed_after(held.newest_row) if held.version >= 0 else []
        if held.version + len(added) != version:
            if held.asked != version:
                return held
            held = Held(held.session)
            added = self._index.analysed_after(0)
        held.add(added, self._index.all_partitions())
        held.version = version
        return held
