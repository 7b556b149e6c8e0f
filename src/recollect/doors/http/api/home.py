"""/healthz, /metrics, and what a home's owner looks at: status, tokens, who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from recollect.doors.access_shapes import change_json, token_json
from recollect.doors.http.api.models import AccessToken, ChangeMade, Health
from recollect.doors.http.api.paging import USUAL, Limit, name_next
from recollect.doors.http.visitors import Admin, Memory, Reader
from recollect.doors.shapes import status_json
from recollect.version import __version__

if TYPE_CHECKING:
    from recollect.app import Recollect
    from recollect.doors.http.recording import Numbers

router = APIRouter(tags=["home"])


@router.get("/healthz")
def health(memory: Memory) -> Health:
    """Is the service there, and can it read its database? Needs no token."""
    memory.activity.seen()
    return Health(status="ok", version=__version__)


@router.get(
    "/metrics", response_model=None, responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}
)
def metrics(request: Request, visitor: Reader, memory: Memory) -> PlainTextResponse:
    """Numbers in the format of Prometheus."""
    lines = [line for name, kind, values in _metrics(request, memory) for line in _lines(name, kind, values)]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@router.get("/v1/status")
def status(visitor: Admin, memory: Memory) -> dict[str, Any]:
    """The state of the home at a glance."""
    return status_json(memory)


@router.get("/v1/tokens")
def list_tokens(visitor: Admin, memory: Memory) -> list[AccessToken]:
    """Which programs may use the service."""
    return [AccessToken(**token_json(one)) for one in memory.tokens.listed()]


@router.get("/v1/audit")
def audit(
    request: Request,
    response: Response,
    visitor: Admin,
    memory: Memory,
    limit: Limit = USUAL,
    before: Annotated[int, Query(ge=0, le=2**62, description="The last change of the page before.")] = 0,
) -> list[ChangeMade]:
    """Who did what, newest first."""
    found = memory.activity.before(before, limit=limit + 1)
    if len(found) > limit:
        name_next(request, response, before=found[limit - 1].change.change_id)
    return [ChangeMade(**change_json(one)) for one in found[:limit]]


def _metrics(request: Request, memory: Recollect) -> list[tuple[str, str, dict[str, float]]]:
    requests, seconds = cast("Numbers", request.app.state.numbers).taken()
    seen = memory.activity.seen()
    return [
        (
            "recollect_entries",
            "gauge",
            {f'layer="{layer}"': number for layer, number in memory.entries.counts().items()},
        ),
        ("recollect_sessions", "gauge", {"": memory.sessions.count()}),
        ("recollect_subagents", "gauge", {"": memory.sessions.subagent_count()}),
        ("recollect_changes_total", "counter", {"": seen.change}),
        ("recollect_pending", "gauge", {"": seen.pending}),
        ("recollect_suggestions", "gauge", {"": seen.suggestions}),
        (
            "recollect_http_requests_total",
            "counter",
            {f'method="{method}",status="{status}"': number for (method, status), number in sorted(requests.items())},
        ),
        ("recollect_http_seconds_total", "counter", {"": round(seconds, 6)}),
    ]


def _lines(name: str, kind: str, values: dict[str, float]) -> list[str]:
    rows = [f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in values.items()]
    return [f"# TYPE {name} {kind}", *rows]
