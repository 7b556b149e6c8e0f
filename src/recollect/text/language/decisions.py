"""Sentences that settle something: what was decided, and what holds from now on."""

from __future__ import annotations

import re

from recollect.text.patterns import lazy

_DECIDED = lazy(
    r"\b(?:decid(?:ed|e on)|decision|instead of|rather than|chose|opted|agreed|settled? (?:on|for)|go(?:ing)? with"
    r"|(?:we(?:['’]ll| will| should)?|let['’]?s) (?:use|keep|go|stay|stick|move|switch|drop)|stick(?:ing)? (?:to|with)"
    r"|(?:switch|mov|migrat|chang|rais|lower|bump|reduc|renam|set)(?:e|ed|ing|es|s)? (?:\S+ ){0,4}(?:to|from)"
    r"|replac(?:ed|ing)|dropped|no longer|from now on|is now|are now|not any ?more|use \S+ (?:for|as))\b",
    re.IGNORECASE,
)
_STANDING = lazy(
    r"\b(?:always|never|I(?:['’]d| would)? (?:always |never |really |generally )?(?:prefer|like|want|need|hate)"
    r"|my preference|from now on|whenever|every time|make sure|please (?:don['’]?t|keep|use|avoid)|do not ever)\b",
    re.IGNORECASE,
)
_ASKS = lazy(
    r"\b(?:deci(?:de|ded|sion|sions)|ch(?:oo|o)se|chosen|choice|pick(?:ed)?|agree(?:d|ment)?|settled?|conclu(?:de|ded|sion)"
    r"|(?:did|do|are|have|were) we|we(?:['’]re| are)? (?:now|still|currently)|current(?:ly)?|latest|these days)\b",
    re.IGNORECASE,
)
_TELL = lazy(
    r"\b(?:did|was|were|have|has|had|when|which|who|whose|how (?:many|much|long|often|old)|what (?:is|are|do)|order|ago"
    r"|last|before|yesterday|summar\w+|between|since)\b",
    re.IGNORECASE,
)
_END = lazy(r"(?<=[.!?。！？])\s+|\n+")
# What any question about a decision says, as terms.
SAYS_LITTLE = frozenset("decid decis chose choos choic pick agre settl conclus end final last time".split())


def asks_decision(question: str) -> bool:
    """Does it ask how something was settled, or how it is by now?"""
    return _ASKS.search(question) is not None


def is_request(question: str) -> bool:
    """Is something to be done or advised, rather than told of the past?"""
    return _TELL.search(question) is None


def is_decision(sentence: str) -> bool:
    """Does it say what was decided, or what is so from now on?"""
    return _DECIDED.search(sentence) is not None or is_standing_word(sentence)


def is_standing_word(sentence: str) -> bool:
    """Does it say what somebody always wants, or never?"""
    return _STANDING.search(sentence) is not None


def sentences_of(text: str) -> list[str]:
    """A text in its sentences and lines."""
    return [part for part in map(str.strip, _END.split(text)) if part]
