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
    "memory": 2.6,
    "memorise": 3.2,
    "policy": 3.3,
    "remembered": 3.6,
    "ever_order": 3.4,
    "ever_claim": 3.4,
    "ever_duty": 3.4,
    "want_rule": 3.4,
    "possible": 3.4,
    # how we work, what we use
    "habit_we": 3.7,
    "habit_our": 3.2,
    "habit_i": 3.5,
    "prefers": 3.6,
    "would_rather": 3.0,
    "tools": 3.8,
    "tool": 2.6,
    "choice": 2.8,
    "everywhere": 1.8,
    "decision": 3.3,
    "moved": 3.4,
    "want_goal": 3.2,
    "need_not": 2.4,
    "need_none": 3.2,
    "no_need": 2.6,
    "not_needed": 3.2,
    "identity": 3.4,
    "own_lack": 3.0,
    # what is so
    "have_at": 3.4,
    "have_name": 2.8,
    "access": 3.7,
    "you_cannot": 3.0,
    "project_is": 3.4,
    "state": 3.2,
    "called": 3.2,
    "owns": 3.3,
    "state_named": 3.0,
    "none_there": 2.4,
    "located": 3.4,
    "placed": 3.0,
    "state_verb": 0.8,
    "lacks": 3.2,
    "is_not": 2.6,
    "misfit": 3.0,
    "nominal": 1.6,
    "universal": 3.2,
    "generic_be": 1.0,
    "grounded": 3.2,
    "behaves": 1.4,
    "generic": 3.2,
    "without": 3.2,
    "ended": 3.6,
    "changed": 3.6,
    # rules
    "universal_duty": 3.2,
    "universal_should": 2.9,
    "practice_duty": 3.3,
    "practice_should": 2.9,
    "plural_duty": 1.8,
    "only_duty": 0.8,
    "plural_not": 3.3,
    "must_not": 1.8,
    "you_must": 3.0,
    "you_duty": 0.8,
    "forbidden": 3.3,
    "general_no": 2.6,
    "no_kind": 1.8,
    "repo_order": 3.2,
    "no_because": 3.6,
    "no_in_general": 3.3,
    "except": 3.3,
    "stops": 3.4,
    "no_things": 3.3,
    "quiet": 3.0,
    "explained": 0.6,
    "grounds": 1.6,
    "process": 3.3,
    "maybe_process": 2.8,
    "generic_if": 3.2,
    "consistent": 3.2,
    "duty_because": 3.2,
    "consent": 3.3,
    "speech": 3.3,
    "want_object": 2.6,
    "want_no": 3.3,
    "in_repo": 1.0,
    "informs": 2.8,
    # against what the assistant did
    "told": 2.4,
    "objects": 1.2,
    "told_before": 3.4,
    "thought": 3.6,
    "rhetoric": 4.7,
    "why_do_you": 4.0,
    "contrast": 1.4,
    "corrects": 2.8,
    "answers": 1.2,
}

AGAINST: dict[str, float] = {
    "hedged": 2.4,
    "deictic": 0.9,
    "here": 0.8,
    "definite": 1.2,
    "symptom": 2.6,
    "condition": 2.0,
    "past": 1.2,
    "progressive": 1.2,
    "perfect": 1.2,
    "future": 0.8,
    "question": 0.6,
    "asked": 0.8,
    "document": 2.0,
    "complaint": 1.8,
    "specified": 1.2,
}

# Signs that come in this tense by their nature.
_BY_NATURE = {
    "future": frozenset(("standing", "prefers", "would_rather", "decision", "ever_claim")),
    "past": frozenset(("moved", "thought", "standing")),
    "perfect": frozenset(("moved", "access", "habit_we")),
    "progressive": frozenset(("habit_we",)),
    "hedged": frozenset(("not_needed",)),
    # said as a rule it holds, whatever is to be done about it
    "complaint": frozenset("prefers ever_claim ever_duty habit_we standing universal tools moved".split()),
    "here": frozenset(("access", "you_cannot", "located", "state", "habit_we")),
    "definite": frozenset(
        "ever_order ever_claim standing except process no_because tools possible habit_we habit_i thought ended have_at"
        " consent identity access want_object called".split()
    ),
}


def log_odds(signs: frozenset[str]) -> float:
    """How likely it is that a clause with these signs holds something durable."""
    worth = sorted((FOR[sign] for sign in signs if sign in FOR), reverse=True)
    strongest = worth[0] if worth else 0.0
    against = sum(AGAINST[sign] for sign in signs if sign in AGAINST)
    for tense, by_nature in _BY_NATURE.items():
        if tense in signs and signs & by_nature:
            against -= AGAINST[tense]
    return BIAS + strongest + OTHERS * sum(worth[1:]) - against
