"""Board and inbox: what agents leave for each other, per repository and branch."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson

router = pages()


@router.get("/board")
def board(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """The items of the board here."""
    return page(request, visitor, memory, "board.html", items=[])
