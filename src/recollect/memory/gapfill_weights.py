"""What each sign is worth, in log-odds. One table: a person can read why something was kept.

Rounded by hand from language and checked leaving one group of writers out at a time; no sign is a word of a subject.
"""

from __future__ import annotations

BIAS = -3.2

WEIGHTS: dict[str, float] = {
    # said to hold from now on, or always
    "standing": 3.6,
    "memory": 2.6,
    "ever_order": 3.0,
    "ever_claim": 3.4,
    "ever_duty": 3.4,
    "want_rule": 3.4,
    "possible": 3.4,
    # how we work, what we use, what is so
    "habit_we": 3.7,
    "habit_i": 3.5,
    "prefers": 3.6,
    "tools": 3.8,
    "decision": 3.0,
    "want_goal": 3.4,
    "need_not": 2.4,
    "identity": 3.2,
    "have_at": 3.4,
    "access": 3.7,
    "state": 3.2,
    "state_verb": 1.6,
    "located": 3.4,
    "lacks": 2.2,
    "nominal": 1.6,
    "generic_be": 1.0,
    "ended": 3.6,
    "changed": 3.6,
    # rules
    "universal_duty": 3.4,
    "plural_duty": 1.4,
    "only_duty": 0.8,
    "must_not": 1.6,
    "you_duty": 0.8,
    "forbidden": 2.6,
    "general_no": 1.8,
    "no_because": 3.6,
    "explained": 0.6,
    "process": 2.4,
    "generic_if": 2.4,
    "consent": 2.6,
    "unless_told": 2.4,
    "speech": 2.6,
    "want_object": 2.4,
    # against what the assistant did
    "told": 2.0,
    "thought": 3.6,
    "rhetoric": 3.4,
    "contrast": 0.6,
    "answers": 0.6,
    # of the moment
    "hedged": -1.4,
    "deictic": -0.7,
    "symptom": -2.4,
    "condition": -2.0,
    "past": -1.2,
    "progressive": -1.2,
    "perfect": -1.2,
    "future": -0.8,
    "question": -0.6,
    "asked": -0.8,
    "document": -2.0,
    "in_repo": 0.5,
}
