"""Changing who may use the service over HTTP."""

from __future__ import annotations

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    AccessScope = Literal["read", "write", "admin"]

# Each includes those before it.
ACCESS_SCOPES = ("read", "write", "admin")


class Token(Record):
    """A program that may use the service. The token itself is not kept, only its digest."""

    token_id: str
    name: str
    scope: AccessScope
    digest: str
    created: float
    last_used: float = 0.0  # to the hour; 0: never


class KeptAnswer(Record):
    """What was answered to a request that carried a key."""

    request: str  # digest of what was asked
    status: int
    answer: str
