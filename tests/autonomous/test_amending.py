"""Amending finds what a line is about by its words; comparing every pair by the rules comes to the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.autonomous import raw
from recollect.autonomous.amending import Line, amended
from recollect.autonomous.blocks import Before, Evidence
from recollect.text.language.comparing import Compared
from recollect.text.language.corrections import corrects
from recollect.text.language.statements import relation, subject_key, subject_of
from recollect.text.terms import query_terms

TEXTS = (
    "We use pnpm here.", "We use npm here.", "We use pnpm here, not npm.", "No, we use bun now.", "bun, not npm",
    "The dev server listens on port 8080.", "Actually, the port is 8081.", "The dev server listens on port 9090 now.",
    "The port is 8080.", "Sessions are kept for 30 minutes.", "We keep sessions for 40 minutes.",
    "Tests live in `tests/unit`.", "Tests live in `spec`.", "Ada approves the budget.", "Grace Hopper approves the budget.",
    "Deploys are automatic on every merge.", "Deploys are manual.", "Never commit secrets.", "Secrets are never committed.",
    "The payment service is written in Go because the team knows it.", "The payment service was rewritten in Rust.",
    "We dropped Redis.", "Redis holds the sessions of the payment service and the results of slow queries.",
    "I don't drink coffee any more.", "I drink coffee in the morning.", "The default branch is main.",
    "Main is the default branch.", "Maybe the cache is in Redis.", "Is the cache in Redis?", "",
)  # fmt: skip


def by_every_pair(lines: list[Line]) -> list[tuple[str, list[Evidence], list[Before]]]:
    """Amending as it reads, without any index: words that stand, their evidence, and what stood before."""
    standing: list[dict[str, Any]] = []
    for line in sorted(lines, key=lambda one: (one.said.at, one.session_id, one.said.turn)):
        text = line.said.text
        terms, subject = set(query_terms(text)), subject_key(subject_of(text))
        near = [
            one for one in standing if one["terms"] & terms or (subject and one["subject"] == subject)
        ]  # what a block was found by first
        how = [(one, relation(text, one["line"].said.text)) for one in near]
        same = next((one for one, relation in how if relation in ("same", "near")), None)
        weaker = [one for one in near if (line.said.rests_on, one["line"].said.rests_on) == (raw.MODEL, raw.TYPED)]
        if same is not None and same["line"].holds and line.holds:
            same["evidence"].append(line.evidence)
            same["line"] = same["line"] if any(one is same for one in weaker) else line
            continue
        over = [
            one
            for one, relation in how
            if not any(one is each for each in weaker)
            and (relation == "opposite" or corrects(text, one["line"].said.text))
        ]
        before = [
            told for one in over for told in (*one["before"], Before(one["line"].said.text, tuple(one["evidence"])))
        ]
        fresh = {"line": line, "terms": terms, "subject": subject, "evidence": [line.evidence], "before": before}
        gone = [id(one) for one in over[1:]]  # two lines that say the same are still two
        standing = [fresh if over and one is over[0] else one for one in standing if id(one) not in gone]
        standing += [] if over else [fresh]
    return [(one["line"].said.text, one["evidence"], one["before"]) for one in standing if one["line"].holds]


lines = st.builds(
    lambda text, at, session, rests_on, holds: Line(raw.RawLine(raw.FACT, text, 1, at, rests_on), session, holds),
    st.sampled_from(TEXTS),
    st.floats(0.0, 9.0),
    st.sampled_from(("s_a", "s_b", "s_c")),
    st.sampled_from((raw.TYPED, raw.MODEL)),
    st.sampled_from((True, True, True, False)),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(lines, max_size=12))
def test_amending_comes_to_what_comparing_every_pair_comes_to(said: list[Line]) -> None:
    assert [(one.text, list(one.evidence), list(one.before)) for one in amended(said)] == by_every_pair(said)


def test_a_statement_that_was_read_once_answers_as_the_rules_do() -> None:
    read = {text: Compared(text) for text in TEXTS}
    for one in TEXTS:
        for other in TEXTS:
            how, mine, yours = relation(one, other), read[one], read[other]
            assert mine.says_the_same_as(yours) == (how in ("same", "near")), (one, other)
            assert (how == "opposite") <= mine.is_opposite_of(yours), (one, other)
            assert mine.corrects(yours) == corrects(one, other), (one, other)
