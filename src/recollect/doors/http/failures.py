"""What goes wrong, as an answer: one sentence, and the status that says who should act."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from recollect.errors import (
    Ambiguous,
    NotFound,
    RecollectError,
    Refused,
    SettingsError,
    StoreBusy,
    StoreFull,
    UsageError,
)
from recollect.flows.access.versions import ChangedMeanwhile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

log = logging.getLogger("recollect.http")

# The first that fits.
STATUSES: tuple[tuple[type[RecollectError], int], ...] = (
    (ChangedMeanwhile, 412),
    (NotFound, 404),
    (Ambiguous, 409),
    (Refused, 409),
    (UsageError, 422),
    (SettingsError, 422),
    (StoreBusy, 503),
    (StoreFull, 503),
)
UNEXPECTED = "Unexpected error; see logs/mcp.log in the home folder of Recollect."
WORDS = {
    400: "The body cannot be read",
    401: "There is no valid token",
    403: "The token has another scope, or a person has to do it",
    404: "There is nothing with that id",
    405: "Not a method of this address",
    409: "It was refused, and nothing was changed",
    412: "It changed since you looked (If-Match)",
    413: "The request is too long",
    421: "The server has another name",
    422: "The request is invalid",
    429: "Too many requests",
    503: "Another process is writing; try again",
}


class Problem(HTTPException):
    """A request that is not done."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, dict(headers or {}))


class ProblemAnswer(BaseModel):
    """Why a request was not done, as one sentence."""

    detail: str


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": told} for status, told in WORDS.items()
}


def add_failures(app: FastAPI) -> None:
    """Answer every failure in the same shape."""
    app.add_exception_handler(HTTPException, told)
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(RecollectError, _failed)
    app.add_exception_handler(Exception, _unexpected)


def told(request: Request, error: Exception) -> JSONResponse:
    """The answer that an exception of HTTP carries."""
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": str(error.detail)}, error.status_code, error.headers)


def _wrong_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        why = f"{first['ctx']['error']} at character {first['loc'][-1]}"
        return JSONResponse({"detail": f"The body is not valid JSON: {why}."}, 422)
    return JSONResponse({"detail": _why_wrong(first["type"], first["loc"], first["msg"])}, 422)


def _why_wrong(kind: str, place: Sequence[str | int], said: str) -> str:
    """What is wrong with one value, and where it stands: in the body, in the query, in the path or in a header."""
    part, *names = (str(one) for one in place)
    name = ".".join(names)
    if not name:
        return "The body must be a JSON object, sent as application/json."
    what = {"query": f"The query parameter {name}", "header": f"The header {name}"}.get(part, name)
    if kind == "extra_forbidden":
        return f"{what} is not a field here; /openapi.json lists the fields."
    if kind == "missing":
        return f"{what} is missing."
    wanted = said.removeprefix("Input should be ")
    return f"{what}: {said}." if wanted == said else f"{what} must be {wanted}."


def _failed(request: Request, error: Exception) -> JSONResponse:
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), 500)
    if status == 500:
        log.error("%s failed: %s", request.url.path, error)
    return JSONResponse({"detail": str(error)}, status, {"Retry-After": "1"} if status == 503 else None)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.error("%s failed", request.url.path, exc_info=error)
    return JSONResponse({"detail": UNEXPECTED}, 500)
