"""Home: what it knows, what waits, what contradicts, the last sessions."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.pages.listed_sessions import listed_sessions
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.model.browsing import EntryFilter
from recollect.text.ids import SUGGESTION

router = pages()

SHOWN = 6


@router.get("/")
def home(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """Everything at a glance."""
    counts = memory.browsing.counts()
    newest = memory.browsing.page(EntryFilter(status="active", layer="L1")).entries[:SHOWN]
    return page(
        request,
        visitor,
        memory,
        "home.html",
        counts=counts,
        total=sum(counts.values()),
        newest=newest,
        sessions=listed_sessions(memory, limit=SHOWN),
        sessions_count=memory.sessions.count(),
        subagents_count=memory.sessions.subagent_count(),
        profile=memory.profile.show(),
        last=memory.browsing.last_given(),
    )


@router.post("/undo")
def undo(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Take back what was last done to something, or what was decided about it."""
    name = form["of"]
    memory = memory.for_person("A decision", actor=visitor.actor)
    if name.startswith(SUGGESTION):
        memory.suggestions.undo(name)
        return back("/suggestions", "undone")
    undone = memory.undo(name)
    return back(f"/memories/{undone.entries[0].entry_id}" if undone.entries else "/", "undone")
