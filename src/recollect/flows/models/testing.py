"""Trying a model: one round trip with two dozen cases whose answers are known."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recollect.errors import Refused
from recollect.flows.models.cases import CASES, DURABLE, ENTRIES, KINDS
from recollect.model.record import Record
from recollect.prompts import render

if TYPE_CHECKING:
    from typing import Any

    from recollect.flows.models.asking import AskedModels
    from recollect.model.messages import Json
    from recollect.ports import Usage

ENOUGH = 0.85  # of each kind of answer, for a model to be trusted with more than its choice
OUTPUT_TOKENS = 4_096
_ANSWER: Json = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "kind": {"type": "string", "enum": list(KINDS)},
        "quote": {"type": "string", "maxLength": 300},
        "scope": {"type": "string", "enum": ["user", "repository", ""]},
        "replaces": {"type": "integer"},
    },
    "required": ["n", "kind", "quote", "scope", "replaces"],
    "additionalProperties": False,
}
SCHEMA: Json = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": _ANSWER, "minItems": len(CASES), "maxItems": len(CASES)}},
    "required": ["answers"],
    "additionalProperties": False,
}


class Trial(Record):
    """What came of a trial: how long it took, what it cost, and how many cases were right, by what was asked."""

    role: str
    spec: str
    model: str
    seconds: float
    usage: Usage
    cases: int
    right: dict[str, tuple[int, int]]  # durable, kind, quote, scope, replaces: right, of so many
    passed: bool


def try_model(models: AskedModels, role: str = "default") -> Trial:
    """Ask the model of a role, once, and keep how it did. Refused without a model, ProviderError without an answer."""
    spec = str(models.spec(role))
    if not models.is_on(role):
        raise Refused(models.why_none)
    text = question()
    expected = models.expected_tokens(text, SCHEMA, answer=OUTPUT_TOKENS)
    began = time.monotonic()
    reply = models.begin("models test", expected_tokens=expected, role=role).ask(
        text, SCHEMA, role, max_output_tokens=OUTPUT_TOKENS
    )
    seconds = time.monotonic() - began
    right = graded(reply.value["answers"])
    passed = all(count >= ENOUGH * total for count, total in right.values())
    models.ledger.keep_grade(spec, {"passed": passed, "right": {name: list(pair) for name, pair in right.items()}})
    return Trial(role, spec, reply.model, seconds, reply.usage, len(CASES), right, passed)


def question() -> str:
    """All cases in one question."""
    entries = "\n".join(f"{number}. {text}" for number, text in ENTRIES.items())
    messages = "\n".join(f"{number}. {case.text}" for number, case in enumerate(CASES, start=1))
    return render("model_cases", entries=entries, messages=messages)


def graded(answers: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """How many answers are right: worth keeping or not, its kind, an exact quote, its scope, what it replaces."""
    given = {answer["n"]: answer for answer in answers}
    pairs = [(case, given.get(number, {})) for number, case in enumerate(CASES, start=1)]
    lasting = [(case, answer) for case, answer in pairs if case.kind in DURABLE]
    return {
        "durable": _count(
            (answer.get("kind") in DURABLE) == (case.kind in DURABLE) and bool(answer) for case, answer in pairs
        ),
        "kind": _count(answer.get("kind") == case.kind for case, answer in pairs),
        "quote": _count(_is_quote(answer.get("quote", ""), case.text, case.quote) for case, answer in lasting),
        "scope": _count(answer.get("scope") == case.scope for case, answer in lasting),
        "replaces": _count(answer.get("replaces", 0) == case.replaces and bool(answer) for case, answer in lasting),
    }


def _is_quote(quote: str, text: str, telling: str) -> bool:
    return quote in text and telling in quote


def _count(right: Any) -> tuple[int, int]:
    found = list(right)
    return sum(found), len(found)
