"""Board and inbox: what agents leave for each other, per repository and branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, page, undo_form
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.panel.words import SAID
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.model.board import AGENT, USER, BoardItem

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor

router = pages()

WHAT = "Changing the board"
TEXTS = ("src", "name", "description", "content", "origin", "made_by", "session")
NUMBERS = ("read_count", "count")


@router.get("/board")
def board(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """The items of the board here, and the inbox of the session that was last given something."""
    return _board(request, visitor, memory)


def _board(request: Request, visitor: Visitor, memory: Recollect, **values: Any) -> HTMLResponse:
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
        **values,
    )


@router.post("/board")
def add(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Put an item of one's own on it."""
    room = memory.for_person(WHAT, actor=visitor.actor).board
    room.add(form.text("name"), form.text("description"), form.text("content"))
    return back("/board", "added")


@router.post("/board/prune")
def prune(request: Request, visitor: PanelPerson, memory: Memory, form: Form) -> HTMLResponse:
    """Take an item off. All of it is in the form that puts it back, for nobody keeps it."""
    item = memory.for_person(WHAT, actor=visitor.actor).board.prune(form["name"], form["src"])
    undo = undo_form("/board/put-back", **{name: getattr(item, name) for name in (*TEXTS, *NUMBERS)})
    return _board(request, visitor, memory, toast=SAID["pruned"], undo=undo)


@router.post("/board/put-back")
def put_back(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Put an item back that was just taken off."""
    room = memory.for_person(WHAT, actor=visitor.actor).board
    src, name, description, content, origin, made_by, session = (form.text(one) for one in TEXTS)
    read_count, count = (int(form[one]) if form[one].isdecimal() else 0 for one in NUMBERS)
    room.put_back(
        BoardItem(
            *room.place, AGENT if src == AGENT else USER, name, description, content, read_count, count,
            origin, made_by, session,
        )
    )  # fmt: skip
    return back("/board", "undone")
