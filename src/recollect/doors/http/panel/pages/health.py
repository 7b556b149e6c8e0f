"""Health: what `recollect doctor` finds."""

from __future__ import annotations

import time

from fastapi import Request
from fastapi.responses import HTMLResponse

from recollect.doors.http.panel.rendering import page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.flows.setup.doctor import examine

router = pages()


@router.get("/health")
def health(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """Everything that could be wrong, and what helps."""
    opened = memory.opened
    findings = examine(memory.home, opened.environ, folder=memory.folder, now=time.time())
    return page(request, visitor, memory, "health.html", findings=findings)
