"""What a model says of a finished session."""

from __future__ import annotations

from typing import Any


def answer(message: int, kind: str, quote: str = "", statement: str = "", **more: Any) -> dict[str, Any]:
    """Of one message, or of a part of it."""
    durable = kind in ("rule", "fact", "preference")
    return {
        "message": message,
        "kind": kind,
        "quote": quote,
        "statement": statement,
        "scope": "repository" if durable else "",
        "replaces": 0,
        "confidence": 0.9 if durable else 0,
        **more,
    }


def reply(*answers: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The whole answer: of its messages, of the session, and for the memory of its project."""
    nothing = {"text": "", "turns": []}
    of_session = {"summary": nothing, "outcome": nothing, "decisions": []}
    return {"answers": list(answers), **of_session, "rollout_slug": "", "raw_memory": [], "tasks": [], **more}
