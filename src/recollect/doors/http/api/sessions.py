"""/v1/sessions and /v1/receipts: what was done, and what turns were given."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from recollect.app import Recollect
from recollect.doors.http.api.models import Given, Session, SessionDetails
from recollect.doors.http.api.paging import USUAL, Limit, Offset, name_next
from recollect.doors.http.visitors import Memory, Reader, RepositoryMemory, Visitor
from recollect.doors.session_shapes import session_json, shown_json
from recollect.doors.shapes import receipt_json
from recollect.errors import NotFound

router = APIRouter()

LAST = "last"
Name = Annotated[str, Path(min_length=1, max_length=200)]
Host = Annotated[str, Query(max_length=60)]


@router.get("/v1/sessions", tags=["sessions"])
def list_sessions(
    request: Request,
    response: Response,
    visitor: Reader,
    memory: Memory,
    host: Host = "",
    limit: Limit = USUAL,
    offset: Offset = 0,
) -> list[Session]:
    """Sessions of every repository, newest first."""
    return _listed(request, response, visitor, memory, None, host, limit, offset)


@router.get("/v1/repositories/{repository:path}/sessions", tags=["sessions"])
def list_repository_sessions(
    request: Request,
    response: Response,
    visitor: Reader,
    memory: RepositoryMemory,
    host: Host = "",
    limit: Limit = USUAL,
    offset: Offset = 0,
) -> list[Session]:
    """Sessions of a repository, newest first."""
    return _listed(request, response, visitor, memory, memory.repository.repository, host, limit, offset)


@router.get("/v1/sessions/{session_id}", tags=["sessions"])
def show_session(visitor: Reader, memory: Memory, session_id: Name) -> SessionDetails:
    """A session with its turns and sub-agents."""
    _require_open(visitor, memory, session_id)
    return SessionDetails(**shown_json(memory.sessions.show(session_id)))


@router.get("/v1/receipts", tags=["receipts"])
def list_receipts(visitor: Reader, memory: Memory, session: Annotated[str, Query(max_length=200)]) -> list[Given]:
    """What each turn of a session was given, oldest first. The session is named by the host's own id."""
    _require_open(visitor, memory, session)
    return [Given(**receipt_json(one, memory)) for one in memory.receipts(session)]


@router.get("/v1/receipts/{receipt_id}", tags=["receipts"])
def show_receipt(visitor: Reader, memory: Memory, receipt_id: Name) -> Given:
    """What a turn was given and why; `last` is the last one."""
    found = memory.why() if receipt_id == LAST else memory.why(receipt_id=receipt_id)
    _require_open(visitor, memory, found.session)
    return Given(**receipt_json(found, memory))


def _listed(
    request: Request,
    response: Response,
    visitor: Visitor,
    memory: Recollect,
    repository: str | None,
    host: str,
    limit: int,
    offset: int,
) -> list[Session]:
    found = memory.sessions.listed(repository=repository, host=host, limit=offset + limit + 1)[offset:]
    if len(found) > limit:
        name_next(request, response, offset=offset + limit)
    shown = [(one, turns) for one, turns in found[:limit] if visitor.is_person or not one.privacy]
    return [Session(**session_json(one, turns)) for one, turns in shown]


def _require_open(visitor: Visitor, memory: Recollect, session_id: str) -> None:
    """What a person keeps private no program reads."""
    if session_id and not visitor.is_person and memory.sessions.is_private(session_id):
        raise NotFound(f"No session has the id {session_id[:60]!r}.")
