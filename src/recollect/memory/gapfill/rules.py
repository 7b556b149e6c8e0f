"""What the rules of English and Japanese say of each sentence: how sure they are that it holds in general.

They know a plain statement, but about strangers they are wrong as often as right; so the scorer decides.
"""

from __future__ import annotations

import re
from math import exp

from recollect.memory.gapfill.japanese import is_japanese, japanese_signs
from recollect.memory.gapfill.signs import signs_of
from recollect.memory.gapfill.weights import log_odds
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
CORRECTS = re.compile(
    r"\W*(?:(?:no|nope|nah|wrong|incorrect)\s*[,.!;:–-]|(?:no|nope)\s+(?:we|it|that|the|this|our|they)\b"
    r"|(?:no,?\s+)?(?:that|this|it)(?:'s|s| is| was)\s+(?:wrong|incorrect|not (?:how|what|true|right|correct|the case))"
    r"|you(?:'re| are) (?:wrong|mistaken))",
    re.IGNORECASE,
)
_ASSERTED = frozenset("the our my name plural all other".split())


def rules_say(spoken: Sequence[Sentence]) -> list[float]:
    """For each sentence between 0 and 1, from its surest clause."""
    sure = []
    for at, one in enumerate(spoken):
        worths = [log_odds(signs) for signs in _signs(one, spoken[at - 1].shadow if at else "")]
        sure.append(max((1 / (1 + exp(-worth - _LIFT)) for worth in worths), default=0.0))
    return sure


def _signs(one: Sentence, before: str) -> Iterator[frozenset[str]]:
    """The signs of each clause."""
    if is_japanese(one.shadow):
        yield japanese_signs(one.shadow)
        return
    informs = _INFORMS.match(one.shadow)
    corrects = CORRECTS.match(one.shadow) or (len(before) <= _BARE_REPLY and CORRECTS.match(before))
    parts = clauses(one)
    for index, clause in enumerate(parts):
        signs = signs_of(parts, index)
        if corrects and _asserts(clause, signs):
            signs |= {"corrects"}
        if informs and clause.mood == "claim" and clause.tense == "present" and not clause.modal:
            signs |= {"informs"}
        yield signs


def _asserts(clause: Clause, signs: frozenset[str]) -> bool:
    """It says how a thing is, not how it should become."""
    if clause.mood != "claim" or clause.tense != "present" or clause.modal:
        return False
    agrees = clause.verb in ("be", "have") or clause.verb.endswith(("s", "ed"))
    return "habit_we" in signs if clause.subject == "we" else clause.subject in _ASSERTED and agrees
