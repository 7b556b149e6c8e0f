"""The application: every route, behind the guard."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from recollect.doors.http import opening_panel, panel
from recollect.doors.http.guarding import Guard, names_for
from recollect.doors.http.panel_sessions import PanelSessions
from recollect.doors.http.visitors import NeedsLink, OtherForm
from recollect.version import __version__

if TYPE_CHECKING:
    from recollect.doors.http.memories import Memories

STATIC_FOLDER = os.path.join(os.path.dirname(os.path.abspath(panel.__file__)), "static")


def build(memories: Memories, *, host: str = "127.0.0.1", panel_sessions: PanelSessions | None = None) -> FastAPI:
    """The application for a server that listens on `host`. Handlers find the memories through `visitors.Memory`."""
    # The pages that FastAPI has for its document load scripts from elsewhere.
    app = FastAPI(title="Recollect", version=__version__, docs_url=None, redoc_url=None)
    app.state.memories = memories
    app.state.panel_sessions = panel_sessions or PanelSessions()
    app.add_middleware(Guard, names=names_for(host))
    app.add_exception_handler(NeedsLink, _needs_link)
    app.add_exception_handler(OtherForm, _other_form)
    app.include_router(opening_panel.router)
    app.include_router(panel.router)
    app.mount("/static", StaticFiles(directory=STATIC_FOLDER), name="static")
    return app


def _needs_link(request: Request, _: Exception) -> Response:
    return opening_panel.needs_link()


def _other_form(request: Request, _: Exception) -> Response:
    return JSONResponse({"detail": "This form is not from a page of your session; load the page again."}, 403)
