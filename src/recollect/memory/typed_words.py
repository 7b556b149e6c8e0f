"""Whether a statement says no more than what a person typed: the same names, the same words, asserted and denied alike.

Rules on the words, no model. When in doubt it was not typed: then somebody is asked, which costs less than a lie that
passes for the user's word.
"""

from __future__ import annotations

import re

from recollect.text.language.frames import frame_of
from recollect.text.language.sentences import QUOTE, sentences, shadow
from recollect.text.similarity import normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.text.language.frames import Frame

COVERED = 0.8  # share of the statement's words that a person must have typed
MOST_NEW = 1  # words of its own that a statement may have
FEW_WORDS = 3  # a statement with fewer says little: then the verb must agree as well
WINDOW = 3  # sentences in a row that a statement may sum up
LONGEST_QUOTE = 40  # longer quotes are somebody else's words
QUOTED_WORDS = 3  # spaces in a quote that make it a sentence; a command or a name has fewer
TALK = 1_500  # characters of own words; beyond that a message is a text, and only its edges are talk
EDGE = 600

_UNSURE = re.compile(
    r"\b(whether|what if|wonder(?:ing)?|(?:see|check|find out|test|verify|make sure|sure|ask|know) if"
    r"|suppose|supposedly|imagine|pretend|hypothetically|for example|as an example|joking|just kidding"
    r"|i (?:thought|assumed|guess|figured)|apparently|used to)\b",
    re.IGNORECASE,
)
# What is said under a condition, for a while, by somebody else or of something bad is not said for good: whoever leaves
# one of these words out says something else.
_QUALIFIES = re.compile(
    r"\b(if|unless|until|when(?:ever)?|while|only|except|where|once|today|tonight|tomorrow|yesterday|this time|for now"
    r"|temporar(?:y|ily)|for this|in this (?:case|session|branch|pr)|forbidden|prohibited|not allowed|bad|wrong|mistake"
    r"|dangerous|terrible|awful|harmful|insecure|hate|rather|bug|pretends?|says|saying|said|told|tells|claim(?:s|ed|ing)?"
    r"|according to|reads|placeholder|translate|rephrase)\b",
    re.IGNORECASE,
)
_I_SAID = re.compile(r"\b(?:I|we)(?:'ve| have)?(?: \w+)? (?:said|told)(?: you)?\b", re.IGNORECASE)
_DIRECTED = re.compile(
    r"\w's\b|\b(before|after|than|over|into|onto|from|towards?|behind|above|below|until|then)\b", re.IGNORECASE
)
_FORGET = re.compile(
    r"\b(forget|no longer|not (?:true|right|correct|valid) any ?more|outdated|obsolete|wrong(?! with)|stop remembering"
    r"|don't remember|do not remember"
    r"|(?:remove|delete|drop|erase|retire|scrap)(?=.*\b(?:memor(?:y|ies)|remember(?:ed)?|entr(?:y|ies)|note|fact|profile)\b))\b",
    re.IGNORECASE,
)
# "Do not forget" asks for the opposite, and what is "not wrong" is right.
_KEPT = re.compile(
    r"\b(?:don'?t|do not|never|not|nothing|nor|can'?t|cannot|won'?t|isn'?t|aren'?t|neither|without)\b(?:\s+\w+){0,3}\s+"
    r"(?:forget|forgetting|remove|delete|drop|erase|retire|scrap|outdated|obsolete|wrong)\b",
    re.IGNORECASE,
)
# What people say before they say it; a "no" that denies what follows has no comma behind it.
_OPENING = re.compile(
    r"^\W*(?:(?:no|nope|nah|yes|yeah|yep|wrong|incorrect|stop|wait|sorry|ok|okay|right)\s*[,.!;:–—-]+\s*"
    r"|(?:actually|btw|fyi|by the way|just so you know|note that|please (?:note|remember)(?: that)?|remember(?: that)?"
    r"|keep in mind(?: that)?|for the record)\b[\s,:;–—-]*)+",
    re.IGNORECASE,
)
# What stands on both sides of these is said for itself.
_PARTS = re.compile(r";\s|,?\s+(?:but|because|whereas)\s+|,\s+so\s+", re.IGNORECASE)
# What a declarative sentence adds to what was said: who said it, that it is wanted, where it holds.
_FRAME_WORDS = frozenset(
    "user person developer project repository repo codebase team want prefer wish like request ask say state mention "
    "call use always convention preference rule policy standard default here thi".split()
)


def says(typed: str, statement: str) -> bool:
    """Does the statement say only what stands in this typed message?"""
    said = normalise(statement)
    wanted = frame_of(statement)
    keys = _keys(wanted)
    if not said or not keys:
        return False
    return any(normalise(window) == said or _covers(window, wanted, keys, statement) for window in _windows(typed))


