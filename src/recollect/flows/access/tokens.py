"""Tokens: which programs may use the service, with which scope. A token is shown once and kept as a digest."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from recollect.errors import Refused, StoreError, UsageError
from recollect.model.access import ACCESS_SCOPES, Token
from recollect.text import ids

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

PREFIX = "rcl_"
SECRET_BYTES = 32
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
PERSON = "user"  # is the person's name wherever it is noted who did something
USED_SECONDS = 3_600.0  # between two notes that a token was used


class AccessTokens:
    """The tokens of this home; only a person adds and revokes them."""

    def __init__(self, memory: Opened) -> None:
        self._memory = memory
        self._store = memory.store

    def add(self, name: str, scope: str = "read") -> tuple[Token, str]:
        """A new token, and what a program has to send. That cannot be shown again."""
        if not NAME.fullmatch(name):
            raise UsageError("A token's name has at most 64 letters, digits, dots, dashes and underscores.")
        if name == PERSON:
            raise UsageError(f"{name} is the name that stands for you; choose another name.")
        if scope not in ACCESS_SCOPES:
            raise UsageError(f"{scope!r} is not a scope; choose {', '.join(ACCESS_SCOPES)}.")
        secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        memory = self._memory
        token = Token(memory.new_id(ids.TOKEN), name, scope, digest_of(secret), memory.now)  # type: ignore[arg-type]
        with self._store.write():
            if any(one.name == name for one in self._store.tokens.listed()):
                raise Refused(f"There is already a token called {name}; revoke it first or choose another name.")
            self._store.tokens.add(token)
        return token, secret

    def listed(self) -> list[Token]:
        """Every token, newest first."""
        return self._store.tokens.listed()

    def count(self) -> int:
        """How many there are."""
        return self._store.tokens.count()

    def revoke(self, name: str) -> Token:
        """Take a token back, by its name or id; it is refused from the next request on."""
        with self._store.write():
            token = self._store.tokens.get(name)
            self._store.tokens.revoke(token.token_id)
        return token

    def is_held(self, token_id: str) -> bool:
        """Is this token still given out?"""
        return any(one.token_id == token_id for one in self._store.tokens.listed())

    def holder(self, secret: str) -> Token | None:
        """Whose token this is; None when it was never given out or was taken back."""
        token = self._store.tokens.with_digest(digest_of(secret))
        if token and self._memory.now - token.last_used > USED_SECONDS:
            self._note_use(token)
        return token

    def _note_use(self, token: Token) -> None:
        try:
            with self._store.write(durable=False, wait_seconds=0.0):
                self._store.tokens.mark_used(token.token_id, now=self._memory.now)
        except StoreError:
            return  # somebody is writing; the next request notes it


def digest_of(secret: str) -> str:
    """What is kept of a token. It is long and random, so that one digest is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
