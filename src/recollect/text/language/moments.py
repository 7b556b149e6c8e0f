"""Sentences about the work at hand: they ask for something, order a piece of work, allow one, explain an order, or
name what only the conversation shows. Whoever reads one later has no use for it."""

from __future__ import annotations

from recollect.text.language.frames import is_question
from recollect.text.language.orders import is_order
from recollect.text.patterns import IGNORECASE, lazy

LONGEST_TALK = 1_000  # characters; who types more hands over a text, and what it says is about the task

_ASKS = lazy(r"\b(?:can|could|would|will) (?:you|u|we)\b|\bhow about\b|^\W*whats\b", IGNORECASE)
# A piece of work; "createa plan" is one too.
_MAKES = lazy(
    r"\W*(?:(?:please|now|then|ok|okay|alright|and|also|so|but|just|let's|lets|i (?:want|need) you to)\W+)*"
    r"(?:(?:add|fix|create|change|update|remove|delete|drop|edit|implement|move|rename|generate|debug|refactor|replace"
    r"|put|spawn|launch|submit|make(?! sure))(?:an?|the)?\b"
    r"|(?:help me|go through)\b|(?:write|build|prepare) (?:me |up )?(?:an?|the)\b)",
    IGNORECASE,
)
# What the speaker wants done, or is about to do.
_WISHES = lazy(
    r"^\W*i(?:['’]ll| will)\b(?!.*\b(?:always|never|every|each|any|whenever)\b)"
    r"|^\W*(?:so |and |but )?(?:i|we)(?:'d| would)? (?:also |just )?(?:want|like|need) "
    r"(?:to (?!see|be|have|know|keep|use|review|approve|avoid)|an?\b)(?!.*\b(?:always|never|every|each|any|whenever)\b)"
    r"|\bneeds? to do (?:an?|some)\b",
    IGNORECASE,
)
_ALLOWS = lazy(
    r"\b(?:it|that|they|this|these|those) can (?:also |now |just )?be"
    r" (?:closed|deleted|dropped|merged|removed|skipped)\b"
    r"|(?:\bwe (?:can(?: also| now| just)?|should)|^\W*can) (?:close|delete|drop|merge|remove|skip)\b",
    IGNORECASE,
)
_EXPLAINS = lazy(r"^\W*(?:(?:no|sorry|well)\W+)?i (?:just )?meant?\b", IGNORECASE)
_POINTS = lazy(
    r"\b(?:bullet|comment|finding|option|suggestion) (?:\d{1,2}|[a-e])\b"
    r"|\bthe (?:\w+ )?ones?\b(?! (?:in|that|who|with|from)\b)",
    IGNORECASE,
)
_FILE = r"(?:the )?(?:[\w./-]+\.(?:md|json|toml|ya?ml|txt)|(?:agents|claude|gemini)[ .]md|readme|changelog)\b"
_SAYS = r"(?:mention|add|say|state|note|document|include|put|write|describe|list)\b"
_WRITES = lazy(
    rf"^\W*(?:(?:please|also|and) )*(?:in {_FILE},? (?:please )?{_SAYS}|{_SAYS}.*\b(?:in|to|into) {_FILE})", IGNORECASE
)
# You can add them there; we looked into this before: whatever is meant was named elsewhere.
_DANGLES = lazy(
    r"^\W*(?:you|we|i|they|the user|do not|don't|never|always) (?:\w+ ){0,3}(?:them|it|this|that|those|these)"
    r"(?= (?:there|here|previously|now|again|before|already|yet|too|anyway|in|on|to|for|with|when|if|because|from|at|by"
    r"|as|until)\b|[.,;!]|$)|\b(?:our|your|its|their) own[.!]?$",
    IGNORECASE,
)
_REGRETS = lazy(r"\bshould(?: never| not|n['’]?t| always)? have \w+(?:ed|t|n|d|s)\b", IGNORECASE)
_BREAK = lazy(r"[.!?](?=\s|$)|\n")
_FOR_NOW = lazy(r"\b(?:for now|this time|today|for (?:this|the) task)\b", IGNORECASE)
_POINTS_HERE = lazy(r"(?:this|that|it|here)\s", IGNORECASE)
# Behind an order this is a limit of that order, unless it says more.
_LIMIT = lazy(
    r"^(?:please )?(?:do not|don'?t)\b"
    r"(?!.*\b(?:ever|always|never|anywhere|whenever|unless|in (?:this|the|our) (?:repo|project))\b)",
    IGNORECASE,
)
# Continues what was said before, or gives a reason that points there.
_GOES_ON = lazy(
    r"^(?:yes,? )?(?:and|also|plus|then)\b|^(?:\w+,? ){0,2}i (?:thought|think|guess|believe|suppose)\b"
    r"|\b(?:this|that) (?:will|would|is|was|makes?|ruins?|breaks?|has|can|only)\b",
    IGNORECASE,
)
_SIGNS = (_ASKS, _WISHES, _ALLOWS, _EXPLAINS, _POINTS, _WRITES, _REGRETS)


def is_of_the_moment(sentence: str) -> bool:
    """Does this sentence by itself say that it is about the work at hand?"""
    return bool(_MAKES.match(sentence)) or is_question(sentence) or any(sign.search(sentence) for sign in _SIGNS)


def dangles(sentence: str) -> bool:
    """Does it speak of something that it does not name?"""
    return _DANGLES.search(sentence) is not None


def is_said_for_now(typed: str, start: int, end: int) -> bool:
    """Does the sentence that this stretch of a message stands in, or the one beside it, say so?"""
    if len(typed) > LONGEST_TALK or typed[end:].lstrip().startswith(":"):
        return True  # a text, or the head of a list
    before, sentence, after = _around(typed, start, end)
    beside = map(str.strip, (*before[-1:], *after[:1]))
    if any(_POINTS_HERE.match(one) or _FOR_NOW.search(one) for one in beside):
        return True
    return bool(is_of_the_moment(sentence) or _GOES_ON.search(sentence)) or is_limit(typed, start, end)


def is_limit(typed: str, start: int, end: int) -> bool:
    """Join the red dots. Do not join the blue dots: does it only limit the order before it?"""
    before, sentence, _ = _around(typed, start, end)
    return _LIMIT.match(sentence) is not None and is_order(". ".join(before))


def _around(typed: str, start: int, end: int) -> tuple[list[str], str, list[str]]:
    """The sentences before a stretch, the one that it stands in, and those behind it."""
    before, after = _BREAK.split(typed[:start]), _BREAK.split(typed[end:])
    return before[:-1], " ".join(f"{before[-1]}{typed[start:end]}{after[0]}".split()), after[1:]
