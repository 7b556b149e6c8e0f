"""Sentences about the work at hand, and sentences that hold in general."""

from __future__ import annotations

import pytest

from recollect.memory.gapfill.finding import find_durable
from recollect.text.language.moments import is_of_the_moment


@pytest.mark.parametrize(
    "sentence",
    [
        "can you rename it",
        "alright, createa full migration plan in docs/plan.md, it has to cover all we want",
        "I want you to go through all the comments and remove what is old",
        "write a script for the import",
        "in AGENTS.md mention the three standards we follow",
        "document the new flag in the README",
        "i mean the empty lines without the header",
        "we no longer sell there, so that can also be dropped",
        "On bullet 2, do not ignore the whole folder",
        "I want to support streaming in the shell",
        "I just want a collector and a place to store it",
        "We also need to do a review of the scripts",
        "The new one we just made",
        "whats cart.v1.",
        "I'll trigger the deploy.",
    ],
)
def test_what_asks_orders_allows_explains_or_points_is_of_the_moment(sentence: str) -> None:
    assert is_of_the_moment(sentence)
    assert not any(one.sure for one in find_durable(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "make sure migrations can be rolled back",
        "I want a summary at the end of every task",
        "I want to see the diff before you commit",
        "write tests for every bug",
        "Releases go out on Tuesdays and Thursdays only.",
        "Invoices can be deleted by admins only",
        "The one that decides is Marta",
    ],
)
def test_what_holds_in_general_is_not(sentence: str) -> None:
    assert not is_of_the_moment(sentence)


def test_a_limit_behind_an_order_is_not_stored_and_a_rule_behind_praise_is() -> None:
    ordered, praised = "Join the red dots with a line.", "Great, that works."
    rule = "Never use floats for amounts, always integer cents."
    assert not any(one.sure for one in find_durable(f"{ordered} do not join blue dots."))
    assert any(one.sure for one in find_durable(f"{praised} {rule}"))
