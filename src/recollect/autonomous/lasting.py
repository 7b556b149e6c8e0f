"""Which typed statements can stand in a project's memory, and how much of them: whole sentences that a reader without
the conversation understands. Strict on purpose: what is left out is still an entry. Pure."""

from __future__ import annotations

import re

LONGEST = 260
SHORTEST_WORDS = 4
MOST_SENTENCES = 2
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z\"'`(])")
# Asks, tells what to do once, doubts, or points at something that only the conversation shows.
_PASSING = re.compile(
    r"^(?:can|could|would|will|should (?:i|we)|shall|why|what|whats|what's|how|when will|where|who|which|if so|might"
    r"|maybe|perhaps|spawn|add|submit|close|go|check|look|investigate|create|write|fix|implement|let'?s|also|now|then"
    r"|drop|remove|delete|rename|move|update|change|make|bump|merge|rebase|push|continue|please"
    r"|ok|okay|yes|no wait|the (?:new|other|first|second|last|same) one|here|see|sure|thanks|hmm|uh|both|longer"
    r"|do (?:that|this|it))\b"
    r"|\b(?:can|could|would) (?:you|we|u|i)\b|\bneeds? to be\b|\b(?:we|you|i|it) (?:also )?needs? to\b"
    r"|\b(?:i|user|we) (?:thought|thinks?|guess|believe|wonder)\b|\bdoes not think\b|\b(?:i'm|am|is) not sure\b"
    r"|\bjust (?:created|made|did|added|wrote)\b|\b(?:idiot|stupid|wtf)\b|\bas of now\b|\bfor now\b|\bso far\b"
    r"|\bwe can\b|\b(?:ours|theirs|mine)\b|^(?:the user )?wants to (?!see|be|have|know|keep|use|review|approve)"
    r"|\b(?:above|below)\b|\bthis (?:one|time|pr|branch|file|function|test|bug|issue|change|commit)\b|\?\s*$",
    re.IGNORECASE,
)
_OATH = re.compile(r"^(?:omfg|omg|wtf|ffs|damn|dude|come on|argh|ugh)[,!.]* ", re.IGNORECASE)
# What follows from it for the work at hand: `..., so fix it accordingly`.
_SO = re.compile(
    r"[,;]? so (?:that (?=\w+ is right)|(?=(?:\w+ )?(?:it|that|this|there|there's)\b))[^.]*?(?=[.!]?$)", re.IGNORECASE
)
_NO_SUBJECT = re.compile(
    r"^(Prefers|Wants|Always wants|Never wants|Does not|Doesn't|Likes|Dislikes|Hates|Uses|Works)\b"
)
_BREAK = re.compile(r"[.!?](?=\s|$)|\n")
_POINTS = r"(?:this|that|it|here)\s"
_FILE = r"(?:the )?(?:[\w./-]+\.(?:md|json|toml|ya?ml|txt)|(?:agents|claude|gemini)[ .]md|readme|changelog)\b"
_SAYS = r"(?:mention|add|say|state|note|document|include|put|write|describe|list)\b"
# Continues what was said before, doubts, gives a reason that points there, or tells what to write into a file.
_OF_THE_MOMENT = re.compile(
    r"^(?:yes,? )?(?:and|also|plus|then)\b|^(?:\w+,? ){0,2}i (?:thought|think|guess|believe|suppose)\b"
    r"|\b(?:this|that) (?:will|would|is|was|makes?|ruins?|breaks?|has|can|only)\b"
    rf"|^(?:please )?in {_FILE},? (?:please )?{_SAYS}|^(?:please )?{_SAYS}.*\b(?:in|to|into) {_FILE}",
    re.IGNORECASE,
)


def is_of_the_moment(typed: str, start: int, end: int) -> bool:
    """Does the sentence that this stretch stands in, or the one beside it, say that it is about the work at hand?"""
    before, after = _BREAK.split(typed[:start]), _BREAK.split(typed[end:])
    sentence = f"{before[-1]}{typed[start:end]}{after[0]}"
    beside = (before[-2] if len(before) > 1 else "", after[1] if len(after) > 1 else "")
    points = any(re.match(_POINTS, one.strip(), re.IGNORECASE) for one in beside)
    return points or _OF_THE_MOMENT.search(" ".join(sentence.split())) is not None


def lasting(statement: str) -> str:
    """As much of the statement as lasts, or an empty text."""
    kept: list[str] = []
    for sentence in _SENTENCE.split(_OATH.sub("", " ".join(statement.split()))):
        if _PASSING.search(sentence) or len(kept) == MOST_SENTENCES:
            break
        kept.append(_ended(_SO.sub("", sentence)))
    text = " ".join(kept)
    if not kept or len(text) > LONGEST or len(text.split()) < SHORTEST_WORDS:
        return ""
    text = text[0].upper() + text[1:]
    return _NO_SUBJECT.sub(lambda found: f"The user {found[1][0].lower()}{found[1][1:]}", text)


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;")
    return sentence if sentence[-1:] in (".", "!", ")") and sentence[-1:] else f"{sentence}."
