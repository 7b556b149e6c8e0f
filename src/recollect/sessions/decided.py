"""What was decided in a session: somebody chose, in words that are finished, and the same sentence says why.

An explanation with a "because" in it is none, nor is what an agent is about to do, a condition or a question.
"""

from __future__ import annotations

import re

from recollect.text.language.decisions import sentences_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.sessions import Turn

MOST_DECISIONS = 2
SHORTEST, LONGEST = 20, 360  # characters

# Not what belongs to a name: `*.py`, `flush_worker`, `C#`, `#41`.
MARKUP = re.compile(
    r"```.*?(?:```|\Z)|(?m:^[ \t]*(?:#{1,6}|>+)[ \t])|`+|[ \t]\|[ \t]"
    r"|(?<![\w*/])[*_]+(?=\w)|(?<=[\w.,:!?)])[*_]+(?![\w*/.])",
    re.DOTALL,
)
_LISTED = re.compile(r"^(?:[-*•+]|\d{1,2}[.)])\s+")
_CLAUSE = r"(?:^|[,;:(—–] ?|\b(?:and|but|so|therefore) )"
_OUTRIGHT = r"(?:decided|chose|chosen|opted|settled|agreed|picked)\b"
_SETTLED = (
    rf"(?:{_OUTRIGHT}|(?:preferred|prefer|went (?:with|for)|stuck (?:to|with)|stayed (?:on|with)|kept|skipped|declined"
    r"|rejected|accepted|dropped|avoided|left)\b)"
)
_STAYS = r"(?:keep(?! \w+ing\b)|drop|skip|avoid|go (?:ahead )?(?:with|for)|stick (?:to|with)|stay (?:on|with)|use)\b"
_HAVING = r"(?:(?:['’]ve| have|['’]d| had))? (?:(?!not\b)\w+ly |also |just |only |now |both |all )?"
# Who chose says so ("we chose", "I kept"), or leaves "I" out ("Kept the flag, because ...").
_CHOSE = re.compile(
    rf"{_CLAUSE}(?:i|we|you|they|the (?:team|user|maintainers?)){_HAVING}{_SETTLED}|^{_SETTLED}"
    rf"|{_CLAUSE}we {_STAYS}|\bdecision(?: is| was)?:",
    re.IGNORECASE,
)
# The user also decides by an order or a wish.
_ORDERED = re.compile(
    rf"{_CLAUSE}(?:(?:we(?:['’]ll| will| should)?|let['’]?s|i(?:['’]d)? (?:want|prefer)(?: to)?|please|just|yes,?) )?"
    rf"{_STAYS}|^i(?:['’]d)? (?:want|prefer)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|so that|to avoid|due to|(?<!^)otherwise|in order to|given that"
    r"|since(?! (?:then|last|yesterday|v?\d|commit))|as (?:it|this|that|we|they|there)(?:['’]\w+)?(?= \w))\b"
    r"|[,;–—] ?so (?:we|it|the|that|they|there)\b|[–—] (?:it|they|this)\b",
    re.IGNORECASE,
)
# Who says outright that they chose, and over what, has weighed it.
_WEIGHED = re.compile(rf"\b(?:i|we|you|they){_HAVING}{_OUTRIGHT}.*\b(?:instead of|rather than|over)\b", re.IGNORECASE)
_NOT_SETTLED = re.compile(
    r"\bi(?:['’]m| am|['’]ll| will)\b|\bcan (?:you|we|i)\b"
    r"|\b(?:if|whether|would|could|might|maybe|perhaps|assum\w+|guess)\b"
    r"|^(?:does|do|is|are|should|shall|can|could|would|why|how|what)\b|[?:]$",
    re.IGNORECASE,
)


def decided(turns: Iterable[Turn]) -> list[str]:
    """The decisions, in their own words, the last one first. What is too long to be told whole is left out."""
    found: dict[str, None] = {}
    for turn in turns:
        for text, typed in ((turn.user, True), (turn.assistant, False)):
            for sentence in sentences_of(MARKUP.sub(" ", text)):
                line = _LISTED.sub("", " ".join(sentence.split()))
                if SHORTEST < len(line) < LONGEST and _decides(line, typed=typed):
                    found.pop(line, None)
                    found[line] = None
    return list(found)[-MOST_DECISIONS:][::-1]


def _decides(line: str, *, typed: bool) -> bool:
    if _NOT_SETTLED.search(line) or not (_REASON.search(line) or _WEIGHED.search(line)):
        return False
    return bool(_CHOSE.search(line) or (typed and _ORDERED.search(line)))
