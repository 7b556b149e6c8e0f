"""Raw memory: what one session leaves for consolidation. Every line says which turn it rests on. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.text.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Json = dict[str, Any]

DECISION, FACT, PREFERENCE, PITFALL, FAILURE, WORKFLOW = (
    "decision",
    "fact",
    "preference",
    "pitfall",
    "failure",
    "workflow",
)
KINDS = (DECISION, FACT, PREFERENCE, PITFALL, FAILURE, WORKFLOW)
FROM_THE_USER = (DECISION, FACT, PREFERENCE)
TYPED_SHARE = 0.6  # of the words of a line, so many are the user's
SUCCESS, PARTIAL, FAIL, UNCERTAIN = "success", "partial", "fail", "uncertain"
OUTCOMES = (SUCCESS, PARTIAL, FAIL, UNCERTAIN)
TYPED, LOGGED, MODEL = "typed", "logged", "model"  # what a line rests on: a person's words, a log, a model's reading
MOST_LINES, MOST_TASKS = 40, 12
LONGEST_LINE, LONGEST_SYNOPSIS, LONGEST_SLUG = 600, 1_200, 60
_LINE: Json = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(KINDS)},
        "text": {"type": "string", "minLength": 10, "maxLength": LONGEST_LINE},
        "turn": {"type": "integer", "minimum": 1},
    },
    "required": ["kind", "text", "turn"],
    "additionalProperties": False,
}
_TASK: Json = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 3, "maxLength": 200},
        "outcome": {"type": "string", "enum": list(OUTCOMES)},
        "turn": {"type": "integer", "minimum": 1},
    },
    "required": ["title", "outcome", "turn"],
    "additionalProperties": False,
}
# Of the answer about a session. Nothing worth keeping is a good one: all three may be empty.
PROPERTIES: Json = {
    "rollout_slug": {"type": "string", "maxLength": LONGEST_SLUG},
    "raw_memory": {"type": "array", "items": _LINE, "maxItems": MOST_LINES},
    "tasks": {"type": "array", "items": _TASK, "maxItems": MOST_TASKS},
}
# What has to be word for word: numbers, paths, identifiers, what stands in backticks.
_EXACT = re.compile(r"`([^`\n]{1,200})`|([\w@~-]*[\d_/.:][\w@/.:~+-]*\w|\d+|[a-z]+[A-Z]\w*)")
_ORDINARY = frozenset("and/or either/or yes/no true/false his/her he/she n/a w/o e.g i.e a.m p.m 24/7".split())
_SLUG = re.compile(r"[^a-z0-9]+")


class RawLine(Record):
    """One thing that a session leaves."""

    kind: str
    text: str
    turn: int
    at: float = 0.0
    rests_on: str = TYPED
    scope: str = "repository"  # or user
    key: str = ""  # what was said in full, normalised: entries of the store are told by it
    steps: tuple[str, ...] = ()  # of a workflow, whose goal is its text


class Task(Record):
    """One thing that was to be done, and how it ended."""

    title: str
    outcome: str
    turn: int = 1
    says: str = ""  # the last word about it
    files: tuple[str, ...] = ()
    left: str = ""  # commits and pull requests


class RawMemory(Record):
    """What one session leaves."""

    session_id: str
    repository: str
    synopsis: str = ""
    slug: str = ""
    lines: tuple[RawLine, ...] = ()
    tasks: tuple[Task, ...] = ()
    at: float = 0.0  # when the session ended
    made_by: str = "rules"
    uses: int = 0
    last_used: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Is there nothing worth keeping?"""
        return not (self.lines or self.tasks)


def slug_of(title: str) -> str:
    """A short name for files and lists, of lower-case letters, digits and dashes."""
    return _SLUG.sub("-", title.lower()).strip("-")[:LONGEST_SLUG].strip("-")


def from_reply(
    value: Mapping[str, Any], *, turns: Mapping[int, float], said: str, typed: Mapping[int, str]
) -> tuple[list[RawLine], list[Task]]:
    """The lines and tasks of a reply that fits the schema. A line on a turn that is not there, or with a number, name
    or path that nobody said, is left out: a model may shorten, never invent. A decision, preference or fact has to
    stand in what the user typed in that turn: a tool may print anything."""
    lines = [
        RawLine(one["kind"], " ".join(one["text"].split()), one["turn"], turns[one["turn"]], MODEL)
        for one in value["raw_memory"]
        if one["turn"] in turns
        and not unsaid(one["text"], said)
        and (one["kind"] not in FROM_THE_USER or _is_borne_out(one["text"], typed.get(one["turn"], "")))
    ]
    tasks = [
        Task(" ".join(one["title"].split()), one["outcome"], one["turn"])
        for one in value["tasks"]
        if one["turn"] in turns and not unsaid(one["title"], said)
    ]
    return lines, tasks


def _is_borne_out(text: str, typed: str) -> bool:
    """Did the user say this, in about these words?"""
    words = set(query_terms(text))
    shared = len(words & set(query_terms(typed)))
    return bool(words) and shared >= TYPED_SHARE * len(words) and not unsaid(text, typed)


def unsaid(text: str, said: str) -> list[str]:
    """The numbers, paths and identifiers of a text that do not stand in what was said."""
    low = said.lower()
    exact = [(quoted or other).strip() for quoted, other in _EXACT.findall(text)]
    return [one for one in exact if one.lower() not in _ORDINARY and not _stands_in(one.lower(), low)]


def _stands_in(exact: str, said: str) -> bool:
    """A number has to stand by itself: the 11 of a date is not a version."""
    if exact.isdigit():
        return re.search(rf"(?<![\w-]){exact}(?![\w-])", said) is not None
    return exact in said


def to_text(raw: RawMemory) -> str:
    """The lines and tasks, to be stored."""
    return json.dumps(
        {"lines": [one._asdict() for one in raw.lines], "tasks": [one._asdict() for one in raw.tasks]},
        ensure_ascii=False,
    )


def from_text(text: str) -> tuple[tuple[RawLine, ...], tuple[Task, ...]]:
    """What was stored."""
    found = json.loads(text)
    lines = tuple(RawLine(**{**one, "steps": tuple(one["steps"])}) for one in found["lines"])
    return lines, tuple(Task(**{**one, "files": tuple(one["files"])}) for one in found["tasks"])


def ranked(memories: Sequence[RawMemory], most: int) -> list[RawMemory]:
    """The most used, then the newest, as many as there may be; in the order of their ids: using one moves none."""
    best = sorted(memories, key=lambda one: (-one.uses, -max(one.last_used, one.at), one.session_id))[:most]
    return sorted(best, key=lambda one: one.session_id)
