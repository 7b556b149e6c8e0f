"""Facts that say the same in other words, by a model where one is there: rules pick the pairs, it may only call one the
same, and it is asked about a pair once."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING

from recollect.errors import ProviderError
from recollect.flows.suggestions.models import ROLE, ask_once
from recollect.prompts import render
from recollect.suggestions.facts import united
from recollect.suggestions.wording import names_covered
from recollect.text.digests import sha256_hex
from recollect.text.language.statements import relation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.messages import Json
    from recollect.model.suggestions import Fact

    Pair = tuple[Fact, Fact]

MOST_ASKED = 40  # pairs, in one question
OUTPUT_TOKENS = 2_048
TOLD = "suggestions.repeats."  # and the repository
SAME = "same"
_PAIR: Json = {
    "type": "object",
    "properties": {
        "pair": {"type": "integer", "minimum": 1, "maximum": MOST_ASKED},
        "relation": {"type": "string", "enum": [SAME, "contradict", "different"]},
    },
    "required": ["pair", "relation"],
    "additionalProperties": False,
}
SCHEMA: Json = {
    "type": "object",
    "properties": {"pairs": {"type": "array", "items": _PAIR, "maxItems": MOST_ASKED}},
    "required": ["pairs"],
    "additionalProperties": False,
}


def without_repeats(facts: Sequence[Fact], memory: Opened, *, ask: bool = True) -> list[Fact]:
    """The facts, without those that a model says repeat an earlier one; its citations are united with theirs. Without
    `ask`, only what a model said before counts."""
    ask = ask and memory.models.is_there(ROLE)
    place = TOLD + memory.repository.repository
    before: dict[str, str] = json.loads(memory.store.home_value(place) or "{}")
    if not ask and not before:
        return list(facts)
    pairs = {_key(pair): pair for pair in _pairs(facts)}
    told = {key: before[key] for key in pairs if key in before}
    if ask and len(told) < len(pairs):
        told |= _asked({key: pair for key, pair in pairs.items() if key not in told}, memory)
        with memory.store.write(durable=False):
            memory.store.set_home_value(place, json.dumps(told))
    kept = {fact.fact_id: fact for fact in facts}
    for key, (first, later) in pairs.items():
        if told.get(key) == SAME and first.fact_id in kept and later.fact_id in kept:
            again, known = kept.pop(later.fact_id), kept[first.fact_id]
            sure = max(known.confidence, again.confidence)
            citations = united(known.citations, again.citations)
            kept[first.fact_id] = known._replace(citations=citations, confidence=sure)
    return list(kept.values())


def _pairs(facts: Sequence[Fact]) -> list[Pair]:
    """What may say the same: of one place, related by the rules, and with the same names in both. The earlier first."""
    ordered = sorted(facts, key=lambda one: (one.created, one.fact_id))
    found = (
        (first, later)
        for first, later in combinations(ordered, 2)
        if first.scope == later.scope
        and names_covered(first.content, later.content)
        and names_covered(later.content, first.content)
        and relation(first.content, later.content) in ("near", "related")
    )
    return [pair for pair, _ in zip(found, range(MOST_ASKED), strict=False)]


def _key(pair: Pair) -> str:
    return sha256_hex("\n".join(one.content for one in pair).encode("utf-8", "surrogatepass"))[:16]


def _asked(pairs: Mapping[str, Pair], memory: Opened) -> dict[str, str]:
    """How a model calls these pairs; nothing when there is no whole answer, so that it is asked again next time."""
    shown = "\n".join(
        f"{number}.\n- {first.content}\n- {later.content}" for number, (first, later) in enumerate(pairs.values(), 1)
    )
    text = render("compare_entries", pairs=shown)
    try:
        reply = ask_once(text, SCHEMA, memory.models, max_output_tokens=OUTPUT_TOKENS)
    except ProviderError:
        return {}
    said = {one["pair"]: one["relation"] for one in reply.value["pairs"]}
    return {key: said.get(number, "different") for number, key in enumerate(pairs, 1)}
