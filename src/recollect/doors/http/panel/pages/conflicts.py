"""Conflicts: entries that contradict each other, side by side."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson

router = pages()


@router.get("/conflicts")
def conflicts(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """Every open contradiction."""
    return page(request, visitor, memory, "conflicts.html", pairs=memory.entries.conflicts())
