"""What can go wrong with a vendor's server, as our own errors: each says what happened, and what a person can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anthropic
import httpx2
import openai
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelConnectionError,
    ModelHTTPError,
    ModelTimeoutError,
    UserError,
)

from recollect.errors import AnswerLost, ContextTooLong, ProviderBusy, ProviderError, ReplyInvalid, RequestTimedOut
from recollect.text.clean import clean

if TYPE_CHECKING:
    from recollect.errors import RecollectError

# Whatever a server sends, somebody's parser meets it: what these raise is the server's doing, not a mistake here.
EXPECTED = (
    AgentRunError,
    UserError,
    openai.OpenAIError,
    anthropic.AnthropicError,
    httpx2.HTTPError,
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
)
UNAUTHORISED = (401, 403)
NOT_FOUND, TOO_LARGE, TOO_MANY = 404, 413, 429
BUSY = (TOO_MANY, 500, 502, 503, 504, 529)
LONGEST_SHOWN = 200
KEYS = {"openai": "models.openai_key", "anthropic": "models.anthropic_key"}


def translated(error: Exception, *, vendor: str, address: str) -> RecollectError:
    """The error as ours."""
    where = address or vendor
    if isinstance(error, ModelHTTPError):
        return _of_status(error, vendor=vendor, where=where)
    if isinstance(error, ContentFilterError):
        return ReplyInvalid("The model refused to answer.")
    if isinstance(error, ModelTimeoutError):
        return RequestTimedOut(f"{where} did not answer in time.")
    if isinstance(error, ModelConnectionError) and not _in_answer(error):
        return ProviderBusy(
            f"{where} cannot be reached.", remedy="Check that the server is running and the address is right."
        )
    if _in_answer(error):
        return AnswerLost()
    return ReplyInvalid(f"{where} answered with something that could not be read: {_shown(error)}")


def _of_status(error: ModelHTTPError, *, vendor: str, where: str) -> RecollectError:
    status, said = error.status_code, _said(error)
    if status in UNAUTHORISED:
        remedy = f"Check the key: the variable that `recollect settings get {KEYS[vendor]}` names."
        return ProviderError(f"{where} refused the key (HTTP {status}).", remedy=remedy)
    if status == NOT_FOUND:
        return ProviderError(
            f"{where} does not know that model or address (HTTP {status}): {said}",
            remedy="Correct it: `recollect models use NAME`.",
        )
    if status == TOO_LARGE:
        return ContextTooLong(f"The question is too large for {where} (HTTP {status}).")
    if status in BUSY:
        why = "too many requests" if status == TOO_MANY else "overloaded or broken"
        wait = getattr(error, "retry_after", None)
        remedy = "Wait a while; if it continues, check your plan or choose another model: `recollect models use NAME`."
        return ProviderBusy(f"{where}: {why} (HTTP {status}).", remedy=remedy, wait_seconds=_seconds(wait))
    return ProviderError(f"{where} refused the question (HTTP {status}): {said}")


def _in_answer(error: BaseException | None) -> bool:
    """Did it break while the answer came? Then it may have been paid for, and is not asked again."""
    while error is not None:
        if isinstance(error, (httpx2.ReadError, httpx2.RemoteProtocolError)) or getattr(error, "in_stream", False):
            return True
        error = error.__cause__ or error.__context__
    return False


def _seconds(wait: object) -> float:
    return float(wait) if isinstance(wait, (int, float)) and wait > 0 else 0.0


def _said(error: ModelHTTPError) -> str:
    """The server's own sentence, without what it may repeat of ours."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    message = inner.get("message") if isinstance(inner, dict) else inner
    return clean(str(message or "no reason"))[:LONGEST_SHOWN]


def _shown(error: Exception) -> str:
    return clean(f"{type(error).__name__}: {error}".split("\n")[0])[:LONGEST_SHOWN]
