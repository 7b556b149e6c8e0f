"""/v1/memories: listed, looked at, stored, changed, retired and voted on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from recollect.app import Recollect
from recollect.doors.http.api.models import (
    Layer,
    MemoryChange,
    MemoryDetails,
    NewMemory,
    NewVote,
    Retired,
    Scope,
    StoredMemory,
    Written,
)
from recollect.doors.http.api.paging import USUAL, Limit, name_next
from recollect.doors.http.api.writing import Key, Seen, etag, versions_in, written
from recollect.doors.http.visitors import (
    Memory,
    Reader,
    RepositoryMemory,
    UserMemory,
    Visitor,
    Writer,
    memories_of,
)
from recollect.doors.shapes import details_json, entry_json
from recollect.flows.access.versions import entry_version
from recollect.flows.views.choices import chosen
from recollect.flows.writes.agent_writes import AgentWrites
from recollect.model.record import Record

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.writes.person_writes import PersonWrites
    from recollect.model.drafts import Outcome
    from recollect.model.entries import Entry

router = APIRouter(tags=["memories"])

MemoryId = Annotated[str, Path(min_length=3, max_length=64, description="The id, or the beginning of one.")]
DIRECTIONS = {"up": "up", "upvote": "up", "down": "down", "downvote": "down"}
ACCEPTED: dict[int | str, dict[str, Any]] = {
    200: {"model": Written, "description": "It is already known, or was refused"},
    201: {"model": Written, "description": "It was stored"},
    202: {"model": Written, "description": "It is waiting for a person"},
}
CHANGED: dict[int | str, dict[str, Any]] = {202: ACCEPTED[202]}
RETIRED: dict[int | str, dict[str, Any]] = {202: {**ACCEPTED[202], "model": Retired}}
Status = Literal["active", "inactive", "replaced", "retired", "superseded", "tombstone", "any"]


class Wanted(Record):
    """Which memories a list shows."""

    layer: str
    status: str
    scope: str
    source: str
    tag: str
    fact: str
    limit: int
    before: str


def wanted(
    layer: Layer | None = None,
    status: Annotated[Status, Query(description="`superseded` is `replaced`, `tombstone` is `retired`.")] = "active",
    scope: Scope | None = None,
    source: Literal["user", "agent", "system"] | None = None,
    tag: Annotated[str, Query(max_length=200)] = "",
    fact: Annotated[str, Query(max_length=20_000, description="Only what says exactly this.")] = "",
    limit: Limit = USUAL,
    before: Annotated[str, Query(max_length=64, description="The last memory of the page before.")] = "",
) -> Wanted:
    """The filters of a list."""
    return Wanted(layer or "", str(chosen("status", status)), scope or "", source or "", tag, fact, limit, before)


WantedQuery = Annotated[Wanted, Depends(wanted)]

# -- lists


@router.get("/v1/memories")
def list_memories(
    request: Request, response: Response, visitor: Reader, memory: Memory, asked: WantedQuery, everywhere: bool = False
) -> list[StoredMemory]:
    """Memories of the server's folder and of the user, or of every repository; newest first."""
    return _listed(request, response, memory, asked, everywhere=everywhere)


@router.get("/v1/user/memories")
def list_user_memories(
    request: Request, response: Response, visitor: Reader, memory: UserMemory, asked: WantedQuery
) -> list[StoredMemory]:
    """Memories that hold everywhere."""
    return _listed(request, response, memory, asked)


@router.get("/v1/repositories/{repository:path}/memories")
def list_repository_memories(
    request: Request, response: Response, visitor: Reader, memory: RepositoryMemory, asked: WantedQuery
) -> list[StoredMemory]:
    """Memories of a repository and of the user."""
    return _listed(request, response, memory, asked)


# -- storing


@router.post("/v1/memories", status_code=201, response_model=Written, responses=ACCEPTED)
def store_memory(request: Request, visitor: Writer, memory: Memory, body: NewMemory, key: Key = None) -> JSONResponse:
    """Store a memory in the repository of the server's folder, or of the user where there is none."""
    return _stored(request, visitor, memory, body, key)


@router.post("/v1/user/memories", status_code=201, response_model=Written, responses=ACCEPTED)
def store_user_memory(
    request: Request, visitor: Writer, memory: UserMemory, body: NewMemory, key: Key = None
) -> JSONResponse:
    """Store a memory that holds everywhere."""
    return _stored(request, visitor, memory, body, key)


@router.post("/v1/repositories/{repository:path}/memories", status_code=201, response_model=Written, responses=ACCEPTED)
def store_repository_memory(
    request: Request, visitor: Writer, memory: RepositoryMemory, body: NewMemory, key: Key = None
) -> JSONResponse:
    """Store a memory of a repository."""
    return _stored(request, visitor, memory, body, key, scope="repository" if body.layer == "L1" else None)


# -- one memory


