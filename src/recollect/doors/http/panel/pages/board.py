"""Board and inbox: what agents leave for each other, per repository and branch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.errors import Refused

if TYPE_CHECKING:
    from recollect.app import Recollect

router = pages()

WHAT = "What is on the board"


@router.get("/board")
def board(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """The items of the board here, and the inbox of the session that was last given something."""
    room, agents = _room(memory, "board"), _room(memory, "background")
    return page(
        request,
        visitor,
        memory,
        "board.html",
        items=room.list() if room else [],
        branch=room.place.branch if room else "",
        is_on_board=bool(room and room.is_on),
        letters=agents.inbox().list() if agents else [],
    )


@router.post("/board")
def add(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Put an item of one's own on it."""
    _require_room(memory.for_person(WHAT, actor=visitor.actor)).add(
        form.text("name"), form.text("description"), form.text("content")
    )
    return back("/board", "added")


@router.post("/board/prune")
def prune(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Take an item off."""
    _require_room(memory.for_person(WHAT, actor=visitor.actor)).prune(form["name"], form["src"])
    return back("/board", "pruned")


def _require_room(memory: Recollect) -> Any:
    room = _room(memory, "board")
    if room is None:
        raise Refused("There is no board here.")
    return room


def _room(memory: Recollect, name: str) -> Any:
    return getattr(memory, name, None)
