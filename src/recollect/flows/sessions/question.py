"""The one question about a finished session: its turns as JSON, as many as fit, and the form of the answer.

One answer serves everybody: entries and corrections, the summary in the archive, and the memory of the project."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.autonomous import raw
from recollect.context.fitting import fit
from recollect.flows.sessions import judging
from recollect.flows.writes.find_typed import is_typed
from recollect.memory.neighbours import SearchArea
from recollect.model.drafts import Draft
from recollect.model.messages import Message, Text
from recollect.model.recall import Budget
from recollect.model.record import Record
from recollect.prompts import render
from recollect.text.fences import strip_fences
from recollect.text.secrets.redacting import redact
from recollect.text.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from recollect.context.fitting import Fit
    from recollect.model.entries import Entry
    from recollect.model.messages import Json
    from recollect.model.sessions import Session, Turn
    from recollect.store.store import Store

KINDS = ("rule", "fact", "preference", "order", "question", "status", "chat")
MOST_TURNS = 40  # whose messages are asked about one by one
MOST_ENTRIES = 30
LONGEST_SAID = 4_000  # characters of a message: its beginning and its end
LONGEST_OUTPUT = 1_500  # of what a tool printed
_NEVER = float("inf")  # share of a window: a summary would hold nobody's typed words
_ANSWER: Json = {
    "type": "object",
    "properties": {
        "message": {"type": "integer"},
        "kind": {"type": "string", "enum": list(KINDS)},
        "quote": {"type": "string", "maxLength": 1_000},
        "statement": {"type": "string", "maxLength": 1_000},
        "scope": {"type": "string", "enum": ["user", "repository", ""]},
        "replaces": {"type": "integer"},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["message", "kind", "quote", "statement", "scope", "replaces", "confidence"],
    "additionalProperties": False,
}


class Question(Record):
    """What a model is asked about a session."""

    text: str
    system: str
    schema: Json
    entries: tuple[str, ...]  # ids of the stored entries that it is shown, in the order of their numbers


def question_about(session: Session, turns: Sequence[Turn], store: Store, *, limit_tokens: int) -> Question:
    """The question about these turns, which are all that the session has."""
    new = new_messages(session, turns, store)[-MOST_TURNS:]
    entries = _entries(new, session, store)
    marked = {turn.number for turn in new}
    shown = _fitting([item for turn in turns for item in items(turn, is_new=turn.number in marked)], limit_tokens)
    known = [{"role": "entry", "number": number, "text": one.content} for number, one in enumerate(entries, start=1)]
    listed = ",\n".join([*map(_line, known), *shown])
    return Question(
        render("memories/stage_one_input", thread_id=session.session_id, response_items_json=f"[{listed}]"),
        render("memories/stage_one_system"),
        schema_for(new),
        tuple(one.entry_id for one in entries),
    )


def new_messages(session: Session, turns: Sequence[Turn], store: Store) -> list[Turn]:
    """The turns that begin with what a person typed, and whose messages no answer has been used for."""
    seen = store.sessions.judged(session.session_id)[0]
    return [
        turn for turn in turns if turn.number > seen and turn.user and is_typed(session, turn) and not session.agent
    ]


def schema_for(new: Collection[Turn]) -> Json:
    """The form of an answer, with room for no more answers than these messages can need: a small model that repeats
    itself would fill whatever room there is."""
    needed = 8 + 2 * len(new) + sum(len(turn.user) for turn in new) // 100
    answers = {"type": "array", "items": _ANSWER, "maxItems": min(needed, 2 * MOST_TURNS)}
    properties = {"answers": answers, **judging.PROPERTIES, **raw.PROPERTIES}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def items(turn: Turn, *, is_new: bool = False) -> Iterator[Json]:
    """A turn without scaffolding: our own fences, and all but the ends of what is long; redacted."""
    typed, said = (redact(_ends(strip_fences(text).strip(), LONGEST_SAID)) for text in (turn.user, turn.assistant))
    if typed:
        yield {"turn": turn.number, "role": "user", **({"new": True} if is_new else {}), "text": typed}
    for tool in turn.tools:
        ended = {True: "passed", False: "failed", None: "ended"}[tool.ok]
        what = redact(f"{tool.target[:LONGEST_OUTPUT]}\n{_ends(tool.output, LONGEST_OUTPUT)}".strip())
        yield {"turn": turn.number, "role": "tool", "name": tool.name, "outcome": ended, "text": what}
    if said:
        yield {"turn": turn.number, "role": "assistant", "text": said}


def _fitting(found: Sequence[Json], limit_tokens: int) -> list[str]:
    """The items that fit, as lines: first what was typed, then work in what is left; the oldest stay out."""
    typed = _fit("user", [one for one in found if one["role"] == "user"], limit_tokens)
    work = _fit("assistant", [one for one in found if one["role"] != "user"], limit_tokens - typed.tokens)
    kept = {one.text for one in (*typed.messages, *work.messages)}
    return [line for line in map(_line, found) if line in kept]


def _fit(role: str, found: Sequence[Json], limit_tokens: int) -> Fit:
    messages = [Message(role, (Text(_line(one)),)) for one in found]
    return fit(messages, window=max(limit_tokens, 0), threshold=_NEVER)


def _line(item: Json) -> str:
    return json.dumps(item, ensure_ascii=False)


def _ends(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}\n…\n{text[-half:]}"


def _entries(turns: Sequence[Turn], session: Session, store: Store) -> list[Entry]:
    """What these messages may be about, of what is known here: a few of the nearest for each."""
    places = SearchArea(Draft("", repository=session.repository), anywhere=True).places
    each = max(MOST_ENTRIES // max(len(turns), 1), 3)
    found: dict[str, None] = {}
    for turn in turns:
        near = store.similar_entries(query_terms(turn.user), places, Budget(1_000, 0, 2 * each, each))
        found.update(dict.fromkeys(one.entry_id for one in near[:each]))
    stored = store.entries.by_ids(list(found)[:MOST_ENTRIES]).values()
    return [one.entry for one in stored if one.entry.status == "active" and one.entry.session != session.session_id]
