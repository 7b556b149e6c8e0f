"""A correction as a statement: without what only tells that it is one, and what it asks for besides. Pure."""

from __future__ import annotations

import re

from recollect.memory.correcting.values import values_in
from recollect.text.language.grammar import ORDERS
from recollect.text.patterns import lazy

# "No, we use pnpm" answers; "no emojis in commit messages" and "stop using alpine" say what is so.
_PAUSE = r"(?=\s*(?:[,.!:;]|[–—]|-\s|$))"
_CLAUSE = r"(?=\s+(?:we|i|you|it|that|this|the|they|there|he|she|our|my|it['’]s|that['’]s|i['’]m|don['’]?t|actually)\b)"
_LEAD = lazy(
    rf"^\W*(?:(?:(?:no|nein|non)(?:{_PAUSE}|{_CLAUSE})|(?:wait|stop|moment|update){_PAUSE}"
    r"|nope|nah|sorry|oops|hm+|well|ok|okay|correction(?: from \w+)?|oh and|oh|hold on|hang on"
    r"|übrigens|actually|btw|by the way|fyi|note that|heads up|just so you know|reminder"
    r"|please note|i mixed that up|my mistake|i was wrong|(?:careful|attention|achtung|ne|que no|oye)(?=[,:!])"
    r"|au fait|por cierto|et puis"
    r"|(?:as of|since|from|starting) (?:today|yesterday|now on|now|this \w+|last \w+|recently)|ab sofort"
    r"|seit (?:heute|gestern)|depuis hier|desde ayer)"
    r"\b[\s,.:;!–—-]*)+",
    re.IGNORECASE,
)
_TAIL = lazy(
    r"(?<![\s,;–—-])[\s,;–—-]*\b(?:fyi|sorry|btw|please|thanks|thx|by the way|go ahead)[.!]*$"
    r"|[,;.]\s+(?:so |and )?(?:please|can you|could you|bitte)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
# That something may not be done, or only so.
FORBIDS = lazy(
    r"\b(?:don't|do not|never|must not|mustn't|leave|frozen|only|nur|nicht|nichts|jamais|nunca)\b", re.IGNORECASE
)
# From when on it holds, at the beginning.
_SINCE_WHEN = lazy(
    r"(?:from|starting (?:with|in|from|on)|beginning (?:with|in|on)|effective(?: from)?|as of|after|once"
    r"|ab(?! sofort| jetzt)|à partir d[eu]|depuis|desde|a partir de|vanaf|da)"
    r" (?:the |el |le |la |dem |der )?(?:new |next |\d+(?:er|\.|st|nd|rd|th)? )?[\w.]+"
    r"(?: (?:fiscal )?(?:year|quarter|release|sprint|break|week|month|season)| \d{4}| in [A-Z]\w+| is out){0,2}(?: on)?"
    r"(?=[\s,])",
    re.IGNORECASE,
)
MOST_OF_A_FRAGMENT = 4  # words
_NOT_BUT = lazy(
    r"(?:(?:it|that|this|they)(?:'s| is|'re| are) )?not (?P<old>[^,;.]{1,40}?|\d[\w.]{0,20})"
    r"(?:,? but|\s*[,;–—-]+(?: (?:but|it's|it is|rather))?) (?P<new>[^,;]{1,40}?)[.!]?",
    re.IGNORECASE,
)
_LEANS = lazy(
    r"(?:it|they|should|must|can|not)\b|(?:this|that|these|those)(?:'s| (?:is|are|was|should|must|can|has))\b",
    re.IGNORECASE,
)
_ASIDE = lazy(r",? (?:btw|by the way)(?=[,.;])", re.IGNORECASE)


_VERDICT = lazy(
    r"\S+ (?:is|was) (?:right|wrong|correct|incorrect)(?: after all)?[.!]*|[\w.@/-]+, not [\w@/-]+[.!]*", re.IGNORECASE
)


def without_lead(said: str) -> str:
    """A correction without what only tells that it is one: "no,", "btw", "hold on"."""
    return _LEAD.sub("", said.strip())


def straight(said: str) -> str:
    """Not eslint but biome: "It is biome, not eslint", as most people say it and as it is read here."""
    found = _NOT_BUT.fullmatch(without_lead(said))
    return f"It is {found['new']}, not {found['old']}." if found else said


def is_fragment(text: str) -> bool:
    """Does it say nothing by itself: "Bun.", "It is 3001.", "should be green", "npm is right", "pnpm, not npm"?"""
    if _VERDICT.fullmatch(without_lead(text).strip()):
        return True
    words = text.strip(" .!").split()
    if len(words) > MOST_OF_A_FRAGMENT:
        return False
    return _LEANS.match(text) is not None or (len(words) < 3 and words[0].casefold() not in ORDERS)


def since_when(said: str) -> tuple[int, int]:
    """Where the correction says from when on it holds, if it begins with that; else an empty span."""
    start = len(said) - len(_LEAD.sub("", said.lstrip()))
    found = _SINCE_WHEN.match(said, start)
    return (start, found.end()) if found else (0, 0)


def tidy(said: str) -> str:
    """A correction as a statement: without its lead-in and what it asks for besides."""
    text = _TAIL.sub("", without_lead(said)).strip(" ,;-–—") or said.strip()
    text = _ASIDE.sub("", text)
    text = text if values_in(text.split(" ", 1)[0]) else text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "。")) else f"{text}."


def lowered(text: str, said: str = "") -> str:
    """A sentence as it goes on behind something else; what is said with a capital too is a name."""
    first = text.split(" ", 1)[0].rstrip(",.:;")
    is_name = (not first[1:].islower() and len(first) > 1) or f" {first}" in said
    return text if is_name else text[:1].lower() + text[1:]
