"""Tokens of programs that use the service, and the answers that were kept for them."""

from __future__ import annotations

from recollect.errors import Ambiguous, NotFound
from recollect.model.access import KeptAnswer, Token
from recollect.store.rows import LAST_CHARACTER
from recollect.store.statements import tokens as sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.store.database import Database


class Tokens:
    """Who may use the service."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, token: Token) -> None:
        """Keep a token; needs a write()."""
        self._database.run(sql.ADD, token)

    def listed(self) -> list[Token]:
        """Every token, newest first."""
        return [Token._make(row) for row in self._database.rows(sql.ALL)]

    def count(self) -> int:
        """How many there are."""
        return int(self._database.rows(sql.COUNT)[0][0])

    def with_digest(self, digest: str) -> Token | None:
        """The token that has this digest."""
        rows = self._database.rows(sql.BY_DIGEST, (digest,))
        return Token._make(rows[0]) if rows else None

    def get(self, name: str) -> Token:
        """The token of this name, or with this id or unique prefix of one."""
        rows = self._database.rows(sql.NAMED, (name, name, name + LAST_CHARACTER)) if name else []
        if not rows:
            raise NotFound(f"No token is called {name!r}; `recollect token list` shows all tokens.")
        if len(rows) > 1:
            raise Ambiguous(f"More than one token starts with {name!r}; give more characters.")
        return Token._make(rows[0])

    def revoke(self, token_id: str) -> None:
        """Take a token back; needs a write()."""
        self._database.run(sql.REVOKE, (token_id,))

    def mark_used(self, token_id: str, *, now: float) -> None:
        """Note that it was used; needs a write()."""
        self._database.run(sql.USED, (now, token_id))

    def answer(self, asker: str, key: str) -> KeptAnswer | None:
        """What this asker was answered under this key."""
        rows = self._database.rows(sql.ANSWER, (asker, key))
        return KeptAnswer._make(rows[0]) if rows else None

    def keep_answer(self, asker: str, key: str, kept: KeptAnswer, *, now: float) -> None:
        """Keep an answer; needs a write()."""
        self._database.run(sql.KEEP, (asker, key, *kept, now))

    def prune_answers(self, *, before: float) -> None:
        """Drop answers that nobody asks for again; needs a write()."""
        self._database.run(sql.PRUNE, (before,))
