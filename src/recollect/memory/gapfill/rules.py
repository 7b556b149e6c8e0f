"""What the rules of English and Japanese say of each sentence: how sure they are that it holds in general.

They know a plain statement, but about strangers they are wrong as often as right; so the scorer decides.
"""

from __future__ import annotations

import re
from math import exp

from recollect.memory.gapfill.japanese import is_japanese, japanese_signs
from recollect.memory.gapfill.signs import signs_of
from recollect.memory.gapfill.views import asks_about_it
from recollect.memory.gapfill.weights import log_odds
from recollect.text.language import grammar as g
from recollect.text.language.clauses import Clause, clauses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.text.language.sentences import Sentence

_LIFT = 1.1
_BARE_REPLY = 24  # characters: "that's wrong." and nothing else
_INFORMS = re.compile(
    r"\W*(?:just )?(?:just so (?:you|u) know|so (?:you|u) know|fyi|btw|by the way|for (?:your information"
    r"|context|reference|the record)"
    r"|note(?: that|:)|heads up|be aware|keep in mind|important:)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\W*(?:(?:no|nope|nah|wrong|incorrect)\s*[,.!;:–-]|(?:no|nope)\s+(?:we|it|that|the|this|our|they)\b"
    r"|(?:no,?\s+)?(?:that|this|it)(?:'s|s| is| was)\s+(?:wrong|incorrect|not (?:how|what|true|right|correct|the case))"
    r"|you(?:'re| are) (?:wrong|mistaken))",
    re.IGNORECASE,
)
_ASSERTED = frozenset("the our my name plural all other".split())
_COMMON = g.PREPOSITIONS | g.DETERMINERS | g.AUXILIARIES | g.ADVERBS | g.FILLERS | g.CONJUNCTIONS | g.WH | g.PRONOUNS


def rules_say(spoken: Sequence[Sentence], text: str, before: str = "") -> list[float]:
    """For each sentence between 0 and 1, from its surest clause."""
    answered = frozenset(_content(before[-1500:].lower()))
    parsed = [[] if is_japanese(one.shadow) else clauses(one) for one in spoken]
    sure = []
    for at, (one, parts) in enumerate(zip(spoken, parsed, strict=True)):
        around = _around(one, spoken[at - 1].shadow if at else "", parsed[at + 1 : at + 2])
        worths = [log_odds(signs) for signs in _signs(one, parts, text, around, answered)]
        sure.append(max((1 / (1 + exp(-worth - _LIFT)) for worth in worths), default=0.0))
    return sure


def _content(text: str) -> Iterator[str]:
    for word in text.split():
        bare = word.strip(".,;:!?()[]{}\"'`*_")
        if len(bare) > 3 and bare not in _COMMON:
            yield bare


def _around(one: Sentence, before: str, after: list[list[Clause]]) -> frozenset[str]:
    """The signs that a sentence has from its place in the message."""
    corrects = _CORRECTS.match(one.shadow) or (len(before) <= _BARE_REPLY and _CORRECTS.match(before))
    return frozenset(
        name
        for name, holds in (
            ("asked", one.asked),
            ("informs", _INFORMS.match(one.shadow)),
            ("corrects", corrects),
            ("complaint", after and after[0] and asks_about_it(after[0][0])),
        )
        if holds
    )


def _signs(
    one: Sentence, parts: list[Clause], text: str, around: frozenset[str], answered: frozenset[str]
) -> Iterator[frozenset[str]]:
    """The signs of each clause."""
    extra = around - {"corrects", "complaint"}
    if not parts and is_japanese(one.shadow):
        yield japanese_signs(one.shadow)[0] | extra
    for index, clause in enumerate(parts):
        signs = signs_of(parts, index) | extra
        if _asserts(clause, signs):
            signs |= around & {"corrects"}
        if clause.mood == "claim" and index == len(parts) - 1:
            signs |= around & {"complaint"}
        if clause.mood != "claim" or clause.tense != "present" or clause.modal:
            signs -= {"informs"}
        if signs & {"contrast", "corrects"} or clause.negated:
            words = frozenset(_content(text[clause.start : clause.end].lower()))
            signs |= {"answers"} if words & answered else frozenset()
        yield signs


def _asserts(clause: Clause, signs: frozenset[str]) -> bool:
    """It says how a thing is, not how it should become."""
    if clause.mood != "claim" or clause.tense != "present" or clause.modal:
        return False
    agrees = clause.verb in ("be", "have") or clause.verb.endswith(("s", "ed"))
    return "habit_we" in signs if clause.subject == "we" else clause.subject in _ASSERTED and agrees
