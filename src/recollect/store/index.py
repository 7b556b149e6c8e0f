"""The text index over entries: kept in step by statements of the same transaction, searched within a budget."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, chain
from math import log

from recollect.model.record import Record
from recollect.store.home_values import home_value, set_home_value
from recollect.store.statements import padded
from recollect.text.terms import analysed, name_token, subject_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from recollect.model.entries import Entry
    from recollect.store.database import Database

ALL = ""  # the row of term_counts that counts every entry
_CHUNK = 400
SMALLEST_MERGED = 10_000  # entries; in fewer, looking into several pieces costs little
GROWTH = 1.25
TYPICAL_WORDS = 25
LENGTH_SHARE = 0.25  # how far the length of an entry bends what its words are worth
LONGEST = 4.0  # times the typical length; beyond that, length says no more
MANY = 100  # entries at once; who adds them one by one is not kept waiting

_INSERT = "INSERT INTO entry_text (rowid, analysed) VALUES (?, ?)"
# A contentless index forgets a row only when it is told exactly what stood there.
_DELETE = "INSERT INTO entry_text (entry_text, rowid, analysed) VALUES ('delete', ?, ?)"
_COUNT = """
INSERT INTO term_counts (term, documents) VALUES (?, ?)
ON CONFLICT (term, tenant) DO UPDATE SET documents = term_counts.documents + excluded.documents"""
_MERGED = "index merged"  # at how many entries
_CHANGES = "index changes"  # how many entries were put in or taken out since there is an index
_CHANGED = """
INSERT INTO home_values (name, value) VALUES (?, ?)
ON CONFLICT (name, tenant) DO UPDATE SET value = CAST(CAST(home_values.value AS INTEGER) + ? AS TEXT)"""
_MATCH = "SELECT rowid FROM entry_text WHERE entry_text MATCH ? AND rowid >= ? ORDER BY bm25(entry_text) LIMIT ?"


class Plan(Record):
    """What will be asked of the index: the terms that fit the budget, these with another one, two of the others, and
    from which row on."""

    match: str
    first_row: int
    postings: int
    skipped: tuple[str, ...]
    pairs: str = ""
    others: str = ""


def partition_token(partition_id: int) -> str:
    """The token that every entry of a partition has."""
    return f"@{partition_id}"


def analysed_text(entry: Entry, partition_id: int) -> str:
    """What the index holds for an entry: its partition, its names whole, and the terms of what it says."""
    if not entry.subject and not entry.aliases and not entry.tags:
        return f"{partition_token(partition_id)} {analysed(entry.content)}".rstrip()
    names = [subject_token(entry.subject, entry.content), *map(name_token, entry.aliases)]
    words = analysed(" \n ".join((entry.content, entry.subject, *entry.aliases, *entry.tags)))
    return " ".join(filter(None, [partition_token(partition_id), *dict.fromkeys(names), words]))


class Index:
    """Terms to entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, rows: Sequence[tuple[int, str]]) -> None:
        """Index these (entry_row, analysed) pairs."""
        self._database.run_many(_INSERT, rows)
        self._count([analysed for _, analysed in rows], by=1)
        if len(rows) >= MANY:
            self.merge()

    def remove(self, rows: Sequence[tuple[int, str]]) -> None:
        """Take these (entry_row, analysed) pairs out; the text must be what was indexed."""
        self._database.run_many(_DELETE, rows)
        self._count([analysed for _, analysed in rows], by=-1)

    def merge(self) -> None:
        """Make the index one piece again when the store has grown by a quarter: a search looks into every piece."""
        entries = self.frequencies([ALL]).get(ALL, 0)
        merged = home_value(self._database, _MERGED)
        if entries < GROWTH * max(int(merged) if merged.isdecimal() else 0, SMALLEST_MERGED):
            return
        self._database.run("INSERT INTO entry_text (entry_text) VALUES ('optimize')")
        set_home_value(self._database, _MERGED, str(entries))

    def _count(self, texts: Sequence[str], *, by: int) -> None:
        counts = Counter(chain.from_iterable(map(set, map(str.split, texts))))
        counts[ALL] = len(texts)
        self.changed(len(texts))
        # In the order of the table: neighbours share a page.
        counted = counts.items() if by > 0 else [(term, -number) for term, number in counts.items()]
        self._database.run_many(_COUNT, sorted(counted))
        if by < 0:
            gone = [(term,) for term in counts]
            self._database.run_many("DELETE FROM term_counts WHERE term = ? AND documents <= 0", gone)

    def changed(self, entries: int) -> None:
        """Count that so many entries were put in or taken out."""
        self._database.run(_CHANGED, (_CHANGES, str(entries), entries))

    def version(self) -> int:
        """A number that grows with every change, with an addition by one."""
        count = home_value(self._database, _CHANGES)
        return int(count) if count.isdecimal() else 0

    def frequencies(self, wanted: Sequence[str]) -> dict[str, int]:
        """In how many entries each term occurs; terms that occur nowhere are left out. `ALL` counts the entries."""
        found: dict[str, int] = {}
        for start in range(0, len(wanted), _CHUNK):
            chunk, marks = padded(wanted[start : start + _CHUNK])
            sql = f"SELECT term, documents FROM term_counts WHERE term IN ({marks})"
            found.update(self._database.rows(sql, chunk))
        return found

    def partitions(self, layers: Sequence[str], repositories: Sequence[str], *, live: bool = True) -> list[int]:
        """The partitions of these layers and repositories ('' is user scope) that exist."""
        places = f"layer IN ({','.join('?' * len(layers))}) AND repository IN ({','.join('?' * len(repositories))})"
        sql = f"SELECT partition_id FROM partitions WHERE {places} AND live = ? ORDER BY layer, repository"
        return [number for (number,) in self._database.rows(sql, (*layers, *repositories, int(live)))]

    def live_partitions(self) -> dict[tuple[str, str], int]:
        """The partitions of active entries, by layer and repository."""
        rows = self._database.rows("SELECT layer, repository, partition_id FROM partitions WHERE live = 1")
        return {(layer, repository): number for layer, repository, number in rows}

    def spelled_like(self, prefix: str, shortest: int, longest: int, limit: int = 200) -> list[str]:
        """Terms that begin with the prefix and have between shortest and longest characters."""
        rows = self._database.rows(
            "SELECT term FROM term_counts WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?",
            (prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1), shortest, longest, limit),
        )
        return [term for (term,) in rows]

    def matching(self, plan: Plan, *, limit: int) -> list[int]:
        """The rows that match a plan: those with a rare and another term, those with two others, then the best by rare
        ones, each by bm25."""
        if not plan.match:
            return []
        asked = [(match, limit * 2 // 5) for match in (plan.pairs, plan.others) if match]
        asked.append((plan.match, limit // 4 if asked else limit))
        found: dict[int, None] = {}
        for match, most in asked:
            found.update(dict.fromkeys(row for (row,) in self._database.rows(_MATCH, (match, plan.first_row, most))))
        return list(found)

    def newest_row(self) -> int:
        """The highest row there is."""
        return int(self._database.rows("SELECT coalesce(max(entry_row), 0) FROM entries")[0][0])


def plan_search(
    wanted: Sequence[str],
    partitions: Sequence[int],
    *,
    frequencies: dict[str, int],
    budget_postings: int,
    newest_row: int,
    pair_postings: int = 0,
    parts: Collection[str] = (),
) -> Plan:
    """Rarest terms first until the budget is spent: cost grows neither with the query nor with the store.
    Terms that are too frequent to be looked up still tell which entries have two: to pass over a posting is cheap.
    `parts` are terms that come with another one; they are looked up when all others are."""
    entries = frequencies.get(ALL, 0)
    inside = sum(frequencies.get(partition_token(one), 0) for one in partitions)
    known = sorted((term for term in wanted if term in frequencies), key=lambda term: frequencies[term])
    if not known or not inside:
        return Plan("", 0, 0, ())
    # Restricting the match costs a walk over the partition's own postings: worth it only when it is the smaller part.
    restrict = inside < entries / 2
    costs = {term: min(frequencies[term], inside) if restrict else frequencies[term] for term in known}
    apart = [term for term in known if term not in parts]
    taken = affordable(apart, costs, budget_postings) or known[:1]
    spent = sum(costs[term] for term in taken)
    rest = [term for term in apart if term not in taken]
    if not rest:
        taken += affordable([term for term in known if term not in taken], costs, budget_postings - spent)
        spent = sum(costs[term] for term in taken)
    within = f" AND ({_any_of(map(partition_token, partitions))})" if restrict else ""
    match = _any_of(taken)
    others = affordable(rest, frequencies, pair_postings)
    # Every second one on either side: most entries with three of these words are met, and none is passed over twice.
    left, right = _any_of(others[::2]), _any_of(others[1::2])
    # Even the rarest term may be in every entry: then the newest entries stand for all.
    first_row = int(newest_row * (1 - budget_postings / spent)) if spent > 2 * budget_postings else 0
    return Plan(
        f"({match}){within}",
        first_row,
        spent,
        tuple(term for term in known if term not in taken),
        f"({match}) AND ({_any_of(others)}){within}" if others else "",
        f"({left}) AND ({right}){within}" if right else "",
    )


def affordable(terms: Sequence[str], costs: Mapping[str, int], budget_postings: int) -> list[str]:
    """The first of the terms, as many as the budget pays for."""
    sums = accumulate(costs[term] for term in terms)
    return [term for term, spent in zip(terms, sums, strict=True) if spent <= budget_postings]


def _any_of(terms: Iterable[str]) -> str:
    return " OR ".join(map(quoted, terms))


def quoted(term: str) -> str:
    """A term as an FTS5 string: any text is a valid query."""
    return '"' + term.replace('"', '""') + '"'


def rarity(documents: float, entries: float) -> float:
    """How much finding the term tells: BM25's inverse document frequency, never negative."""
    return log(1 + (entries - documents + 0.5) / (documents + 0.5)) if entries >= documents else 0.0


def brevity(tokens: int) -> float:
    """What a match in an entry of so many words is worth: a long one meets many words by chance."""
    return 1 / (1 - LENGTH_SHARE + LENGTH_SHARE * min(tokens / TYPICAL_WORDS, LONGEST))
