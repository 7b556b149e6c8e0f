"""Board and inbox: what agents leave for each other, per repository and branch."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson

router = pages()

WHAT = "Changing the board"


@router.get("/board")
def board(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """The items of the board here, and the inbox of the session that was last given something."""
    room = memory.board
    return page(
        request,
        visitor,
        memory,
        "board.html",
        items=room.list(),
        branch=room.place.branch,
        has_branches=room.has_branches,
        is_on_board=room.is_on,
        letters=memory.background.inbox().list(),
    )


@router.post("/board")
def add(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Put an item of one's own on it."""
    room = memory.for_person(WHAT, actor=visitor.actor).board
    room.add(form.text("name"), form.text("description"), form.text("content"))
    return back("/board", "added")


@router.post("/board/prune")
def prune(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Take an item off."""
    memory.for_person(WHAT, actor=visitor.actor).board.prune(form["name"], form["src"])
    return back("/board", "pruned")
