"""The text index over entries: kept in step by statements of the same transaction."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from recollect.store.home_values import home_value, set_home_value
from recollect.store.rows import unreadable
from recollect.store.statements import CHUNK, padded
from recollect.store.statements import entry_index as sql
from recollect.text.terms import NAME_MARK, analysed, name_token, other_name_tokens, subject_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.model.entries import Entry
    from recollect.model.recall import Places
    from recollect.store.database import Database

ALL = ""  # the term that counts every entry
SMALLEST_MERGED = 10_000  # entries; in fewer, looking into several pieces costs little
GROWTH = 1.25
MANY = 100  # entries at once; who adds them one by one is not kept waiting
_MERGED = "index merged"  # at how many entries
_CHANGES = "index changes"  # how many entries were put in or taken out since there is an index


def partition_token(partition_id: int) -> str:
    """The token that every entry of a partition has, before all its others."""
    return f"{sql.PARTITION_MARK}{partition_id}"


def analysed_text(entry: Entry, partition_id: int) -> str:
    """What the index holds for an entry: its partition, its names whole, and the terms of what it says."""
    if not entry.subject and not entry.aliases and not entry.tags:
        return f"{partition_token(partition_id)} {analysed(entry.content)}".rstrip()
    names = [subject_token(entry.subject, entry.content), *map(name_token, entry.aliases)]
    if names[0].startswith(NAME_MARK):
        names += other_name_tokens(entry.subject)
    if entry.layer == "L1":
        # Imported here: a recall asks for none.
        from recollect.text.language.initials import initials_in

        names += map(name_token, initials_in(entry.content))
    words = analysed(" \n ".join((entry.content, entry.subject, *entry.aliases, *entry.tags)))
    return " ".join(filter(None, [partition_token(partition_id), *dict.fromkeys(names), words]))


class Index:
    """Terms to entries."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- changing

    def add(self, rows: Sequence[tuple[int, str]]) -> None:
        """Index these (entry_row, analysed) pairs."""
        self._database.run_many(sql.ADD, rows)
        self._count([analysed for _, analysed in rows], by=1)
        if len(rows) >= MANY:
            self.merge()

    def remove(self, rows: Sequence[tuple[int, str]]) -> None:
        """Take these (entry_row, analysed) pairs out; the text must be what was indexed."""
        self._database.run_many(sql.REMOVE, rows)
        self._count([analysed for _, analysed in rows], by=-1)

    def merge(self) -> None:
        """Make the index one piece again when the store has grown by a quarter: a search looks into every piece."""
        entries = self.frequencies([ALL]).get(ALL, 0)
        merged = home_value(self._database, _MERGED)
        if entries < GROWTH * max(int(merged) if merged.isdecimal() else 0, SMALLEST_MERGED):
            return
        self._database.run(sql.MERGE)
        set_home_value(self._database, _MERGED, str(entries))

    def _count(self, texts: Sequence[str], *, by: int) -> None:
        counts = Counter(chain.from_iterable(map(set, map(str.split, texts))))
        counts[ALL] = len(texts)
        self.changed(len(texts))
        # In the order of the table: neighbours share a page.
        counted = counts.items() if by > 0 else [(term, -number) for term, number in counts.items()]
        self._database.run_many(sql.COUNT, sorted(counted))
        if by < 0:
            self._database.run_many(sql.FORGET_TERM, [(term,) for term in counts])

    def changed(self, entries: int) -> None:
        """Count that so many entries were put in or taken out."""
        self._database.run(sql.COUNT_CHANGES, (_CHANGES, str(entries), entries))

    # -- reading

    def version(self) -> int:
        """A number that grows with every change, with an addition by one."""
        count = home_value(self._database, _CHANGES)
        return int(count) if count.isdecimal() else 0

    def newest_row(self) -> int:
        """The highest row there is."""
        return int(self._database.rows(sql.NEWEST_ROW)[0][0])

    def frequencies(self, wanted: Sequence[str]) -> dict[str, int]:
        """In how many entries each term occurs; terms that occur nowhere are left out. `ALL` counts the entries."""
        found: dict[str, int] = {}
        for start in range(0, len(wanted), CHUNK):
            chunk, marks = padded(wanted[start : start + CHUNK])
            found.update(self._database.rows(sql.frequencies(marks), chunk))
        return found

    def spelled_like(self, prefix: str, shortest: int, longest: int, limit: int) -> list[str]:
        """Terms that begin with the prefix and have between shortest and longest characters."""
        behind = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        rows = self._database.rows(sql.SPELLED_LIKE, (prefix, behind, shortest, longest, limit))
        return [term for (term,) in rows]

    def partitions(self, places: Places) -> dict[str, int]:
        """The tokens of the partitions that there are in these places, and how many entries each has."""
        wanted = [(places.layers, places.repositories, 1)]
        if places.dead_layers:
            wanted.append((places.dead_layers, places.dead_repositories, 0))
        found: dict[str, int] = {}
        for layers, repositories, live in wanted:
            statement = sql.partitions(len(layers), len(repositories))
            for number, entries in self._database.rows(statement, (*layers, *repositories, live)):
                found[partition_token(number)] = entries
        return found

    def all_partitions(self) -> dict[tuple[str, str, int], str]:
        """The token of every partition, by layer, repository and whether its entries are active."""
        rows = self._database.rows(sql.ALL_PARTITIONS)
        return {(layer, repository, live): partition_token(number) for layer, repository, live, number in rows}

    def matching(self, match: str, first_row: int, limit: int) -> list[int]:
        """The rows from this one on that match, best first by bm25."""
        return [row for (row,) in self._database.rows(sql.MATCHING, (match, first_row, limit))]

    def count_matches(self, match: str, most: int) -> int:
        """How many rows match; no more than that are counted."""
        return int(self._database.rows(sql.COUNT_MATCHES, (match, most))[0][0])

    def analysed(self, rows: Sequence[int]) -> list[tuple[int, str, str]]:
        """(entry_row, entry_id, what the index holds) of these entries: enough to score many and read few."""
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(rows), CHUNK):
            chunk, marks = padded(rows[start : start + CHUNK])
            found += self._database.rows(sql.analysed(marks), chunk)
        return self._texts(found)

    def analysed_after(self, row: int) -> list[tuple[int, str, str]]:
        """The same of every entry behind this row, in the order of rows."""
        return self._texts(self._database.rows(sql.ANALYSED_AFTER, (row,)))

    def _texts(self, rows: list[tuple[Any, ...]]) -> list[tuple[int, str, str]]:
        if not {str}.issuperset([type(text) for row in rows for text in row[1:]]):
            self._database.suspect()
            raise unreadable("an analysed text is none")
        return rows
