"""Which typed statements can stand in a project's memory, and how much of them: whole sentences that a reader without
the conversation understands. Strict on purpose: what is left out is still an entry. Pure."""

from __future__ import annotations

import re

from recollect.text.language.moments import dangles, is_of_the_moment

LONGEST = 260
SHORTEST_WORDS = 4
MOST_SENTENCES = 2
LEAST_WISH = 0.3  # how sure one has to be of a wish about a repository: most of them are about the task
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z\"'`(])")
# Besides what is of the moment anyway: doubts, small orders, and what only the conversation shows.
_PASSING = re.compile(
    r"^(?:can|could|would|will|did|shall|should (?:i|we)|why|what|what's|how|when will|where|who|which|if so"
    r"|might|maybe|perhaps|close|go|check|look|investigate|write|let'?s|also|now|then"
    r"|make|bump|merge|rebase|push|continue|please"
    r"|ok|okay|yes|no wait|here|see|sure|thanks|hmm|uh|both|longer"
    r"|do (?:that|this|it)|help|think about|needs?)\b"
    r"|\b(?:can|could|would) i\b|\bneeds? to be\b|\b(?:we|you|i|it) (?:also )?needs? to\b"
    r"|\b(?:i|user|we) (?:thought|thinks?|guess|believe|wonder|feels?|remembers?|hopes?|noticed?)\b"
    r"|\bdoes not think\b|\b(?:i'm|am|is) not sure\b|\bthey say\b"
    r"|\bjust (?:created|made|did|added|wrote)\b|\b(?:idiot|stupid|wtf)\b|\bas of now\b|\bfor now\b|\bso far\b"
    r"|\bwe can\b|\b(?:ours|theirs|mine)\b|^(?:the user )?wants to (?!see|be|have|know|keep|use|review|approve)"
    r"|^(?:the user )?(?:just wants|means|meant)\b"
    r"|\b(?:above|below)\b|\bthis (?:one|time|pr|branch|file|function|test|bug|issue|change|commit)\b"
    # A limit of one occasion, one of several things in sight, a fault to mend, what a screen should do.
    r"|\b(?:for|during) this (?!repo|project|codebase|package|service|app|library|workspace|monorepo|team|company)\w"
    r"|\b(?:and|then|to) fix\b|\btroubleshoot\b|\binstead of (?:the )?(?:actual|expected)\b"
    r"|^when(?:ever)? (?:you|we|(?:the )?users?|someone|it) (?:clicks?|press(?:es)?|taps?|hovers?|scrolls?|selects?)\b"
    r"|^@\S|: \d\.$|\bso just\b|\buntil \d|\b(?:may|might) not\b|\bis sorry\b"
    # How things stand just now.
    r"|\bstill (?:no|not|doesn'?t|does not|don'?t|isn'?t|is not|fails?|broken)\b|\bwas able to\b|\bre-?ran\b|\btried\b"
    r"|\bdo(?:es)?(?: not|n'?t) (?:run|work|start|show|load|appear|open|render|compile|build)\b"
    r"|\bnot (?:working|accessible|loading|showing|starting)\b",
    re.IGNORECASE,
)
_OATH = re.compile(r"^(?:omfg|omg|wtf|ffs|damn|dude|come on|argh|ugh)[,!.]* ", re.IGNORECASE)
# What follows from it for the work at hand: `..., so fix it accordingly`.
_SO = re.compile(
    r"[,;]? so (?:that (?=\w+ is right)|(?=(?:\w+ )?(?:it|that|this|there|there's)\b))[^.]*?(?=[.!]?$)", re.IGNORECASE
)
# An order behind a fact: `..., create a task for it`.
_ORDER = re.compile(
    r"[,;] (?:so |and |then )?(?:please )?(?:add|change|create|fix|implement|make|remove|rename|update|write)"
    r" (?:an?|it|that|the|them|this)\b[^.]*?(?=[.!]?$)",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^(Prefers|Wants|Always wants|Never wants|Does not|Doesn't|Likes|Dislikes|Hates|Uses|Works)\b"
)


def lasting(statement: str) -> str:
    """As much of the statement as lasts, or an empty text; it says of whom it is."""
    text = understood(statement)
    return _NO_SUBJECT.sub(lambda found: f"The user {found[1][0].lower()}{found[1][1:]}", text)


def understood(statement: str) -> str:
    """As much of the statement as a reader without the conversation understands, in its own words."""
    kept: list[str] = []
    for sentence in _SENTENCE.split(_OATH.sub("", " ".join(statement.split()))):
        if is_of_the_moment(sentence) or _PASSING.search(sentence) or len(kept) == MOST_SENTENCES:
            break
        if not kept and dangles(sentence):
            break
        kept.append(_ended(_ORDER.sub("", _SO.sub("", sentence))))
    text = " ".join(kept)
    if not kept or len(text) > LONGEST or len(text.split()) < SHORTEST_WORDS:
        return ""
    return text[0].upper() + text[1:] if text.split(" ", 1)[0].isalpha() else text


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;")
    return sentence if sentence[-1:] in (".", "!", ")") and sentence[-1:] else f"{sentence}."
