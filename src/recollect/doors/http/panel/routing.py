"""Routes of pages: what was refused is told on a page, and not as an error of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute

from recollect.doors.http.panel.rendering import page
from recollect.doors.http.visitors import memory_here, panel_person
from recollect.errors import Ambiguous, NotFound, RecollectError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from starlette.responses import Response

NOT_FOUND, REFUSED, BROKEN = 404, 409, 503


class _Page(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except RecollectError as error:
                return await _problem(request, error)

        return handle


async def _problem(request: Request, error: RecollectError) -> Response:
    visitor = await panel_person(request)
    status = (
        NOT_FOUND if isinstance(error, (NotFound, Ambiguous)) else BROKEN if isinstance(error, StoreError) else REFUSED
    )
    title = {NOT_FOUND: "Not found", REFUSED: "Not done", BROKEN: "The database could not be used"}[status]
    is_part = "hx-request" in request.headers
    # A part of a page is not replaced by the message: it is shown beside what is there.
    told = page(
        request, visitor, memory_here(request), "problem.html",
        code=status, title=title, why=str(error), problem=str(error) if is_part else "", came_from=_came_from(request),
    )  # fmt: skip
    if is_part:
        told.headers["HX-Reswap"] = "none"
    return told


def _came_from(request: Request) -> str:
    """The page of ours that the request was made on, or the first one."""
    page = urlsplit(request.headers.get("referer", ""))
    if page.netloc != request.url.netloc or not page.path.startswith("/") or page.path.startswith("//"):
        return "/"
    return f"{page.path}?{page.query}" if page.query else page.path


def pages() -> APIRouter:
    """The routes of one page."""
    return APIRouter(route_class=_Page)
