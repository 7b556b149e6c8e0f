"""/open: the one-time link of the panel becomes a cookie."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from recollect.doors.http.visitors import cookie_name, panel_sessions

router = APIRouter(include_in_schema=False)

NEEDS_LINK = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Recollect</title>
<h1>Open the panel from your terminal</h1>
<p>Run <code>recollect serve</code> and open the link that it prints. A link works once.</p>
</html>
"""


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
    return HTMLResponse(NEEDS_LINK, 401)
