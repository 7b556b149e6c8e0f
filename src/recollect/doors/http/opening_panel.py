"""/open: the one-time link of the panel becomes a cookie."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from recollect.doors.http.panel.rendering import template
from recollect.doors.http.visitors import cookie_name, panel_sessions

router = APIRouter(include_in_schema=False)

TITLE = "Open the panel from your terminal"
LINES = (
    "Run `recollect serve` and open the link that it prints. A link works once.",
    "If it is already running, press Enter in its terminal for a new link.",
)


@router.get("/open")
def open_panel(request: Request, token: str = "") -> Response:
    """Begin a session with a link that was not used yet."""
    cookie = panel_sessions(request).open(token)
    if not cookie:
        return needs_link()
    answer = RedirectResponse("/", 303)
    answer.set_cookie(cookie_name(request), cookie, httponly=True, samesite="strict", path="/")
    return answer


def needs_link() -> HTMLResponse:
    """For somebody without a session."""
    return HTMLResponse(template("outside.html", title=TITLE, lines=LINES, home=False), 401)


def not_found() -> HTMLResponse:
    """For a browser at an address that does not exist."""
    lines = ("There is no page at this address.",)
    return HTMLResponse(template("outside.html", title="Not found", lines=lines, home=True), 404)
