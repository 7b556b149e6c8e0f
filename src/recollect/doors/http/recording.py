"""What is noted of requests: numbers for /metrics, and a line in the log for whoever changed or was refused a thing."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from recollect.doors.http.visitors import SAFE
from recollect.files.logs.json_log import log_event

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG_NAME = "http.log"
REFUSALS = (401, 403, 413, 421, 429)
LONGEST_PATH = 300


class Numbers:
    """Requests by method and status, and how long they took."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds = 0.0

    def add(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        with self._lock:
            self._requests[method, status] += 1
            self._seconds += seconds

    def taken(self) -> tuple[dict[tuple[str, int], int], float]:
        """Requests so far by method and status, and the seconds that they took together."""
        with self._lock:
            return dict(self._requests), self._seconds


class Recorder:
    """Counts every request, and notes who did what in logs/http.log."""

    def __init__(self, app: ASGIApp, *, numbers: Numbers, logs: str) -> None:
        self._app = app
        self._numbers = numbers
        self._path = os.path.join(logs, LOG_NAME)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note what came of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 500, time.monotonic()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.monotonic() - began
            self._numbers.add(_method(scope), status, seconds)
            if scope["method"] not in SAFE or status in REFUSALS:
                await run_in_threadpool(self._note, scope, status, seconds)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        client = scope.get("client")
        details: dict[str, object] = {
            "who": scope.get("state", {}).get("visitor", ""),
            "method": _method(scope),
            "path": scope["path"][:LONGEST_PATH],
            "status": status,
            "seconds": round(seconds, 3),
            "from": client[0] if client else "",
        }
        log_event(self._path, "request", now=time.time(), details=details)


def _method(scope: Scope) -> str:
    known = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
    return scope["method"] if scope["method"] in known else "other"
