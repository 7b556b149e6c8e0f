"""What a person typed, as a statement about them or their project, in their own words.

Nothing is inflected or rephrased: a claim stands as it was typed, an order is named as a wish, and what speaks of "I"
is quoted. A memory that misquotes is worse than none.
"""

from __future__ import annotations

import re

from recollect.memory.gapfill.japanese import is_japanese
from recollect.text.language.frames import SAYS, WANTS

SHORTEST = 6
LONGEST = 320

_OPENING = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|ok|okay|no|nope|nah|also|and|but|so|then|well|hey|hi|oh|ah+|hmm+|please|pls|plz"
    r"|just|actually|btw|wait|careful|don['’]?t(?=[.!])|stop(?=[.!])"
    r"|anyway|right|sure|thanks|thank you|great|nice|cool|perfect|good|fyi|plus|sorry|again|instead|now"
    r"|because|since|as"
    r"|given(?: that)?|that|cause|cuz|bc|which|i thought(?: that)?"
    r"|i (?:already )?told you(?: already)?(?: that)?|(?:like|as) i said"
    r"|remember that|remember,|note that|keep in mind that)\b[\s,.:;!-]*)+",
    re.IGNORECASE,
)
_PLEASE = re.compile(r",? ?\b(?:please|pls|plz)\b ?", re.IGNORECASE)
_SPEAKS_OF_SELF = re.compile(r"\b(?:i|i'm|im|i've|i'd|i'll|my|me|mine|myself)\b", re.IGNORECASE)
_CLAIM = re.compile(r"(?:we|our|the|this|it|all|there)\b", re.IGNORECASE)
_POINTS_BACK = re.compile(r"^(?:it|that|this)(?:'s\b|s\b(?= )| is\b)", re.IGNORECASE)


def statement_of(text: str, *, order: bool, asked: bool = False, antecedent: str = "") -> str:
    """The statement for one typed span; empty when nothing is left of it ("please don't.")."""
    body = " ".join(text.split())
    if asked:
        return f'The user objects: "{_cut(body)}"'
    if is_japanese(body):
        return f"ユーザーの希望：{_cut(body)}" if order else _cut(body)
    body = own_words(body)
    if len(body) < SHORTEST:
        return ""
    if antecedent:
        body = _POINTS_BACK.sub(lambda _: f"{antecedent} is", body)
    if order and not _CLAIM.match(body):
        return _ended(WANTS + _low(_cut(body)))
    if _SPEAKS_OF_SELF.search(body):
        return f'{SAYS}"{_cut(body)}"'
    return _ended(body[:1].upper() + _cut(body)[1:])


def own_words(body: str) -> str:
    """The span without what opens a reply ("ok but", "no,") and without "please"."""
    body = _OPENING.sub("", " ".join(body.split())).strip(" ,;:-–—")
    return _PLEASE.sub(" ", body).strip(" ,;:")


def _low(body: str) -> str:
    return body[:1].lower() + body[1:] if body[1:2].islower() else body


def _cut(body: str) -> str:
    return body if len(body) <= LONGEST else body[:LONGEST].rsplit(" ", 1)[0] + " …"


def _ended(body: str) -> str:
    return body if body.endswith((".", "!", "?", "…", ")", '"')) else body.rstrip(",;:") + "."
