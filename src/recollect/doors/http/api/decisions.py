"""/v1/suggestions and /v1/pending: what waits for a person. Programs see it; only the person in the panel decides."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Request, Response

from recollect.doors.http.api.models import Decided, Suggested, Waiting
from recollect.doors.http.api.paging import USUAL, Limit, Offset, name_next
from recollect.doors.http.failures import Problem
from recollect.doors.http.visitors import Memory, Reader, Visitor, Writer
from recollect.doors.session_shapes import waiting_json
from recollect.doors.shapes import approved_json
from recollect.doors.suggestion_shapes import applied_json, suggestion_json

router = APIRouter()

Name = Annotated[str, Path(min_length=3, max_length=64)]
APPLYING, DISMISSING = "Applying a suggestion", "Dismissing a suggestion"
APPROVING, REJECTING = "Approving what an agent wants", "Rejecting what an agent wants"


@router.get("/v1/suggestions", tags=["suggestions"])
def list_suggestions(
    visitor: Reader,
    memory: Memory,
    status: Literal["", "pending", "needs_review", "applied", "dismissed"] = "",
    everywhere: bool = False,
) -> list[Suggested]:
    """Changes of customization files that wait, or of another status, surest first."""
    return [Suggested(**suggestion_json(one)) for one in memory.suggestions.list(status, everywhere=everywhere)]


@router.get("/v1/suggestions/{suggestion_id}", tags=["suggestions"])
def show_suggestion(visitor: Reader, memory: Memory, suggestion_id: Name) -> Suggested:
    """A suggestion with its diff."""
    return Suggested(**suggestion_json(memory.suggestions.get(suggestion_id)))


@router.post("/v1/suggestions/{suggestion_id}/apply", tags=["suggestions"])
def apply_suggestion(visitor: Writer, memory: Memory, suggestion_id: Name) -> Decided:
    """Write what it proposes; for the person in the panel."""
    _require_person(visitor, APPLYING)
    mine = memory.for_person(APPLYING, actor=visitor.actor)
    return Decided(**applied_json(mine.suggestions.apply(suggestion_id)))


@router.post("/v1/suggestions/{suggestion_id}/dismiss", tags=["suggestions"])
def dismiss_suggestion(visitor: Writer, memory: Memory, suggestion_id: Name) -> Decided:
    """Drop it for good; for the person in the panel."""
    _require_person(visitor, DISMISSING)
    mine = memory.for_person(DISMISSING, actor=visitor.actor)
    return Decided(**suggestion_json(mine.suggestions.dismiss(suggestion_id)))


@router.get("/v1/pending", tags=["pending"])
def list_pending(
    request: Request, response: Response, visitor: Reader, memory: Memory, limit: Limit = USUAL, offset: Offset = 0
) -> list[Waiting]:
    """What waits for a person: what agents want first, for it expires."""
    found = memory.pending.everything()
    if len(found) > offset + limit:
        name_next(request, response, offset=offset + limit)
    return [Waiting(**waiting_json(one)) for one in found[offset : offset + limit]]


@router.post("/v1/pending/{waiting_id}/approve", tags=["pending"])
def approve(visitor: Writer, memory: Memory, waiting_id: Name) -> Decided:
    """Let it be done as it was asked for; for the person in the panel."""
    _require_person(visitor, APPROVING)
    mine = memory.for_person(APPROVING, actor=visitor.actor)
    return Decided(**approved_json(mine.pending.approve(waiting_id)))


@router.post("/v1/pending/{waiting_id}/reject", tags=["pending"])
def reject(visitor: Writer, memory: Memory, waiting_id: Name) -> Decided:
    """Say no; it is not offered again. For the person in the panel."""
    _require_person(visitor, REJECTING)
    mine = memory.for_person(REJECTING, actor=visitor.actor)
    return Decided(**{**waiting_json(mine.pending.reject(waiting_id)), "status": "rejected"})


def _require_person(visitor: Visitor, what: str) -> None:
    if not visitor.is_person:
        raise Problem(403, f"{what} needs a person, in the panel or in their own terminal.")
