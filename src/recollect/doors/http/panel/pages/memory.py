"""One entry: what it says and rests on, its history, and everything a person can do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.http.panel.forms import Form
from recollect.doors.http.panel.rendering import back, page
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.errors import Refused, UsageError
from recollect.flows.access.versions import ChangedMeanwhile, change_if_unchanged, entry_version
from recollect.flows.writes.actors import Person
from recollect.text.side_by_side import side_by_side

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Entry

router = pages()

NEW: dict[str, Any] = {
    "title": "Remember something",
    "lead": "A sentence or two that will still make sense in a year.",
    "action": "/memories/new",
    "cancel": "/memories",
    "entry": None,
    "choices": (),
    "is_correction": False,
}
CONFLICT = 409


@router.get("/memories/new")
def new(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """An empty form."""
    return page(request, visitor, memory, "remember.html", **NEW, text="")


@router.post("/memories/new")
def remember(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Store an entry."""
    layer, scope = form["layer"] or "L1", form["scope"] or "user"
    draft = memory.entries.draft(
        form.text("text"),
        layer="L0" if layer == "L0" else "L1",
        scope="repository" if scope == "repository" and layer != "L0" else "user",
        tags=form.words("tags"),
    )
    outcome = _done(memory.writes(visitor.actor).store(draft))
    said = "known" if outcome.status == "duplicate" else "remembered"
    return back(f"/memories/{outcome.entry_id}", said, outcome.entry_id)


@router.get("/memories/{entry_id}")
def show(request: Request, visitor: PanelPerson, memory: Memory, entry_id: str) -> HTMLResponse:
    """An entry with all its surroundings."""
    details = memory.entries.show(entry_id)
    cited = [_cited(one) for one in memory.browsing.cited(details.entry)]
    return page(
        request,
        visitor,
        memory,
        "memory.html",
        entry=details.entry,
        details=details,
        check=details.check,
        cited=cited,
        is_editing=False,
    )


def _cited(one: Any) -> dict[str, Any]:
    changed = one.then is not None and one.then != one.now
    first = one.citation.start or 1, one.first or 1
    rows = side_by_side("\n".join(one.then), "\n".join(one.now), first=first) if changed else []
    return {**one._asdict(), "rows": rows}


@router.get("/memories/{entry_id}/edit")
def edit(request: Request, visitor: PanelPerson, memory: Memory, entry_id: str) -> HTMLResponse:
    """The form in the entry's place."""
    entry = memory.entries.get(entry_id)
    return _editing(request, visitor, memory, entry, text=entry.content)


@router.post("/memories/{entry_id}/edit")
def save(request: Request, visitor: PanelPerson, memory: Memory, entry_id: str, form: Form) -> Response:
    """Save what was edited, unless somebody else changed the entry since the form was made: then both are shown."""

    def replace() -> Outcome:
        draft = memory.entries.edited(
            entry_id, text=form.text("text"), tags=form.words("tags"), subject=form.text("subject")
        )
        return memory.writes(visitor.actor).replace(entry_id, draft._replace(source="user", origin="typed"))

    try:
        outcome = _done(change_if_unchanged(entry_id, [form["version"]], replace, memory.opened))
    except ChangedMeanwhile:
        now = _latest(entry_id, memory)
        fields = {"tags": form["tags"], "subject": form["subject"]}
        return _editing(
            request, visitor, memory, now, text=form.text("text"), theirs=now.content, code=CONFLICT, **fields
        )
    return back(f"/memories/{outcome.entry_id}", "edited", outcome.entry_id)


def _latest(entry_id: str, memory: Recollect) -> Entry:
    """The entry as it says now: what replaced it, if something did."""
    entry, seen = memory.entries.get(entry_id), {entry_id}
    while entry.superseded_by and entry.superseded_by not in seen:
        seen.add(entry.superseded_by)
        entry = memory.entries.get(entry.superseded_by)
    return entry


