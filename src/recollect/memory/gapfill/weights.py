"""What each sign is worth, in log-odds. One table: a person can read why something was kept.

Set by hand from what the sign means in language, rounded, and held against messages of several writers; no sign is a
word of anybody's subject. The strongest sign counts whole, the others by a part, since they overlap.
"""

from __future__ import annotations

BIAS = -3.2
OTHERS = 0.35  # of a second sign for it: signs overlap

FOR: dict[str, float] = {
    # said to hold from now on, or always
    "standing": 3.6,
    "remembered": 3.6,
    "ever_order": 3.4,
    "ever_claim": 3.4,
    "ever_duty": 3.4,
    # how we work, what we use
    "habit_we": 3.7,
    "habit_our": 3.2,
    "habit_i": 3.5,
    "prefers": 3.6,
    "tools": 3.8,
    "tool": 2.6,
    "decision": 3.3,
    "moved": 3.4,
    "identity": 3.4,
    # what is so
    "access": 3.7,
    "project_is": 3.4,
    "state": 3.2,
    "called": 3.2,
    "owns": 3.3,
    "state_named": 3.0,
    "located": 3.4,
    "placed": 3.0,
    "lacks": 3.2,
    "is_not": 2.6,
    "universal": 3.2,
    "grounded": 3.2,
    "generic": 3.2,
    "without": 3.2,
    "ended": 3.6,
    "changed": 3.6,
    # rules
    "universal_duty": 3.2,
    "universal_should": 2.9,
    "practice_duty": 3.3,
    "practice_should": 2.9,
    "plural_not": 3.3,
    "forbidden": 3.3,
    "general_no": 2.6,
    "no_because": 3.6,
    "stops": 3.4,
    "process": 3.3,
    "consent": 3.3,
    "speech": 3.3,
    "want_object": 2.6,
    "informs": 2.8,
    # against what the assistant did
    "told": 2.4,
    "corrects": 2.8,
}

AGAINST: dict[str, float] = {
    "hedged": 2.4,
    "deictic": 0.9,
    "symptom": 2.6,
    "condition": 2.0,
    "past": 1.2,
    "question": 0.6,
}

# Signs that come in the past by their nature.
_OF_THE_PAST = frozenset(("moved", "standing"))


def log_odds(signs: frozenset[str]) -> float:
    """How likely it is that a clause with these signs holds something durable."""
    worth = sorted((FOR[sign] for sign in signs if sign in FOR), reverse=True)
    strongest = worth[0] if worth else 0.0
    against = sum(AGAINST[sign] for sign in signs if sign in AGAINST)
    if "past" in signs and signs & _OF_THE_PAST:
        against -= AGAINST["past"]
    return BIAS + strongest + OTHERS * sum(worth[1:]) - against
