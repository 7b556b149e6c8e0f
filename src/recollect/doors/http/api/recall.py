"""/v1/recall: what a turn with this text would get."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.app import Recollect
from recollect.doors.http.api.models import Question, Recalled
from recollect.doors.http.visitors import Memory, Reader, RepositoryMemory, UserMemory, Visitor
from recollect.doors.shapes import recall_json

router = APIRouter(tags=["recall"])


@router.post("/v1/recall")
def recall(visitor: Reader, memory: Memory, body: Question) -> Recalled:
    """What a turn in the server's folder would get."""
    return _recalled(visitor, memory, body)


@router.post("/v1/user/recall")
def recall_for_user(visitor: Reader, memory: UserMemory, body: Question) -> Recalled:
    """What a turn outside every repository would get."""
    return _recalled(visitor, memory, body)


@router.post("/v1/repositories/{repository:path}/recall")
def recall_in_repository(visitor: Reader, memory: RepositoryMemory, body: Question) -> Recalled:
    """What a turn in a repository would get."""
    return _recalled(visitor, memory, body)


def _recalled(visitor: Visitor, memory: Recollect, body: Question) -> Recalled:
    answer = memory.recall(
        body.query,
        k=body.k,
        tokens=body.tokens,
        layers=body.layers,
        tags=body.tags,
        since=body.since or 0.0,
        host=f"http:{visitor.name}",
    )
    return Recalled(**recall_json(answer.found, answer.receipt))
