"""The one answer about a finished session: asked for once, and kept with the state that the session was in."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from recollect.flows.sessions.question import question_about, schema_for
from recollect.model.record import Record
from recollect.text.secrets.redacting import redact_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from recollect.flows.models.asking import AskedModels
    from recollect.model.sessions import Session, Turn
    from recollect.store.store import Store

PURPOSE = "extraction"
OUTPUT_TOKENS = 8_192


class Answered(Record):
    """What a model said of a session; it fits the form of the question."""

    said: Any
    entries: tuple[str, ...]  # ids of the stored entries that it was shown, in the order of their numbers
    made_by: str


def kept_answer(session: Session, turns: Sequence[Turn], store: Store) -> Answered | None:
    """The answer about the session as it is now; None when nobody was asked since it changed."""
    kept = json.loads(store.sessions.answer(session.session_id) or "{}")
    if kept.get("state") != _state(turns):
        return None
    return Answered(kept["said"], tuple(kept["entries"]), kept["made_by"])


def ask_about(
    session: Session,
    turns: Sequence[Turn],
    store: Store,
    models: AskedModels,
    *,
    role: str,
    limit_tokens: int,
    require_ours: Callable[[], None] = lambda: None,
) -> Answered:
    """Ask about the session as it is now, and keep the answer. ProviderError when there is no whole one."""
    asked = question_about(session, turns, store, limit_tokens=limit_tokens)
    reply = models.ask(asked.text, asked.schema, role, system=asked.system, max_output_tokens=OUTPUT_TOKENS)
    answered = Answered(redact_value(reply.value), asked.entries, str(models.spec(role)))
    with store.write():
        require_ours()
        kept = {"state": _state(turns), **answered._asdict()}
        store.sessions.keep_answer(session.session_id, json.dumps(kept, ensure_ascii=False))
    return answered


def expected_tokens(
    session: Session, turns: Sequence[Turn], store: Store, models: AskedModels, *, limit_tokens: int
) -> int:
    """What asking about the session will cost, about; 0 when its answer is there."""
    if kept_answer(session, turns, store):
        return 0
    asked = question_about(session, turns, store, limit_tokens=limit_tokens)
    return models.expected_tokens(asked.text, asked.schema, system=asked.system, answer=OUTPUT_TOKENS // 4)


def _state(turns: Sequence[Turn]) -> str:
    """The same as long as nothing more was said or done in a session, and answers have the same form."""
    said = [(one.number, one.user, one.assistant, one.tools) for one in turns]
    return hashlib.sha256(json.dumps([schema_for(()), said]).encode()).hexdigest()
