"""Import and export: everything out, everything back, safety copies, and one page of what it knows."""

from __future__ import annotations

import time

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, namer, page, template
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.errors import NotFound, UsageError
from recollect.flows.views.transfer import as_document, as_text

router = pages()

TYPES = {"json": "application/json", "md": "text/markdown; charset=utf-8", "html": "text/html; charset=utf-8"}
MOST_SHOWN = 20_000


@router.get("/transfer")
def transfer(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """What can be done."""
    return page(request, visitor, memory, "transfer.html", copies=memory.copies.listed(), home=memory.home.root)


@router.get("/transfer/export.{form}")
def export(visitor: PanelPerson, memory: Memory, form: str) -> Response:
    """Everything as a file: JSON or Markdown that can be loaded again, or a page to read and keep."""
    if form not in TYPES:
        raise NotFound("An export is json, md or html.")
    if form == "html":
        text = template(
            "export.html", name_of=namer(memory), entries=memory.browsing.everything(limit=MOST_SHOWN), at=time.time()
        )
    else:
        text = as_text(memory.transfer.export(), "markdown" if form == "md" else "json")
    name = f"recollect-{time.strftime('%Y-%m-%d')}.{form}"
    return Response(
        text.encode("utf-8", "replace"),
        media_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post("/transfer/load")
def load(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Bring an export back; what is here already stays as it is."""
    if not form["file"].strip():
        raise UsageError("Choose a file first.")
    document = as_document(form["file"])
    memory.for_person("Loading an export", actor=visitor.actor).transfer.load(document, mine=form["mine"] == "yes")
    return back("/memories", "loaded")


@router.post("/transfer/import")
def import_sessions(visitor: PanelPerson, memory: Memory) -> Response:
    """Bring in what is new in the logs of every host, and learn from it."""
    past = memory.for_person("Importing sessions", actor=visitor.actor).sessions
    logs, skipped = past.logs()
    past.import_logs(logs, skipped=skipped)
    past.digest()
    return back("/sessions", "imported")


@router.post("/transfer/copy")
def copy(visitor: PanelPerson, memory: Memory) -> Response:
    """Make a safety copy now."""
    memory.for_person("A safety copy", actor=visitor.actor).copies.make()
    return back("/transfer", "backed-up")


@router.post("/transfer/restore")
def restore(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Put a safety copy in the place of everything; a copy of how it was is made first."""
    memory.for_person("Restoring a safety copy", actor=visitor.actor).copies.restore(form["name"])
    return back("/transfer", "restored")
