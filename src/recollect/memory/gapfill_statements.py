"""What a person typed, said of them: "don't add emojis" becomes "The user does not want the agent to add emojis."

Only the grammar of person changes; every other word stays as it was typed.
"""

from __future__ import annotations

import re

from recollect.memory.gapfill_japanese import is_japanese
from recollect.text import grammar as g

LONGEST = 320

_OPENING = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|ok|okay|no|nope|nah|also|and|but|so|then|well|hey|hi|oh|ah+|hmm+|please|pls|plz"
    r"|just|actually|btw|wait"
    r"|anyway|right|sure|thanks|thank you|great|nice|cool|perfect|good|fyi|plus|sorry|again|instead|now"
    r"|because|since|as"
    r"|given(?: that)?|that|cause|cuz|bc|which|i thought(?: that)?"
    r"|i (?:already )?told you(?: already)?(?: that)?|(?:like|as) i said"
    r"|remember that|remember,|note that|keep in mind that)\b[\s,.:;!-]*)+",
    re.IGNORECASE,
)
_PLEASE = re.compile(r",?\s*\b(?:please|pls|plz)\b\s*", re.IGNORECASE)
_NEGATED = re.compile(r"^(?:do\s+not|don'?t|dont)\s+", re.IGNORECASE)
_NAMES = {"i": "the user", "we": "the team", "you": "the agent"}
_OWN = {
    "my": "the user's",
    "our": "the team's",
    "your": "the agent's",
    "me": "the user",
    "us": "the team",
    "mine": "the user's",
    "ours": "the team's",
    "myself": "themselves",
    "yourself": "itself",
}
_SHORT = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would", "s": "is"}
_PEOPLE = frozenset(
    [*_NAMES, "im", "ive", *(f"{who}'{short}" for who in _NAMES for short in ("m", "re", "ve", "ll", "d"))]
)
_FINITE = {"am": "is", "are": "is", "was": "was", "were": "was", "have": "has", "do": "does"}
_BARE = g.MODALS | g.PAST | frozenset("to not be let lets make makes help".split())
_ASKING = frozenset("do does did can could should would will shall may might must are is have has were was".split())
_BEFORE_OBJECTS = g.PREPOSITIONS - {"before", "after", "until", "as", "than"}
_VERBS = g.ORDERS | {"always", "never", "don't", "dont"}
_CORE = re.compile(r"^([(\[\"'*_]*)(.*?)([)\]\"'*_.,;:!?]*)$", re.DOTALL)


def statement_of(text: str, *, order: bool, asked: bool = False, antecedent: str = "") -> str:
    """The declarative statement for one typed span."""
    body = " ".join(text.split())
    if asked:
        return f'The user objects: "{_cut(body)}"'
    if is_japanese(body):
        return f"ユーザーの希望：{_cut(body)}" if order else _cut(body)
    body = _OPENING.sub("", body).strip(" ,;:-–—") or body
    body = _PLEASE.sub(" ", body).strip(" ,;:")
    if antecedent:
        body = re.sub(
            r"^(?:it|that|this)(?:'s\b|s\b(?= )| is\b)", lambda _: f"{antecedent} is", body, flags=re.IGNORECASE
        )
    said = _wish(body) if order else _third_person(body)
    return _sentence(said)


def _wish(body: str) -> str:
    lowered = body.lower()
    negated = _NEGATED.match(body)
    if negated:
        return f"The user does not want the agent to {_third_person(_low(body[negated.end() :]))}"
    if lowered.startswith("never "):
        return f"The user wants the agent never to {_third_person(body[6:])}"
    if lowered.startswith("be "):
        return f"The user wants the agent to {_third_person(_low(body))}"
    words = lowered.split(" ")
    if words[0].strip(",") not in g.ORDERS and words[0] not in ("always", "only"):
        verbs = [at for at, word in enumerate(words) if at and word in _VERBS]
        at = next((at for at in verbs if words[at - 1].endswith(",")), verbs[0] if verbs else 0)
        if not at or at > 16:
            return f"The user asked for this: {_third_person(_low(body))}"
        typed = body.split(" ")
        return f"{_third_person(' '.join(typed[:at])).rstrip(',')}, {_low(_wish(' '.join(typed[at:])))}"
    return f"The user wants the agent to {_third_person(_low(body))}"


def _low(body: str) -> str:
    return body[:1].lower() + body[1:] if body[1:2].islower() else body


def _third_person(body: str) -> str:
    """First and second person become the user, the team and the agent; the verb behind them agrees."""
    words = body.split(" ")
    said: list[str] = []
    subject = ""  # a person whose verb has not come yet
    for index, word in enumerate(words):
        opened, core, closed = _CORE.match(word).groups()  # type: ignore[union-attr]
        lowered = core.lower()
        before = words[index - 1].lower() if index else ""
        if "`" in word or "/" in word:
            subject = ""
        elif lowered in _PEOPLE:
            core, subject = _person(lowered, before, last=closed != "" or index + 1 == len(words))
        elif lowered in _OWN:
            core = _OWN[lowered]
        elif subject and lowered not in g.ADVERBS:
            core, subject = _finite(core, lowered), ""
        subject = "" if closed else subject
        said.append(opened + core + closed)
    return " ".join(said)


def _person(lowered: str, before: str, *, last: bool) -> tuple[str, str]:
    """The name for a pronoun, and the subject that waits for its verb."""
    pronoun, _, short = lowered.partition("'")
    pronoun, short = ("i", short or lowered[1:]) if lowered in ("im", "ive") else (pronoun, short)
    name = _NAMES[pronoun]
    if short:
        return f"{name} {_SHORT[short]}", ""
    waits = not last and before not in _ASKING and before not in _BEFORE_OBJECTS
    return name, name if waits else ""


def _finite(verb: str, lowered: str) -> str:
    if lowered in ("don't", "dont"):
        return "does not"
    if lowered in _FINITE:
        return _FINITE[lowered]
    if lowered in _BARE or not lowered.isalpha() or (lowered.endswith(("ed", "ing")) and lowered != "need"):
        return verb
    return _agreeing(verb)


def _agreeing(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else verb + "s"


def _cut(body: str) -> str:
    return body if len(body) <= LONGEST else body[:LONGEST].rsplit(" ", 1)[0] + " …"


def _sentence(said: str) -> str:
    said = _cut(said.strip().rstrip(",;:.!- "))
    return f"{said[:1].upper()}{said[1:]}." if said else ""