@router.get("/v1/memories/{memory_id}", responses={304: {"description": "It is still the version you have"}})
def show_memory(
    request: Request,
    response: Response,
    visitor: Reader,
    memory_id: MemoryId,
    known: Annotated[str | None, Header(alias="If-None-Match", max_length=200)] = None,
) -> MemoryDetails:
    """Everything about a memory, with its version as ETag."""
    memory, entry = _at(request, memory_id)
    version = entry_version(entry)
    response.headers["ETag"] = etag(version)
    if known is not None and version in (versions_in(known) or (version,)):
        return Response(status_code=304, headers={"ETag": etag(version)})  # type: ignore[return-value]
    details = memory.entries.show(entry.entry_id)
    checks = memory.entries.checks(
        [details.entry._replace(citations=(one,)) for one in details.entry.citations], patient=True
    )
    return MemoryDetails(**details_json(details, checks))


@router.patch("/v1/memories/{memory_id}", response_model=Written, responses=CHANGED)
def change_memory(
    request: Request, visitor: Writer, memory_id: MemoryId, body: MemoryChange, key: Key = None, seen: Seen = None
) -> JSONResponse:
    """Change what a memory says or how it is labelled; with If-Match, only the version that you saw. Where it says
    something else, the answer has the id of a new memory, which replaces this one."""
    memory, entry = _at(request, memory_id)

    def change(writes: PersonWrites | AgentWrites) -> Outcome:
        draft = memory.entries.edited(
            entry.entry_id,
            text=body.content,
            tags=body.tags,
            subject=body.subject,
            aliases=body.aliases,
            reason=body.reason,
        )
        mine = draft._replace(source="user", origin="typed") if visitor.is_person else draft
        return writes.replace(entry.entry_id, mine)

    said = body.model_dump(exclude_unset=True)
    return written(request, visitor, memory, change, body=said, key=key, entry_id=entry.entry_id, seen=seen)


@router.delete("/v1/memories/{memory_id}", response_model=Retired, responses=RETIRED)
def retire_memory(
    request: Request, visitor: Writer, memory_id: MemoryId, key: Key = None, seen: Seen = None
) -> JSONResponse:
    """Retire a memory; a person can bring it back."""
    memory, entry = _at(request, memory_id)
    return written(
        request, visitor, memory, lambda by: by.remove(entry.entry_id), key=key, entry_id=entry.entry_id, seen=seen
    )


@router.post("/v1/memories/{memory_id}/votes", response_model=Written, responses=CHANGED)
def vote(request: Request, visitor: Writer, memory_id: MemoryId, body: NewVote, key: Key = None) -> JSONResponse:
    """Say that a memory was useful or wrong, and why."""
    memory, entry = _at(request, memory_id)
    way = DIRECTIONS[body.direction]
    return written(
        request,
        visitor,
        memory,
        lambda by: by.vote(entry.entry_id, way, body.reason),
        body=body.model_dump(),
        key=key,
        entry_id=entry.entry_id,
    )


def _listed(
    request: Request, response: Response, memory: Recollect, asked: Wanted, *, everywhere: bool = False
) -> list[StoredMemory]:
    if asked.fact:
        found = [one for one in memory.entries.saying(asked.fact) if _fits(one, asked)][: asked.limit]
    else:
        where = {name: value for name, value in asked._asdict().items() if name not in ("fact", "limit", "before")}
        found = memory.entries.list(limit=asked.limit + 1, before=asked.before, everywhere=everywhere, **where)
        if len(found) > asked.limit:
            found = found[: asked.limit]
            name_next(request, response, before=found[-1].entry_id)
    checks = memory.entries.checks(found)
    return [StoredMemory(**entry_json(one, checked.check)) for one, checked in zip(found, checks, strict=True)]


def _fits(entry: Entry, asked: Wanted) -> bool:
    named = (asked.layer, asked.status, asked.scope, asked.source)
    has = (entry.layer, entry.status, entry.scope, entry.source)
    fits = all(not wanted or wanted == found for wanted, found in zip(named, has, strict=True))
    return fits and (not asked.tag or asked.tag in entry.tags)


def _stored(
    request: Request,
    visitor: Visitor,
    memory: Recollect,
    body: NewMemory,
    key: str | None,
    scope: Literal["repository"] | None = None,
) -> JSONResponse:
    def store(writes: PersonWrites | AgentWrites) -> Outcome:
        if isinstance(writes, AgentWrites) and body.citations and body.layer == "L1":
            return writes.store_memory(body.subject, body.fact, body.citations, body.reason, tags=body.tags)
        cite = body.citations if visitor.is_person else ()
        draft = memory.entries.draft(
            body.fact,
            layer=body.layer,
            scope=scope,
            subject=body.subject,
            reason=body.reason,
            tags=body.tags,
            cite=cite,
        )
        return writes.store(draft)

    return written(request, visitor, memory, store, body=body.model_dump(), key=key, tells_refusal=True)


def _at(request: Request, memory_id: str) -> tuple[Recollect, Entry]:
    """A memory by its id, and the opened memory of the repository it belongs to."""
    memories = memories_of(request)
    entry = memories.at().entries.get(memory_id)
    return memories.at(entry.repository), entry
