"""The summary, the outcome and the decisions of a session, as a model tells them: kept where they hold.

A sentence holds when it cites turns that there are, and every name, number and unit in it stands in those turns. One
that does not is dropped, and the rules' own stays in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.sessions.digest import archive
from recollect.memory.grounding import names_only
from recollect.sessions.judged import Cited, Judged, from_json, to_json
from recollect.sessions.summary import summarise
from recollect.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.model.sessions import Session, Turn

SUMMARISE = "summarise session"
MOST_DECISIONS = 8
_TURNS: Json = {"type": "array", "items": {"type": "integer"}, "maxItems": 10}


def _sentence(longest: int, *names: str) -> Json:
    """An object with these texts and the turns that say so."""
    texts: Json = {name: {"type": "string", "maxLength": longest} for name in names}
    return {
        "type": "object",
        "properties": {**texts, "turns": _TURNS},
        "required": [*names, "turns"],
        "additionalProperties": False,
    }


# Beside the answers about each message, in the same reply.
PROPERTIES: Json = {
    "summary": _sentence(600, "text"),
    "outcome": _sentence(300, "text"),
    "decisions": {"type": "array", "items": _sentence(300, "decision", "reason"), "maxItems": MOST_DECISIONS},
}


def judged(said: Mapping[str, Any], turns: Mapping[int, Turn]) -> Judged:
    """What holds of an answer that fits the schema."""
    summary, outcome = (_held(said[name]["text"], said[name]["turns"], turns) for name in ("summary", "outcome"))
    decisions = [_held(_decision(one), one["turns"], turns) for one in said["decisions"]]
    return Judged(summary, outcome, tuple(one for one in decisions if one))


def keep_judged(session: Session, found: Judged, memory: Opened, *, until: int) -> None:
    """Keep it with the session, and put it into the archive in the place of what rules say."""
    store = memory.store
    turns = store.sessions.turns(session.session_id)
    with store.write(durable=False):
        told = found.after(from_json(store.sessions.judged(session.session_id)[1]))
        store.sessions.set_judged(session.session_id, until, to_json(told))
        if any(found):
            archive(session, turns, summarise(session, turns, told), memory.writer("system"), action=SUMMARISE)


def _decision(told: Mapping[str, Any]) -> str:
    reason = " ".join(told["reason"].split()).removeprefix("because ").removeprefix("Because ")
    return f"{told['decision'].strip().rstrip('.')}, because {reason}" if reason else told["decision"]


def _held(text: str, cited: Sequence[int], turns: Mapping[int, Turn]) -> Cited | None:
    said = [turns[number] for number in dict.fromkeys(cited) if number in turns]
    line = " ".join(clean(text).split())
    if not said or not line or not names_only(line, "\n".join(f"{turn.user}\n{turn.assistant}" for turn in said)):
        return None
    return Cited(line, tuple(sorted(turn.number for turn in said)))
