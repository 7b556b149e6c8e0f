"""Who may use the panel: a one-time link becomes a session in a cookie, kept for as long as the server runs.

Another account of this machine can reach the port, but has neither the link nor the cookie."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET_BYTES = 32
LINK_SECONDS = 900.0
MOST = 64  # links and sessions; the oldest go first


class PanelSessions:
    """Links that were not used yet, and the sessions that came of them. Only digests are kept."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._links: dict[str, float] = {}  # digest, and until when it may be used
        self._sessions: dict[str, str] = {}  # digest of the cookie, and the token that every form carries
        self._lock = threading.Lock()

    def new_link(self) -> str:
        """A token that opens the panel once."""
        token = secrets.token_urlsafe(SECRET_BYTES)
        with self._lock:
            self._links[_digest(token)] = self._clock() + LINK_SECONDS
            _shorten(self._links)
        return token

    def open(self, token: str) -> str:
        """The cookie of a new session; empty when the link was used before, is too old or was never given out."""
        with self._lock:
            until = self._links.pop(_digest(token), 0.0)
            if self._clock() >= until:
                return ""
            cookie = secrets.token_urlsafe(SECRET_BYTES)
            self._sessions[_digest(cookie)] = secrets.token_urlsafe(SECRET_BYTES)
            _shorten(self._sessions)
            return cookie

    def form_token(self, cookie: str) -> str:
        """What forms of this session carry; empty when there is no such session."""
        return self._sessions.get(_digest(cookie), "") if cookie else ""

    def is_own_form(self, cookie: str, given: str) -> bool:
        """Does a form come from a page of this session?"""
        expected = self.form_token(cookie)
        return bool(expected) and hmac.compare_digest(expected.encode(), given.encode())

    def close(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_digest(cookie), None)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _shorten(kept: dict[str, float] | dict[str, str]) -> None:
    while len(kept) > MOST:
        kept.pop(next(iter(kept)))
