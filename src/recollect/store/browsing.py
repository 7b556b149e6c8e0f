"""Pages for somebody who browses: what is read grows with the page, not with the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.model.browsing import HostUse
from recollect.model.receipts import Receipt
from recollect.store.entries import read_entries
from recollect.store.rows import Suspecting, load_list
from recollect.store.statements import browsing as sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.model.browsing import EntryFilter
    from recollect.model.entries import Entry
    from recollect.store.database import Database

MOST_COUNTED = 1_000


class Browsing:
    """Reads pages; changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self, chosen: EntryFilter, match: str, *, limit: int, offset: int) -> list[Entry]:
        """Entries that the filter lets through and, where there is a match, the index finds; newest first."""
        statement, values = sql.entries(chosen, match)
        return self._entries(statement, [*values, limit, offset])

    def count(self, chosen: EntryFilter, match: str) -> int:
        """How many there are, at most MOST_COUNTED."""
        statement, values = sql.count(chosen, match)
        return int(self._database.rows(statement, [*values, MOST_COUNTED])[0][0])

    def receipts(self, session: str, *, limit: int, offset: int) -> list[Receipt]:
        """Receipts of a session or of all, newest first."""
        bound = ([session] if session else []) + [limit, offset]
        rows = self._database.rows(sql.receipts(session=bool(session)), bound)
        with Suspecting(self._database):
            return [Receipt._make((*row[:-2], load_list(row[-2]), load_list(row[-1]))) for row in rows]

    def contents(self, entry_ids: Sequence[str]) -> dict[str, tuple[str, str, str]]:
        """What entries say, their status and layer, by id; those that are gone are left out."""
        rows = self._database.rows(sql.contents(len(entry_ids)), list(entry_ids)) if entry_ids else []
        return {row[0]: (row[1], row[2], row[3]) for row in rows}

    def most_used(self, *, limit: int) -> list[Entry]:
        """Active entries that came most often."""
        return self._entries(sql.MOST_USED, (limit,))

    def never_used(self) -> int:
        """How many active facts never came."""
        return int(self._database.rows(sql.NEVER_USED)[0][0])

    def statuses(self) -> dict[tuple[str, str], int]:
        """How many entries there are of each layer and status."""
        return {(layer, status): number for layer, status, number in self._database.rows(sql.BY_STATUS)}

    def places(self) -> list[tuple[str, str, int]]:
        """Where active entries are: layer, repository, and how many; as the index counts them."""
        found = self._database.rows(sql.PLACES)
        return [(layer, repository, number) for layer, repository, number in found if number > 0]

    def stored_by_day(self, since: float) -> dict[str, int]:
        """How many entries were stored on each day."""
        return dict(self._database.rows(sql.STORED_BY_DAY, (since,)))

    def stored_by_repository(self, since: float, *, limit: int) -> list[tuple[str, int]]:
        """Where active entries that were stored since a time hold, '' for everywhere, with how many; most first."""
        return self._database.rows(sql.STORED_BY_REPOSITORY, (since, limit))

    def given_by_day(self, since: float) -> dict[str, tuple[int, int]]:
        """How many turns were given something on each day, and how many tokens."""
        return {day: (turns, tokens) for day, turns, tokens in self._database.rows(sql.GIVEN_BY_DAY, (since,))}

    def hosts(self, since: float) -> list[HostUse]:
        """What each host asked and got, the busiest first."""
        return [HostUse._make(row) for row in self._database.rows(sql.GIVEN_BY_HOST, (since,))]

    def _entries(self, statement: str, values: Sequence[object]) -> list[Entry]:
        return [stored.entry for stored in read_entries(self._database, statement, values)]
