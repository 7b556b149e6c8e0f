"""Preview: byte for byte what the next session of a host would get, and what a prompt would add."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.forms import Query
from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.flows.views.preview import preview
from recollect.model.hosts import HOOKED, TITLES

router = pages()


@router.get("/preview")
def show(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """The start of a session, and a prompt if one was typed."""
    host = query["host"] if query["host"] in HOOKED else ""
    found = preview(memory.opened, query.text("prompt"), host=host)
    hosts = [(name, TITLES[name]) for name in HOOKED]
    return page(request, visitor, memory, "preview.html", found=found, hosts=hosts, prompt=query.text("prompt"))
