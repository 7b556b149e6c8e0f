"""Every fact of the golden cases lands where an experienced maintainer would put it."""

from __future__ import annotations

import pytest

from recollect.suggestions.diffs import unified
from recollect.suggestions.proposing import propose
from tests.suggestions.golden_cases import CASES, GoldenCase, GoldenFact, normal


@pytest.mark.parametrize(
    ("case", "golden"),
    [pytest.param(case, one, id=f"{case.name}: {one.fact.content}") for case in CASES for one in case.facts],
)
def test_a_fact_lands_where_a_maintainer_would_put_it(case: GoldenCase, golden: GoldenFact) -> None:
    made = next((one for one in propose([golden.fact], case.ground) if one.fact_ids), None)
    if golden.expected is None:
        assert made is None, f"{made.target}: {unified(made.target, made.before, made.after, context=1)}"
        return
    assert made is not None
    assert normal(unified(made.target, made.before, made.after, context=1)) == golden.expected.diff
    assert (made.target_type, made.action) == (golden.expected.target_type, golden.expected.action)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_without_facts_only_stale_and_doubled_lines_are_suggested_away(case: GoldenCase) -> None:
    made = propose([], case.ground)
    found = [normal(unified(one.target, one.before, one.after, context=1)) for one in made]
    assert sorted(found) == sorted(one.diff for one in case.lint)
    assert {one.action for one in made} <= {"remove"}
