"""/v1/events: changes, and what waits for a person, as they happen. The database is looked at, so that it does not
matter which process did it."""

from __future__ import annotations

import json
import threading
import time
from typing import TYPE_CHECKING, Annotated, Any, cast

import anyio
from fastapi import APIRouter, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from recollect.doors.access_shapes import change_json
from recollect.doors.http.failures import Problem
from recollect.doors.http.visitors import Memory, Reader
from recollect.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from recollect.app import Recollect
    from recollect.flows.access.activity import Seen

router = APIRouter(tags=["events"])

LOOK_SECONDS = 0.5
BEAT_SECONDS = 15.0  # a connection that is gone is noticed when something is sent
RETRY_MILLISECONDS = 2_000
MOST_AT_ONCE = 200  # changes in one look
MOST_STREAMS = 64


class Streams:
    """How many listen."""

    def __init__(self) -> None:
        self._open = 0
        self._lock = threading.Lock()

    def enter(self) -> bool:
        """May one more listen?"""
        with self._lock:
            if self._open >= MOST_STREAMS:
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        """One less."""
        with self._lock:
            self._open -= 1


@router.get("/v1/events", response_model=None, responses={200: {"content": {"text/event-stream": {}}}})
def events(
    request: Request,
    visitor: Reader,
    memory: Memory,
    after: Annotated[str, Header(alias="Last-Event-ID", max_length=20)] = "",
) -> StreamingResponse:
    """A stream of events: `change` with who did what, `pending` and `suggestions` with how many wait. With
    Last-Event-ID it goes on where it was cut off."""
    streams = cast("Streams", request.app.state.streams)
    if not streams.enter():
        raise Problem(503, "Too many listen already.", {"Retry-After": "5"})
    seen = memory.activity.seen()
    if after.isascii() and after.isdigit():
        seen = seen._replace(change=min(int(after), seen.change))
    stream = _stream(request, memory, seen, streams)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _stream(request: Request, memory: Recollect, seen: Seen, streams: Streams) -> AsyncIterator[str]:
    try:
        yield f"retry: {RETRY_MILLISECONDS}\n\n" + _event("pending", {"count": seen.pending})
        yield _event("suggestions", {"count": seen.suggestions})
        spoke = time.monotonic()
        while not request.app.state.is_stopping():
            try:
                told, seen = await run_in_threadpool(_news, memory, seen)
            except StoreError:
                told = []  # locked, or replaced meanwhile: the next look will tell
            if told or time.monotonic() - spoke > BEAT_SECONDS:
                yield "".join(told) or ": still here\n\n"
                spoke = time.monotonic()
            await anyio.sleep(LOOK_SECONDS)
    finally:
        streams.leave()


def _news(memory: Recollect, before: Seen) -> tuple[list[str], Seen]:
    """What happened since, as events, and how things stand now."""
    now = memory.activity.seen()
    told: list[str] = []
    if now.change > before.change:
        made = memory.activity.after(before.change, limit=MOST_AT_ONCE)
        told += [_event("change", change_json(one), one.change.change_id) for one in made]
        now = now._replace(change=made[-1].change.change_id if made else now.change)
    for name in ("pending", "suggestions"):
        if getattr(now, name) != getattr(before, name):
            told.append(_event(name, {"count": getattr(now, name)}))
    return told, now


def _event(name: str, data: dict[str, Any], event_id: int = 0) -> str:
    number = f"id: {event_id}\n" if event_id else ""
    return f"{number}event: {name}\ndata: {json.dumps(data)}\n\n"
