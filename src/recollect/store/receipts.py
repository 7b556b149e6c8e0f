"""Receipts: one row an injection, pruned by age and number."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.receipts import Receipt
from recollect.store.home_values import add_to_home_value
from recollect.store.rows import LAST_CHARACTER, Suspecting, find_named, load_list, storable
from recollect.store.statements import receipts as sql
from recollect.text.quick_json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.store.database import Database
    from recollect.store.entries import Entries


MOST_LOOKED_AT = 400  # receipts that name an entry, which may say that it was left out


class Receipts:
    """What was given to which turn."""

    def __init__(self, database: Database, entries: Entries) -> None:
        self._database = database
        self._entries = entries

    def add_all(self, receipts: Sequence[Receipt]) -> None:
        """Store receipts and count the use of their entries, once, however often they are offered."""
        added = 0
        for receipt in receipts:
            values = storable((*receipt[:-2], dumps(receipt.entries), dumps(receipt.left_out)))
            if self._database.run(sql.ADD, values).rowcount:
                self._entries.count_use(receipt.used, now=receipt.created)
                added += 1
        if added:
            add_to_home_value(self._database, "count.recalls", added)

    def count(self) -> int:
        """How many are kept."""
        return int(self._database.rows(sql.COUNT_ALL)[0][0])

    def get(self, receipt_id: str) -> Receipt:
        """The receipt with this id, or a unique beginning or end of one."""
        found = find_named(self._select, sql.BY_PREFIX, sql.BY_END, receipt_id)
        if not found:
            raise NotFound(f"No receipt has the id {receipt_id!r}.")
        if len(found) > 1 and found[0].receipt_id != receipt_id:
            raise Ambiguous(f"More than one receipt matches {receipt_id!r}; give more characters.")
        return found[0]

    def last(self, *, session: str = "", turn: int | None = None, repository: str | None = None) -> Receipt | None:
        """The newest receipt, of a session, a turn and a repository where they are given."""
        statement = sql.last(session=bool(session), turn=turn is not None, repository=repository is not None)
        values: list[object] = [] if repository is None else [repository]
        values += (session, session + LAST_CHARACTER) if session else ()
        values += () if turn is None else (turn,)
        found = self._select(statement, values)
        return found[0] if found else None

    def of_session(self, session: str) -> list[Receipt]:
        """Every receipt of a session, oldest first."""
        return self._select(sql.OF_SESSION, (session,))

    def giving(self, session: str, *, limit: int) -> list[Receipt]:
        """The last receipts of a session that gave it something, or are no turns, newest first."""
        return self._select(sql.GIVING, (session, limit))

    def prompts(self, *, session: str = "", repository: str = "", since: float = 0.0, limit: int = 400) -> list[str]:
        """What was typed, newest first, in a session or else in a repository: the queries of turns, which have a
        number; a query that somebody asked memory by itself has none."""
        statement = sql.PROMPTS_OF_SESSION if session else sql.PROMPTS_OF_REPOSITORY
        rows = self._database.rows(statement, (session or repository, since, limit))
        return [row[0] for row in rows if row[0]]

    def naming(self, entry_id: str, *, limit: int = 20) -> list[Receipt]:
        """The newest receipts of turns that had this entry, given then or earlier in their session."""
        name = f'%"{entry_id}"%'
        found = self._select(sql.NAMING, (name, name, MOST_LOOKED_AT))
        return [one for one in found if one.how(entry_id)][:limit]

    def erase(self, entry_id: str) -> None:
        """Take out of every receipt why this entry came: its names stand there."""
        rows = self._database.rows(sql.ENTRIES_NAMING, (f'%"{entry_id}"%',))
        for receipt_id, entries in rows:
            kept = [{**one, "because": ""} if one.get("id") == entry_id else one for one in load_list(entries)]
            self._database.run(sql.SET_ENTRIES, (dumps(kept), receipt_id))

    def turns(self, session: str) -> int:
        """How many receipts a session has."""
        return int(self._database.rows(sql.COUNT, (session,))[0][0])

    def last_turn(self, session: str) -> tuple[int, str, float] | None:
        """(number, query, created) of the last numbered turn of a session."""
        rows = self._database.rows(sql.LAST_TURN, (session,))
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    def kept_block(self, session: str) -> str:
        """The block this session was given first; empty when it was given none."""
        rows = self._database.rows(sql.BLOCK, (session,))
        return str(rows[0][0]) if rows else ""

    def drop_block(self, session: str) -> None:
        """Forget what a session was given: its context was replaced."""
        self._database.run(sql.DROP_BLOCK, (session,))

    def frozen_block(self, session: str, block: str, *, now: float) -> str:
        """The block this session was given first; this one, when it is the first."""
        self._database.run(sql.ADD_BLOCK, (session, block, now))
        return str(self._database.rows(sql.BLOCK, (session,))[0][0])

    def prune(self, *, before: float, keep: int) -> None:
        """Drop receipts older than a time, and all but the newest ones."""
        self._database.run(sql.PRUNE_OLD, (before,))
        self._database.run(sql.PRUNE_BLOCKS, (before,))
        self._database.run(sql.PRUNE_MANY, (keep,))

    def _select(self, statement: str, values: Any) -> list[Receipt]:
        rows = self._database.rows(statement, values)
        with Suspecting(self._database):
            return [Receipt._make((*row[:-2], load_list(row[-2]), load_list(row[-1]))) for row in rows]
