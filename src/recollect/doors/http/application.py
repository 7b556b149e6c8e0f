"""The application: every route, behind the guard."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from recollect.doors.http import opening_panel, panel
from recollect.doors.http.api import board, decisions, events, home, memories, prompt, recall, sessions
from recollect.doors.http.failures import RESPONSES, add_failures, told
from recollect.doors.http.guarding import Guard, names_for
from recollect.doors.http.limiting import Limits
from recollect.doors.http.panel_sessions import PanelSessions
from recollect.doors.http.recording import Numbers, Recorder
from recollect.doors.http.visitors import NeedsLink
from recollect.text.addresses import is_loopback
from recollect.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from recollect.doors.http.memories import Memories
    from recollect.doors.mcp.server import Door

STATIC_FOLDER = os.path.join(os.path.dirname(os.path.abspath(panel.__file__)), "static")
PROGRAMS = ("/v1/", "/mcp")  # what is below is for programs
API = (prompt, memories, recall, sessions, board, decisions, events, home)


def build(
    opened: Memories,
    *,
    host: str = "127.0.0.1",
    panel_sessions: PanelSessions | None = None,
    door: Door | None = None,
) -> FastAPI:
    """The application for a server that listens on `host`, with MCP where there is a door for it. Handlers find the
    memories through `visitors.Memory`."""
    here = opened.at()
    settings = here.settings.serve
    # The pages that FastAPI has for its document load scripts from elsewhere.
    app = FastAPI(title="Recollect", version=__version__, docs_url=None, redoc_url=None, lifespan=_lifespan)
    app.state.memories = opened
    app.state.panel_sessions = panel_sessions or PanelSessions()
    app.state.is_local = is_loopback(host)
    app.state.limits = Limits(settings.requests_per_minute)
    app.state.numbers = Numbers()
    app.state.streams = events.Streams()
    app.state.is_stopping = lambda: False
    app.state.mcp = None
    app.add_middleware(Guard, names=names_for(host), body_bytes=settings.max_body_bytes)
    app.add_middleware(Recorder, numbers=app.state.numbers, logs=here.home.logs)
    add_failures(app)
    app.add_exception_handler(NeedsLink, _needs_link)
    app.add_exception_handler(404, _not_found)
    for part in API:
        app.include_router(part.router, responses=RESPONSES)
    app.include_router(opening_panel.router)
    app.include_router(panel.router)
    app.mount("/static", StaticFiles(directory=STATIC_FOLDER), name="static")
    if door is not None:
        from recollect.doors.http.mcp_door import PATH, McpDoor, mcp_application

        app.state.mcp = mcp_application(door)
        app.router.routes.append(Route(PATH, endpoint=McpDoor(app.state.mcp)))
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """MCP keeps its sessions for as long as the application runs."""
    if app.state.mcp is None:
        yield
        return
    async with app.state.mcp.router.lifespan_context(app.state.mcp):
        yield


def _not_found(request: Request, error: Exception) -> Response:
    """Whoever looks at an address of the panel gets a page, a program the sentence."""
    wanted = request.headers.get("accept", "*/*")
    is_page = "text/html" in wanted or ("*/*" in wanted and not request.url.path.startswith(PROGRAMS))
    if request.method == "GET" and is_page:
        return opening_panel.not_found()
    return told(request, error)


def _needs_link(request: Request, _: Exception) -> Response:
    return opening_panel.needs_link()
