"""/v1/events: changes, and what waits for a person, as they happen. The database is looked at, so that it does not
matter which process did it."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, cast

import anyio
from fastapi import APIRouter, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, StreamingResponse

from recollect.doors.access_shapes import change_json
from recollect.doors.http.visitors import Reader, Visitor, memory_here
from recollect.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Scope, Send

    from recollect.flows.access.activity import Seen

router = APIRouter(tags=["events"])

LOOK_SECONDS = 0.5
BEAT_SECONDS = 15.0  # a connection that is gone is noticed when something is sent
RETRY_MILLISECONDS = 2_000
MOST_AT_ONCE = 200  # changes in one look
MOST_STREAMS = 64
MOST_EACH = 16  # of one program, or of the person's browsers


class NoLongerAllowed(Exception):
    """The token of a listener was taken back."""


class Streams:
    """How many listen."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def number(self) -> int:
        """How many there are."""
        return self._open.total()

    def enter(self, who: str) -> bool:
        """May they listen once more?"""
        with self._lock:
            if self.number >= MOST_STREAMS or self._open[who] >= MOST_EACH:
                return False
            self._open[who] += 1
            return True

    def leave(self, who: str) -> None:
        """One less."""
        with self._lock:
            self._open[who] -= 1
            self._open += Counter()  # without those who have none


@router.get("/v1/events", response_model=None, responses={200: {"content": {"text/event-stream": {}}}})
def events(
    request: Request,
    visitor: Reader,
    after: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> StreamingResponse:
    """A stream of events: `change` with who did what, `pending` and `suggestions` with how many wait, `notification`
    with what the person is told of suggestions. With Last-Event-ID it goes on where it was cut off. It ends when the
    token is taken back."""
    seen = memory_here(request).activity.seen()
    if after.isascii() and after.isdigit():
        seen = seen._replace(change=min(int(after), seen.change))
    return Listening(request, visitor, seen)


class Listening(StreamingResponse):
    """A stream that has one of the places for listeners for as long as it lasts."""

    def __init__(self, request: Request, visitor: Visitor, seen: Seen) -> None:
        stream = _stream(request, visitor, seen)
        super().__init__(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
        self._streams = cast("Streams", request.app.state.streams)
        self._who = visitor.key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell what happens, or that there is no place."""
        if not self._streams.enter(self._who):
            full = JSONResponse({"detail": "Too many listeners already."}, 503, {"Retry-After": "5"})
            await full(scope, receive, send)
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.leave(self._who)


async def _stream(request: Request, visitor: Visitor, seen: Seen) -> AsyncIterator[str]:
    yield f"retry: {RETRY_MILLISECONDS}\n\n" + _event("pending", {"count": seen.pending})
    yield _event("suggestions", {"count": seen.suggestions})
    spoke = time.monotonic()
    while not request.app.state.is_stopping():
        try:
            told, seen = await run_in_threadpool(_news, request, visitor, seen)
        except NoLongerAllowed:
            return
        except StoreError:
            told = []  # locked, or replaced meanwhile: the next look will tell
        if told or time.monotonic() - spoke > BEAT_SECONDS:
            yield "".join(told) or ": still here\n\n"
            spoke = time.monotonic()
        await anyio.sleep(LOOK_SECONDS)


def _news(request: Request, visitor: Visitor, before: Seen) -> tuple[list[str], Seen]:
    """What happened since, as events, and how things stand now."""
    # Not the memory that the stream began with: another database may have been put in its place.
    memory = memory_here(request)
    if not visitor.is_person and not memory.tokens.is_held(visitor.token_id):
        raise NoLongerAllowed
    now = memory.activity.seen()
    told: list[str] = []
    if now.change > before.change:
        made = memory.activity.after(before.change, limit=MOST_AT_ONCE)
        told += [_event("change", change_json(one), one.change.change_id) for one in made]
        now = now._replace(change=made[-1].change.change_id if made else now.change)
    for name in ("pending", "suggestions"):
        if getattr(now, name) != getattr(before, name):
            told.append(_event(name, {"count": getattr(now, name)}))
    if now.told > before.told:
        told += [
            _event("notification", {"text": one.text, "suggestions": one.suggestion_ids})
            for one in memory.activity.notices(before.told)
        ]
    return told, now


def _event(name: str, data: dict[str, Any], event_id: int = 0) -> str:
    number = f"id: {event_id}\n" if event_id else ""
    return f"{number}event: {name}\ndata: {json.dumps(data)}\n\n"
