"""What a model may do for suggestions: choose among the files that rules allow, and find facts, which then wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.flows.models.asking import OUTPUT_TOKENS
from recollect.flows.sessions.digest import LONGEST_QUOTE, Keeper, offer
from recollect.flows.writes.find_typed import is_typed
from recollect.model.drafts import Draft
from recollect.model.entries import Citation
from recollect.prompts import render
from recollect.sessions.eligible import kept_out
from recollect.suggestions.facts import rejected, scope_of
from recollect.suggestions.outline import outline
from recollect.suggestions.wording import coverage, names_covered
from recollect.text import ids

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recollect.flows.models.asking import AskedModels
    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.model.sessions import Session, Turn
    from recollect.model.suggestions import Fact
    from recollect.ports import Reply
    from recollect.suggestions.proposing import Choose
    from recollect.suggestions.targets import Target

PURPOSE = "suggestions"
ROLE = "smol"
GROUNDED = 0.8  # share of a fact that one typed message has to name
MOST_TURNS = 40
MOST_FACTS = 20
LONGEST_TYPED = 2_000
_FACT: Json = {
    "type": "object",
    "properties": {
        "content": {"type": "string", "maxLength": 500},
        "reason": {"type": "string", "maxLength": 500},
        "citations": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 10},
        "scope": {"type": "string", "enum": ["workspace", "user"]},
    },
    "required": ["content", "reason", "citations", "scope"],
    "additionalProperties": False,
}
FACTS: Json = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": _FACT, "maxItems": MOST_FACTS}},
    "required": ["facts"],
    "additionalProperties": False,
}


def chooser(memory: Opened) -> Choose | None:
    """Asks the model of the role smol which of the allowed files a fact goes into; None where no model is asked."""
    if not memory.models.is_there(ROLE):
        return None

    def choose(fact: Fact, found: Sequence[Target]) -> int:
        return _chosen(fact, found, memory.models)

    return choose


def _chosen(fact: Fact, found: Sequence[Target], models: AskedModels) -> int:
    """The place of the chosen file; the rules' own choice when there is no usable answer."""
    files = "\n".join(f"{number}. {_described(one)}" for number, one in enumerate(found, 1))
    schema: Json = {
        "type": "object",
        "properties": {"file": {"type": "integer", "minimum": 1, "maximum": len(found)}},
        "required": ["file"],
        "additionalProperties": False,
    }
    try:
        reply = ask_once(render("choose_target", fact=fact.content, files=files), schema, models)
    except ProviderError:
        return 0
    return int(reply.value["file"]) - 1


def ask_once(text: str, schema: Json, models: AskedModels, *, max_output_tokens: int = OUTPUT_TOKENS) -> Reply:
    """A pass of one question; what it will cost is written down first."""
    expected = models.expected_tokens(text, schema, answer=max_output_tokens // 4)
    begun = models.begin(PURPOSE, expected_tokens=expected, role=ROLE)
    return begun.ask(text, schema, ROLE, max_output_tokens=max_output_tokens)


def _described(one: Target) -> str:
    headings = [section.heading for section in outline(one.file.text).sections if section.heading]
    return f"{one.file.path} ({one.file.kind}): {one.file.about} {', '.join(headings[:20])}"


def find_facts(session: Session, memory: Opened) -> int:
    """Ask a model for the facts of one session; what it finds in typed words waits for a person. Returns how many."""
    models = memory.models
    turns = [turn for turn in memory.store.sessions.turns(session.session_id) if turn.user and is_typed(session, turn)]
    if not models.is_there(ROLE) or not turns or session.agent or kept_out(session, memory.settings.exclude):
        return 0
    shown = {turn.number: turn for turn in turns[-MOST_TURNS:]}
    messages = "\n\n".join(f"{number}. {turn.user[:LONGEST_TYPED]}" for number, turn in shown.items())
    try:
        reply = ask_once(render("facts", messages=messages), FACTS, models)
    except ProviderError:
        return 0
    keeper = Keeper(memory.writer("system"), lambda: memory.new_id(ids.CANDIDATE))
    return sum(_offered(one, session, list(shown.values()), keeper) for one in reply.value["facts"])


def _offered(one: dict[str, Any], session: Session, turns: Sequence[Turn], keeper: Keeper) -> bool:
    """Let a fact wait, if a message that was typed says it; was it new?"""
    content = " ".join(one["content"].split())
    source = next((turn for turn in turns if is_grounded(content, turn.user)), None)
    if source is None or not content or rejected(content):
        return False
    scope = scope_of(content) if one["scope"] == "user" else "repository"
    place = session.repository if scope == "repository" else ""
    cited = Citation("turn", session=session.session_id, turn=source.number, quote=source.user[:LONGEST_QUOTE])
    draft = Draft(
        content,
        scope="repository" if place else "user",
        repository=place,
        reason=" ".join(one["reason"].split()),
        citations=(cited,),
        source="agent",
        origin="assistant",
        session=session.session_id,
    )
    return offer("fact", draft, f"a model found it in turn {source.number}", keeper, proof=1, confidence=0.5)


def is_grounded(content: str, typed: str) -> bool:
    """Does one typed message have every name of a fact, and most of its words?"""
    return coverage(content, typed) >= GROUNDED and names_covered(content, typed)
