"""One write over HTTP: once for each key, only while it is the version that was seen, and in the visitor's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Header, Request
from fastapi.responses import JSONResponse

from recollect.doors.http.failures import Problem
from recollect.doors.shapes import approved_json, outcome_json
from recollect.errors import NotFound
from recollect.flows.access.kept_answers import answer_once
from recollect.flows.access.versions import change_if_unchanged, entry_version
from recollect.flows.writes.agent_writes import AgentWrites

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.app import Recollect
    from recollect.doors.http.visitors import Visitor
    from recollect.flows.writes.person_writes import PersonWrites
    from recollect.model.drafts import Outcome

    Write = Callable[[PersonWrites | AgentWrites], Outcome]

Key = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=200, description="A request made again with the same key "
           "is answered again, and not done again; for a day."),
]  # fmt: skip
Seen = Annotated[
    str | None, Header(alias="If-Match", max_length=200, description="The ETag of the version that you saw.")
]
# What an agent's write comes to that is not an answer of its own.
FAILURES = {"invalid": 422, "invalid_scope": 422, "no_client": 409, "denied": 403, "refused": 409, "failed": 503}


class NotDone(Exception):
    """A write that came to nothing, so that what was begun is taken back."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.why)
        self.outcome = outcome


def written(
    request: Request,
    visitor: Visitor,
    memory: Recollect,
    write: Write,
    *,
    body: object = None,
    key: str | None,
    entry_id: str = "",
    seen: str | None = None,
    tells_refusal: bool = False,
) -> JSONResponse:
    """Write, and answer with what became of it: 201 stored, 200 done, 202 when it waits for a person. A refusal is 409,
    or 200 with its status where that is what the clients of an address read."""

    def now() -> tuple[int, Any]:
        outcome = _done(write, visitor, memory)
        return _status(outcome, request.method), {**_said(outcome), "version": _version(outcome, memory)}

    def do() -> tuple[int, Any]:
        return change_if_unchanged(entry_id, versions_in(seen), now, memory.opened) if entry_id else now()

    try:
        if key is None:
            status, answer = do()
        else:
            asked = [request.method, request.url.path, body, seen]
            status, answer = answer_once(visitor.key, key, asked, do, memory=memory.opened)
    except NotDone as error:
        if not (tells_refusal and error.outcome.status == "refused"):
            raise Problem(FAILURES[error.outcome.status], error.outcome.why) from error
        status, answer = 200, {**outcome_json(error.outcome), "version": ""}
    return JSONResponse(answer, status, _headers(answer))


def etag(version: str) -> str:
    """A version as HTTP writes it."""
    return f'"{version}"'


def versions_in(header: str | None) -> frozenset[str] | None:
    """The versions in an If-Match or If-None-Match; None where there is no such header, or any version will do."""
    if header is None or header.strip() == "*":
        return None
    return frozenset(one.strip().removeprefix("W/").strip('"') for one in header.split(","))


def _done(write: Write, visitor: Visitor, memory: Recollect) -> Outcome:
    writes = memory.writes(visitor.actor)
    try:
        outcome = write(writes)
    finally:
        if isinstance(writes, AgentWrites):
            writes.close()
    if outcome.is_refused:
        raise NotDone(outcome)
    return outcome


def _status(outcome: Outcome, method: str) -> int:
    if outcome.status == "staged":
        return 202
    return 201 if outcome.status == "stored" and method == "POST" else 200


def _said(outcome: Outcome) -> dict[str, Any]:
    """What became of it; of a memory that was retired nobody says that it was stored."""
    return approved_json(outcome) if outcome.status == "removed" else outcome_json(outcome)


def _version(outcome: Outcome, memory: Recollect) -> str:
    """The version that was written; none for what waits. It is part of the answer that is kept: whoever asks again must
    not take what others wrote since for what they saw."""
    if outcome.status == "staged" or not outcome.entry_id:
        return ""
    try:
        return entry_version(memory.entries.get(outcome.entry_id))
    except NotFound:
        return ""  # somebody erased it meanwhile


def _headers(answer: dict[str, Any]) -> dict[str, str]:
    """Where the memory is, and which version of it."""
    version = answer.get("version")  # answers that were kept before it was part of them have none
    return {"Location": f"/v1/memories/{answer['id']}", "ETag": etag(version)} if version else {}
