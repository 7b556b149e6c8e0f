"""Review: what waits and what is suggested, one at a time, each decided with one key."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from recollect.doors.cli.printing.pending import MEMORIES, because, kind_of, known_place, place_of, waiting_id
from recollect.doors.http.panel.forms import Form, Query
from recollect.doors.http.panel.pages.suggestion_values import suggestion_values
from recollect.doors.http.panel.pages.trail import DROPPED, KEPT, LATER, Step, left_last, steps_of, trail_of
from recollect.doors.http.panel.rendering import back, page, undo_form, who
from recollect.doors.http.panel.routing import pages
from recollect.doors.http.visitors import Memory, PanelPerson
from recollect.errors import Refused
from recollect.flows.suggestions.applying import Written
from recollect.flows.writes.pending import may_reword
from recollect.model.candidates import Candidate
from recollect.model.permissions import COMPARISON
from recollect.model.suggestions import Suggestion
from recollect.text.ids import SUGGESTION

if TYPE_CHECKING:
    from typing import Any

    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor
    from recollect.flows.writes.pending import Waiting
    from recollect.model.entries import Scope

router = pages()

WHAT = "Deciding what is waiting"
DECIDED = ("kept", "dropped", "applied", "dismissed")
KINDS = {
    "preference": "A preference of yours",
    "correction": "A correction of yours",
    "fact": "A fact",
    "command": "A command that works here",
    "profile": "For your profile",
    "store": "An agent wants to remember",
    "update": "An agent wants to change a memory to",
    "remove": "An agent wants to forget",
    "vote": "An agent wants to vote on",
    "write": "An agent wants to write",
    "task": "An agent wrote into a task",
}


@router.get("/review")
def review(request: Request, visitor: PanelPerson, memory: Memory, query: Query) -> HTMLResponse:
    """The next thing that waits, behind the one that was left for later."""
    waiting: list[Waiting | Suggestion] = [*memory.pending.everything(), *memory.suggestions.list(everywhere=True)]
    names = [_name(one) for one in waiting]
    after, shown = query["after"], query["at"]
    at = names.index(shown) if shown in names else names.index(after) + 1 if after in names else 0
    after = after if after in names else ""
    trail = trail_of(steps_of(query["trail"]))
    card = _card(waiting[at], waiting, memory) if at < len(waiting) else None
    return page(
        request, visitor, memory, "review.html",
        card=card, number=at + 1, total=len(waiting), after=after, trail=trail,
        undo=undo_form("/review/back", after=after, trail=trail) if trail and query["said"] in DECIDED else None,
    )  # fmt: skip


@router.post("/review/back")
def go_back(visitor: PanelPerson, memory: Memory, form: Form) -> Response:
    """To the one before, undoing what was decided about it."""
    steps = steps_of(form["trail"])
    if not steps:
        return back("/review")
    last = steps.pop()
    _take_back(last, visitor, memory)
    was_left = last.verdict == LATER
    after = left_last(steps) if was_left else form["after"]
    return _go_on(after, steps, "" if was_left else "undone", at=last.name)


def _take_back(step: Step, visitor: Visitor, memory: Recollect) -> None:
    if step.verdict == LATER:
        return
    memory = memory.for_person(WHAT, actor=visitor.actor)
    if step.name.startswith(SUGGESTION):
        memory.suggestions.undo(step.name)
    elif step.verdict == KEPT:
        memory.undo(step.entry_id)
    else:
        memory.pending.reopen(step.name)


@router.post("/review/{name}")
def decide(visitor: PanelPerson, memory: Memory, name: str, form: Form) -> Response:
    """Keep it, drop it, or leave it for later."""
    after, steps = form["after"], steps_of(form["trail"])
    match form["verdict"]:
        case "later":
            return _go_on(name, [*steps, Step(LATER, name)])
        case "drop":
            memory.for_person(WHAT, actor=visitor.actor).pending.reject(name)
            return _go_on(after, [*steps, Step(DROPPED, name)], "dropped")
        case "all":
            return _go_on(after, [*steps, *_keep_all(memory.pending.get(name), visitor, memory)], "kept")
    scope: Scope | None = {"user": "user", "repository": "repository"}.get(form["scope"])  # type: ignore[assignment]
    entry_id = _keep(memory.pending.get(name), visitor, memory, text=form.text("text"), scope=scope)
    return _go_on(after, [*steps, Step(KEPT, name, entry_id)], "kept")


@router.post("/review/suggestion/{name}")
def decide_suggestion(visitor: PanelPerson, memory: Memory, name: str, form: Form) -> Response:
    """Apply it, dismiss it, or leave it for later."""
    after, steps = form["after"], steps_of(form["trail"])
    suggestions = memory.for_person(WHAT, actor=visitor.actor).suggestions
    match form["verdict"]:
        case "later":
            return _go_on(name, [*steps, Step(LATER, name)])
        case "drop":
            suggestions.dismiss(name)
            return _go_on(after, [*steps, Step(DROPPED, name)], "dismissed")
    if isinstance(suggestions.apply(name), Written):
        return _go_on(after, [*steps, Step(KEPT, name, name)], "applied")
    return _go_on(after, steps, "not-applied")


def _keep(one: Waiting, visitor: Visitor, memory: Recollect, *, text: str = "", scope: Scope | None = None) -> str:
    changes = text if text and text != one.what else ""
    if not may_reword(one):
        changes, scope = "", None
    place = known_place(one, memory) if scope == "repository" else ""
    pending = memory.for_person(WHAT, actor=visitor.actor).pending
    outcome = pending.approve(waiting_id(one), text=changes, scope=scope, repository=place)
    if not outcome.is_done:
        raise Refused(outcome.why)
    return outcome.entry_id


def _keep_all(one: Waiting, visitor: Visitor, memory: Recollect) -> list[Step]:
    same = [other for other in memory.pending.everything() if kind_of(other) == kind_of(one)]
    return [Step(KEPT, waiting_id(other), _keep(other, visitor, memory)) for other in same]


def _card(one: Waiting | Suggestion, waiting: list[Waiting | Suggestion], memory: Recollect) -> dict[str, Any]:
    """What a person sees of it."""
    if isinstance(one, Suggestion):
        return {"is_suggestion": True, "name": one.suggestion_id, **suggestion_values(one, memory)}
    same = [other for other in waiting if not isinstance(other, Suggestion) and kind_of(other) == kind_of(one)]
    quote = (
        next((cited.quote for cited in one.draft.citations if cited.quote), "") if isinstance(one, Candidate) else ""
    )
    session = one.came_from if isinstance(one, Candidate) else one.session
    return {
        "is_suggestion": False,
        "name": waiting_id(one),
        "is_statement": may_reword(one),
        "kind": _kind(one),
        "what": one.what,
        "against": memory.pending.against(one),
        "because": _because(one),
        "quote": quote if quote != one.what else "",
        "session": session if session.startswith("s_") else "",
        "session_told": memory.sessions.told_of(session) if session else "",
        "scope": "repository" if place_of(one, memory) else "user",
        "repository": known_place(one, memory),
        "expires": one.expires,
        "same": len(same),
    }


def _because(one: Waiting) -> str:
    if isinstance(one, Candidate) or one.client == COMPARISON:
        return because(one)
    return because(one._replace(client=who(one.client)))


def _kind(one: Waiting) -> str:
    if not isinstance(one, Candidate) and one.client == COMPARISON:
        return "Recollect suggests retiring"
    if not isinstance(one, Candidate) and one.client in MEMORIES:
        return f"You imported this from {one.client}"
    return KINDS.get(kind_of(one), kind_of(one))


def _name(one: Waiting | Suggestion) -> str:
    return one.suggestion_id if isinstance(one, Suggestion) else waiting_id(one)


def _go_on(after: str, steps: list[Step], said: str = "", *, at: str = "") -> Response:
    """The next thing that waits, or the one at which the review was left."""
    marks = {"after": after if after.isidentifier() else "", "at": at, "trail": trail_of(steps)}
    given = {name: value for name, value in marks.items() if value}
    return back(f"/review?{urlencode(given)}" if given else "/review", said)
