"""Extraction: one question about a finished session: what was typed in it that is worth keeping, and what came of it.

Rules come first and stay as they are: without a whole answer nothing changes, and `recollect doctor` says why."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from recollect.context.fitting import fit
from recollect.errors import ProviderError
from recollect.flows.sessions import judging
from recollect.flows.sessions.digest import Digest
from recollect.flows.sessions.keep_extracted import Extractor
from recollect.flows.sessions.session_end import announce
from recollect.flows.writes.find_typed import is_typed
from recollect.memory.grounding import Answer
from recollect.memory.neighbours import SearchArea
from recollect.model.drafts import Draft
from recollect.model.messages import Message, Text
from recollect.model.recall import Budget
from recollect.model.record import Record
from recollect.prompts import render
from recollect.sessions.eligible import kept_out
from recollect.sessions.judged import Judged
from recollect.text.terms import query_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.entries import Entry
    from recollect.model.messages import Json
    from recollect.model.sessions import Session, Turn
    from recollect.store.store import Store

PURPOSE = "extraction"
KINDS = ("rule", "fact", "preference", "order", "question", "status", "chat")
INPUT_TOKENS = 8_000  # of messages; what is older stays out
OUTPUT_TOKENS = 4_096
MOST_TURNS = 40
MOST_AT_ONCE = 3  # sessions, while somebody waits
QUIET_SECONDS = 3_600.0  # a session that was quiet for so long is over
MOST_READ = 20  # sessions at a time, when a person lets a model read the past
MOST_ENTRIES = 30
LONGEST_BEFORE = 300
LONGEST_LAST = 1_000  # of the last thing that the agent said
LONGEST_TYPED = 4_000
_NEVER = 10.0  # share of a window: a summary would hold nobody's typed words
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
SCHEMA: Json = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": _ANSWER, "maxItems": 2 * MOST_TURNS}, **judging.PROPERTIES},
    "required": ["answers"],
    "additionalProperties": False,
}


def schema_for(turns: Collection[Turn]) -> Json:
    """The form of an answer about these messages, with room for no more answers than they can need: a small model that
    repeats itself would fill whatever room there is."""
    needed = 8 + 2 * len(turns) + sum(len(turn.user) for turn in turns) // 100
    answers = {"type": "array", "items": _ANSWER, "maxItems": min(needed, 2 * MOST_TURNS)}
    return {**SCHEMA, "properties": {**SCHEMA["properties"], "answers": answers}}


class Extraction(Record):
    """What came of asking about a session."""

    stored: tuple[str, ...] = ()  # entry ids
    waiting: int = 0
    why: str = ""  # why nothing was asked or used


class Question(Record):
    """The question about a session, and what the numbers in its answer stand for."""

    text: str
    turns: dict[int, Turn]  # by number: those that are asked about
    before: dict[int, str]
    entries: dict[int, Entry]


def extract(
    session: Session,
    memory: Opened,
    models: AskedModels,
    *,
    role: str = "default",
    require_ours: Callable[[], None] = lambda: None,
) -> Extraction:
    """Ask once about what is new in a session, and keep what its answer is good for. Never raises ProviderError."""
    if not models.is_on(role):
        return Extraction(why="no model is asked")
    if why := kept_out(session, memory.settings.exclude):
        return Extraction(why=why)
    question = question_about(session, memory)
    if question is None:
        return Extraction(why="nothing new was typed")
    try:
        schema = schema_for(question.turns.values())
        reply = models.ask(question.text, schema, role, max_output_tokens=OUTPUT_TOKENS)
    except ProviderError as error:
        return Extraction(why=str(error))
    require_ours()
    passed = models.has_passed(role)
    extractor = Extractor(session, memory, passed=passed, client=f"model {models.spec(role)}")
    for answer in answers_of(reply.value):
        turn = question.turns.get(answer.turn)
        if turn is not None:
            extractor.keep(answer, turn, question.before[answer.turn], question.entries.get(answer.replaces))
    found = judging.judged(reply.value, question.turns) if passed else Judged()
    judging.keep_judged(session, found, memory, until=max(question.turns))
    return Extraction(tuple(extractor.stored), extractor.waiting)


def expected_tokens(session: Session, memory: Opened, models: AskedModels) -> int:
    """What asking about a session will cost, about; 0 when there is nothing to ask."""
    question = None if kept_out(session, memory.settings.exclude) else question_about(session, memory)
    return models.expected_tokens(question.text, SCHEMA, answer=OUTPUT_TOKENS // 4) if question else 0


def read_here(memory: Opened, models: AskedModels, *, limit: int = MOST_AT_ONCE) -> int:
    """Let a model read the last sessions of this repository that none was asked about; returns how many it read.

    The first failure ends it."""
    here, exclude = memory.repository.repository, memory.settings.exclude
    found = unread(memory.store, limit=limit, until=memory.now - QUIET_SECONDS, repository=here, exclude=exclude)
    expected = sum(expected_tokens(session, memory, models) for session in found)
    begun = models.begin(PURPOSE, expected_tokens=expected)
    for number, session in enumerate(found):
        done = extract(session, memory, begun)
        if done.why:
            return number
        announce(session, Digest(stored=done.stored), store=memory.store, now=memory.now)
    return len(found)


def unread(
    store: Store,
    *,
    limit: int,
    since: float = 0.0,
    until: float = 0.0,
    repository: str | None = None,
    exclude: Sequence[str] = (),
) -> list[Session]:
    """The newest sessions of people, here or everywhere, that a model may be asked about and was not; oldest first."""
    found: list[Session] = []
    for session, _ in store.sessions.listed(repository=repository, since=since):
        if len(found) == limit:
            break
        if session.agent or kept_out(session, exclude) or (until and session.ended > until):
            continue
        if store.sessions.judged(session.session_id)[0]:
            continue
        found.append(session)
    return found[::-1]


def question_about(session: Session, memory: Opened) -> Question | None:
    """The question about what was typed since the last one; None when nothing was, or a person typed none of it."""
    if session.agent:
        return None
    store = memory.store
    seen = store.sessions.judged(session.session_id)[0]
    turns = store.sessions.turns(session.session_id)
    before = {turn.number: earlier.assistant for earlier, turn in pairwise(turns)}
    fresh = [turn for turn in turns if turn.number > seen and turn.user and is_typed(session, turn)][-MOST_TURNS:]
    shown = _fitting([(turn.number, _shown(turn, before.get(turn.number, ""))) for turn in fresh])
    if not shown:
        return None
    kept = {turn.number: turn for turn in fresh if turn.number in shown}
    entries = dict(enumerate(_entries(list(kept.values()), session, store), start=1))
    text = render(
        "extract",
        entries="\n".join(f"{number}. {entry.content}" for number, entry in entries.items()) or "none",
        messages="\n\n".join(shown.values()),
        earlier=judging.told_before(session, memory) or "nothing",
        last=_end_of(turns[-1].assistant, LONGEST_LAST) or "nothing",
    )
    return Question(text, kept, {number: before.get(number, "") for number in kept}, entries)


def answers_of(value: Any) -> list[Answer]:
    """The answers in a reply that fits the schema."""
    return [
        Answer(
            one["message"],
            one["kind"],
            one["quote"],
            " ".join(one["statement"].split()),
            one["scope"],
            one["replaces"],
            one["confidence"],
        )
        for one in value["answers"]
    ]


def _end_of(said: str, longest: int) -> str:
    return " ".join(said.split())[-longest:]


def _shown(turn: Turn, before: str) -> str:
    said = _end_of(before, LONGEST_BEFORE)
    context = f"before: {said}\n" if said else ""
    return f"{context}{turn.number}. {turn.user[:LONGEST_TYPED]}"


def _fitting(messages: Sequence[tuple[int, str]]) -> dict[int, str]:
    """The messages that fit, whole; the oldest stay out first."""
    known = {text: number for number, text in messages}
    fitted = fit([Message("user", (Text(text),)) for text in known], window=INPUT_TOKENS, threshold=_NEVER)
    return {known[one.text]: one.text for one in fitted.messages if one.text in known}


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