def _editing(
    request: Request, visitor: Visitor, memory: Recollect, entry: Entry, *, code: int = 200, **values: Any
) -> HTMLResponse:
    usual = {"tags": ", ".join(entry.tags), "subject": entry.subject, "theirs": "", "version": entry_version(entry)}
    return page(request, visitor, memory, "memory.html", code=code, entry=entry, is_editing=True, **{**usual, **values})


@router.get("/memories/{entry_id}/correct")
def correct(request: Request, visitor: PanelPerson, memory: Memory, entry_id: str) -> HTMLResponse:
    """Say what is right instead."""
    entry = memory.entries.get(entry_id)
    values: dict[str, Any] = {
        **NEW,
        "title": "Correct",
        "lead": "Say what is right. The old entry is replaced and will not come back from a later session.",
        "action": f"/memories/{entry.entry_id}/correct",
        "cancel": f"/memories/{entry.entry_id}",
        "entry": entry,
        "is_correction": True,
    }
    return page(request, visitor, memory, "remember.html", **values, text=entry.content)


@router.post("/memories/{entry_id}/correct")
def save_correction(visitor: PanelPerson, memory: Memory, entry_id: str, form: Form) -> Response:
    """What is right, in the place of the entry."""
    draft = memory.entries.draft(form.text("text"))
    outcome = _done(memory.writes(visitor.actor).correct(draft, entry_id=entry_id))
    return back(f"/memories/{outcome.entry_id}", "corrected", outcome.entry_id)


@router.get("/correct")
def correct_something(request: Request, visitor: PanelPerson, memory: Memory) -> HTMLResponse:
    """Say what is right, without saying which entry is wrong."""
    return page(request, visitor, memory, "remember.html", **_CORRECTING, text="")


_CORRECTING: dict[str, Any] = {
    **NEW,
    "title": "Correct something",
    "lead": "Say what is right. The entry you mean is found; where several could be meant, you choose.",
    "action": "/correct",
    "is_correction": True,
}


@router.post("/correct")
def save_something(request: Request, visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """Correct the entry that is meant, or ask which."""
    draft, chosen = memory.entries.draft(form.text("text")), form["entry"]
    writes = memory.writes(Person())
    choices = [] if chosen and chosen != "all" else writes.unclear(draft)
    if choices and not chosen:
        asked = {"choices": [(entry, writes.would_say(draft, entry)) for entry in choices]}
        return page(request, visitor, memory, "remember.html", **{**_CORRECTING, **asked}, text=form["text"])
    every = [entry.entry_id for entry in choices]
    meant = {"": None, "none": [], "all": every or None}.get(chosen, [chosen])
    outcome = _done(writes.correct(draft, chosen=meant))
    return back(f"/memories/{outcome.entry_id}", "corrected", outcome.entry_id)


@router.post("/memories/{entry_id}/vote")
def vote(visitor: PanelPerson, memory: Memory, entry_id: str, form: Form) -> Response:
    """Useful or wrong, and why."""
    if form["direction"] not in ("up", "down"):
        raise UsageError("A vote is up or down.")
    _done(memory.writes(visitor.actor).vote(entry_id, form["direction"], form.text("reason")))
    return back(f"/memories/{entry_id}", "voted")


@router.post("/memories/{entry_id}/retire")
def retire(visitor: PanelPerson, memory: Memory, entry_id: str, form: Form) -> Response:
    """It no longer comes back."""
    entry = memory.for_person("Retiring an entry", actor=visitor.actor).forget(entry_id)
    to = form["then"] if form["then"] in ("/memories?view=duplicates", "/conflicts") else f"/memories/{entry.entry_id}"
    return back(to, "retired", entry.entry_id)


@router.post("/memories/{entry_id}/restore")
def restore(visitor: PanelPerson, memory: Memory, entry_id: str) -> Response:
    """It comes back."""
    entry = memory.for_person("Restoring an entry", actor=visitor.actor).restore(entry_id)
    return back(f"/memories/{entry.entry_id}", "restored", entry.entry_id)


def _done(outcome: Outcome) -> Outcome:
    if not outcome.is_done:
        raise Refused(outcome.why)
    return outcome