def takes_back(typed: str, content: str) -> bool:
    """Does this typed message say that what this entry says should be forgotten, or is wrong?"""
    keys = {key for key, _ in _keys(frame_of(content))}
    for window in _windows(typed):
        if _FORGET.search(window) and not _KEPT.search(window):
            found = {item.key for item in frame_of(window).items}
            hard = {item.key for item in frame_of(content).items if item.hard}
            if keys and hard <= found and len(keys & found) >= 0.6 * len(keys):
                return True
    return False


def stands_in(text: str, statement: str) -> bool:
    """Was the statement lifted from this text: is it there word for word, or with all its words in one line?"""
    said = normalise(statement)
    if not said or not text:
        return False
    if len(said) > 12 and said in normalise(text[:200_000]):
        return True
    wanted = frame_of(statement)
    keys = _keys(wanted)
    if len(keys) < FEW_WORDS:
        return False
    for line in text[:200_000].splitlines():
        if len(line) > 2 * len(statement) + 200 or len(line) < len(statement) // 3:
            continue
        found = {item.key for item in frame_of(line).items}
        if len([key for key, _ in keys if key in found]) >= COVERED * len(keys):
            return True
    return False


def _covers(window: str, wanted: Frame, keys: dict[tuple[str, int], bool], statement: str) -> bool:
    given = frame_of(window)
    if (given.hedged and not wanted.hedged) or (given.tense and given.tense != wanted.tense):
        return False
    if _qualifiers(window) - _qualifiers(statement):
        return False
    pairs = {(item.key, item.sign) for item in given.items}
    missing = [pair for pair in keys if pair not in pairs]
    if any((key, -sign) in pairs for key, sign in missing):
        return False  # asserted there, denied here
    if any(keys[pair] for pair in missing) or len(missing) > MOST_NEW:
        return False
    covered = len(keys) - len(missing)
    if not covered or covered < COVERED * len(keys) or _turned_round(given, wanted, window, statement):
        return False
    return covered >= FEW_WORDS or given.verb == wanted.verb or len(given.items) <= len(wanted.items) + 1


def _qualifiers(text: str) -> set[str]:
    return {found.casefold() for found in _QUALIFIES.findall(_I_SAID.sub("", text))}


def _turned_round(given: Frame, wanted: Frame, window: str, statement: str) -> bool:
    """Are the same words there in another order, where the order tells who, what and which?"""
    names = sum(item.hard for item in wanted.items)
    if names < 2 and not (_DIRECTED.search(window) and _DIRECTED.search(statement)):
        return False
    there = [item.key for item in given.items if item.key not in _FRAME_WORDS]
    here = [item.key for item in wanted.items if item.key in there and item.key not in _FRAME_WORDS]
    places = [there.index(key) for key in dict.fromkeys(here)]
    return places != sorted(places)


def _keys(frame: Frame) -> dict[tuple[str, int], bool]:
    """The telling words of a statement, asserted or denied; True for names and numbers, which must be there."""
    return {
        (item.key, item.sign): item.hard
        for item in frame.items
        if item.hard or (item.key not in _FRAME_WORDS and item.raw.casefold() not in _FRAME_WORDS)
    }


def _windows(typed: str) -> Iterator[str]:
    """A person's own sentences, one by one and as runs of a few; no questions, no guesses, nothing pasted."""
    own = _without_long_quotes(typed)
    spoken = [one for one in sentences(own) if not one.asked]
    if sum(one.end - one.start for one in spoken) > TALK:
        spoken = [one for one in spoken if one.end <= EDGE or one.start >= len(own) - EDGE]
    texts = [_OPENING.sub("", own[one.start : one.end]) for one in spoken]
    texts = [text for text in texts if not _UNSURE.search(text) and not frame_of(text).asks]
    for text in texts:
        parts = [part.strip() for part in _PARTS.split(text)]
        yield from (part for part in parts if part and part != text)
    for size in range(1, WINDOW + 1):
        for start in range(len(texts) - size + 1):
            yield " ".join(texts[start : start + size])


def _without_long_quotes(typed: str) -> str:
    if not any(mark in typed for mark in "\"'“«"):
        return typed
    drawn = shadow(typed)
    blanked = list(typed)
    for run in re.finditer(f"{QUOTE}+", drawn):
        if run.end() - run.start() > LONGEST_QUOTE or typed[run.start() : run.end()].count(" ") >= QUOTED_WORDS:
            blanked[run.start() : run.end()] = " " * (run.end() - run.start())
    return "".join(blanked)
