"""Suggestions: edits of customization files that wait for a person, by the kind of file."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form, Query
from recollect.doors.http.panel.pages.suggestion_values import suggestion_values
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.doors.suggestion_shapes import CHANGES
from recollect.errors import NotFound, RecollectError
from recollect.flows.suggestions.applying import Written
from recollect.flows.suggestions.rewording import can_reword
from recollect.model.suggestions import APPLIED, DISMISSED, TARGET_TYPES

router = pages()

TITLES = {
    "instructions": "Instructions",
    "agent": "Agents",
    "skill": "Skills",
    "prompt": "Prompts",
    "hook": "Hooks",
    "newFile": "New files",
}
SHOWN_DECIDED = 50
WHAT = "A suggestion"


@router.get("/suggestions")
def suggestions(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """What waits, grouped, or what was decided."""
    status = query["status"] if query["status"] in (APPLIED, DISMISSED) else ""
    found = memory.suggestions.list(status, everywhere=True)
    if status:  # the last decision first: that is the one to undo
        found = sorted(found, key=lambda one: one.updated, reverse=True)[:SHOWN_DECIDED]
    groups = [
        (TITLES[kind], [suggestion_values(one, memory) for one in found if one.target_type == kind])
        for kind in TARGET_TYPES
    ]
    return page(
        request,
        visitor,
        memory,
        "suggestions.html",
        header=memory.suggestions.header,
        groups=[group for group in groups if group[1]],
        status=status,
        similar=_similar(memory, query["of"]) if query["said"] == "applied" else [],
        changes=CHANGES,
    )


def _similar(memory: Memory, name: str) -> list[object]:
    try:
        return list(memory.suggestions.similar(memory.suggestions.get(name)))
    except NotFound:
        return []


@router.post("/suggestions/reconcile")
def reconcile(visitor: PanelPerson, memory: Memory) -> Response:
    """Make suggestions from what was learned, now."""
    memory.suggestions.reconcile()
    return back("/suggestions", "reconciled")


@router.post("/suggestions/apply")
def apply_several(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Apply others for the place of one that was applied."""
    problems = []
    memory = memory.for_person(WHAT, actor=visitor.actor)
    for name in form.words("names"):
        try:
            memory.suggestions.apply(name)
        except RecollectError as error:
            problems.append(str(error))
    return back("/suggestions", "not-applied" if problems else "applied")


@router.get("/suggestions/{name}")
def show(request: Request, visitor: PanelPerson, memory: Memory, name: str) -> HTMLResponse:
    """One of them, to be edited before it is applied."""
    one = memory.suggestions.get(name)
    return page(
        request, visitor, memory, "suggestion.html", can_reword=can_reword(one), **suggestion_values(one, memory)
    )


@router.post("/suggestions/{name}/apply")
def apply(visitor: PanelPerson, memory: Memory, name: str) -> Response:
    """Write what it proposes."""
    done = memory.for_person(WHAT, actor=visitor.actor).suggestions.apply(name)
    return back("/suggestions", "applied", name) if isinstance(done, Written) else back("/suggestions", "not-applied")


@router.post("/suggestions/{name}/dismiss")
def dismiss(visitor: PanelPerson, memory: Memory, name: str) -> Response:
    """Drop it; this can be undone."""
    memory.for_person(WHAT, actor=visitor.actor).suggestions.dismiss(name)
    return back("/suggestions", "dismissed", name)


@router.post("/suggestions/{name}/edit")
def edit(visitor: PanelPerson, memory: Memory, name: str, form: Form) -> Response:
    """Another sentence, or the whole file as it should be."""
    suggestions = memory.for_person(WHAT, actor=visitor.actor).suggestions
    if form["how"] == "file":
        one = suggestions.get(name)
        suggestions.edit(name, after=with_its_end(form["after"], one.after))
    else:
        suggestions.edit(name, text=form.text("text"))
    return back(f"/suggestions/{name}", "edited")


def with_its_end(edited: str, before: str) -> str:
    """What a form gave back, with the line ends and the last line as the file has them."""
    text = edited.replace("\r\n", "\n")
    if before.endswith("\n") and not text.endswith("\n"):
        text += "\n"
    return text.replace("\n", "\r\n") if "\r\n" in before else text
