"""Project memory: what past sessions of a project left, with its evidence, the jobs behind it and what they cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form, Query
from recollect.doors.http.panel.markdown import rendered
from recollect.doors.http.panel.rendering import back, namer, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson, memories_of
from recollect.errors import NotFound

if TYPE_CHECKING:
    from recollect.app import Recollect

router = pages()

SHOWN = 20
KINDS = {"memories": "Look for finished sessions", "extract": "Read a session", "consolidate": "Write up a project"}
STATES = {"waiting": "waiting", "running": "running", "done": "done", "dead": "given up"}
WHAT = "Changing the memory of a project"


@router.get("/autonomous")
def autonomous(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """The artifacts of a project, rendered."""
    chosen = query["repository"] or memory.repository.repository
    artifacts = _memory_of(request, chosen, memory).artifacts
    standing = artifacts.status()
    names = list(standing.files)
    places = [one for one, _ in memory.browsing.repositories() if one]
    name = query["name"] if query["name"] in names else (names[0] if names else "")
    return page(
        request,
        visitor,
        memory,
        "autonomous.html",
        standing=standing,
        queue=Counter(job.status for job in standing.jobs),
        jobs=sorted(standing.jobs, key=lambda job: -job.updated)[:SHOWN],
        kinds=KINDS,
        states=STATES,
        names=names,
        name=name,
        text=rendered(artifacts.look(name)) if name else "",
        chosen=chosen,
        repositories=places,
        pairs=list(zip(places, map(namer(memory), places), strict=True)),
        expected=artifacts.expected_tokens(),
    )


@router.post("/autonomous/{action}")
def act(request: Request, visitor: PanelPerson, memory: Memory, action: str, form: Form) -> Response:
    """Rebuild it here and now, or go back to the version before."""
    chosen = form["repository"]
    artifacts = _memory_of(request, chosen, memory).for_person(WHAT, actor=visitor.actor).artifacts
    to = f"/autonomous?{urlencode({'repository': chosen})}" if chosen else "/autonomous"
    if action == "rebuild":
        built = artifacts.rebuild()
        return back(to, "not-rebuilt" if built.consolidated.why else "rebuilt")
    if action != "undo":
        raise NotFound("Project memory can be rebuilt or undone.")
    artifacts.undo()
    return back(to, "undone")


def _memory_of(request: Request, repository: str, memory: Recollect) -> Recollect:
    is_known = repository in [one for one, _ in memory.browsing.repositories()]
    return memories_of(request).at(repository) if repository and is_known else memory
