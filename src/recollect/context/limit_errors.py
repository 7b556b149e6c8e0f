"""Errors by which providers say that a request is too long, and the limit that some of them name."""

from __future__ import annotations

import re
from typing import Any

from recollect.errors import ContextTooLong

TOO_LARGE = 413
TOO_MANY = 429

_TEXTS = re.compile(
    r"context[ _-]?length[ _-]?exceeded|maximum context length|context window|maximum model length"
    r"|(?:prompt|input|request|messages?) (?:is|are) too (?:long|large)|too many (?:input )?tokens"
    r"|exceed\w* context limit"
    r"|input token count .{0,40}exceeds|exceeds? the (?:available )?context (?:size|length)|maximum prompt length"
    r"|prompt token count .{0,40}exceeds|max_prompt_tokens_exceeded|request_too_large|reduce the length of the messages"
    r"|too large for model with|tokens in the prompt cannot exceed|input length .{0,60}exceed|string_above_max_length"
    r"|exceeds? the (?:model's )?(?:maximum|max) (?:number of )?(?:input )?tokens|n_ctx",
    re.IGNORECASE,
)
_RATE = re.compile(r"rate.?limit|tokens per (?:min|day|hour)|\bTPM\b|\bRPM\b|quota", re.IGNORECASE)
_NUMBER = r"\(?~?([\d][\d,_.]*\d)\)?(k?)"
_LIMITS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"> ?{_NUMBER}(?: tokens)? ?(?:maximum|max|limit)?",
        rf"maximum (?:context|prompt|model) length(?: is| of)?:? {_NUMBER}",
        rf"{_NUMBER} maximum context length",
        rf"maximum number of tokens allowed {_NUMBER}",
        rf"(?:exceeds?|above) (?:the )?(?:limit|maximum)(?: of)? {_NUMBER}",
        rf"context (?:size|window|length|limit)(?: is| of)? {_NUMBER}",
        rf"cannot exceed {_NUMBER}",
        rf"context (?:size|window|length) {_NUMBER}",
    )
)
_STATUS_NAMES = ("status_code", "status", "http_status", "code")


def is_context_limit(error: object) -> bool:
    """Whether an error, a reply or a text of one says that the request was too long for the model."""
    if isinstance(error, ContextTooLong):
        return True
    text = _text(error)
    status = _status(error)
    if status == TOO_MANY or _RATE.search(text):
        return False
    return status == TOO_LARGE or bool(_TEXTS.search(text))


def reported_limit(error: object) -> int:
    """The number of tokens the provider said it takes; 0 when it named none."""
    if isinstance(error, ContextTooLong) and error.limit_tokens:
        return error.limit_tokens
    text = _text(error)
    for pattern in _LIMITS:
        found = pattern.search(text)
        if found:
            number = float(re.sub(r"[,_]", "", found[1]).rstrip(".")) * (1000 if found[2] else 1)
            if number >= 256:
                return int(number)
    return 0


def _text(error: object) -> str:
    pieces = [str(error)]
    for name in ("message", "body", "text"):
        value = getattr(error, name, None)
        if value is not None and not callable(value):
            pieces.append(str(value))
    return "\n".join(pieces)[:8_000]


def _status(error: object) -> int:
    for place in (error, getattr(error, "response", None)):
        for name in _STATUS_NAMES:
            value: Any = place.get(name) if isinstance(place, dict) else getattr(place, name, None)
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    return 0
