"""Statements about the user are in one voice: the user's own in their own files, "the user" in files of a team."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.voices import in_first_person, in_third_person

OWN = {
    "Give the user fish syntax, the user never uses bash.": "Give me fish syntax, I never use bash.",
    "give the user fish syntax": "give me fish syntax",
    "Explain things to the user in simple words.": "Explain things to me in simple words.",
    "Never commit for the user, the user commits themselves.": "Never commit for me, I commit myself.",
    "Prefers tabs over spaces in the user's code, always.": "I prefer tabs over spaces in my code, always.",
    "Uses fish as the user's shell.": "I use fish as my shell.",
    "Always wants you to answer the user in German.": "I always want you to answer me in German.",
    "You must never touch the user's notes without asking the user.": "You must never touch my notes without asking me.",
    "The user is on macOS.": "I am on macOS.",
    "The user no longer uses prek.": "I no longer use prek.",
    "The user tries new tools first.": "I try new tools first.",
    "The user's name is Ada.": "My name is Ada.",
    "Hates it when you write comments.": "I hate it when you write comments.",
    "Give me fish syntax, not bash.": "Give me fish syntax, not bash.",
    "The user is on fish, so give them fish syntax.": "I am on fish, so give me fish syntax.",
    "On Fridays the user works from home.": "On Fridays I work from home.",
    "The user rarely uses mocks in their tests.": "I rarely use mocks in my tests.",
    "Never squashes the user's commits.": "I never squash my commits.",
    "The user focuses on backend work.": "I focus on backend work.",
    "The user doesn't use Docker.": "I don't use Docker.",
    "The user caches everything.": "I cache everything.",
    "Show the user changes before committing.": "Show me changes before committing.",
    "Only the user deploys.": "Only I deploy.",
    "Prefers their commits signed.": "I prefer my commits signed.",
    "The user uses fish and prefers tabs.": "I use fish and prefer tabs.",
    "The user keeps `the user` in code.": "I keep `the user` in code.",
    "Uses pnpm, not npm.": "Uses pnpm, not npm.",
    "The users table has an index.": "The users table has an index.",
}
# What a word of it might mean is not certain: it stays in the third person.
UNSURE = """
The user hates mocks; remove them.
The user writes docs and tests.
The user dabbles in Rust.
The user uses Rust and dabbles in Go.
The user's on holiday.
Keep the user tests in tests/users.
The user tests are slow.
Use the user service for tests.
The user asks the team about their tests.
Prefers tests that use their own database.
Does the user use Docker?
""".strip().splitlines()
SHARED = {
    "In tests, import me from './me' and keep my.cnf here.": "In tests, import me from './me' and keep my.cnf here.",
    "Keep my.cnf and `my notes`, but ask me.": "Keep my.cnf and `my notes`, but ask the user.",
    'Ask me before you touch "my notes" or my.cnf.': 'Ask the user before you touch "my notes" or my.cnf.',
    "Don't refresh all of them at once, ask me.": "Don't refresh all of them at once, ask the user.",
    "Ask me before you touch my notes.": "Ask the user before you touch their notes.",
    "You must never touch the user's notes without asking the user.": (
        "You must never touch the user's notes without asking them."
    ),
    "Give the user fish syntax, the user never uses bash.": "Give the user fish syntax, the user never uses bash.",
    "Uses fish as the user's shell.": "The user uses fish as their shell.",
    "I use fish, so give me fish syntax.": "I use fish, so give me fish syntax.",
    "Read me/README.md first.": "Read me/README.md first.",
    "We use pnpm.": "We use pnpm.",
}


@pytest.mark.parametrize(("said", "own"), OWN.items())
def test_in_their_own_file_the_user_speaks(said: str, own: str) -> None:
    assert in_first_person(said) == own
    assert in_first_person(own) == own


@pytest.mark.parametrize("said", UNSURE)
def test_what_is_not_certain_stays_as_it_is(said: str) -> None:
    assert in_first_person(said) == said


PIECES = (
    "the user", "the user's", "their", "them", "they", "themselves", "uses", "doesn't", "works", "is", "caches", "tests",
    "focuses", "never", "and", "so", "give", "ask", "for", "if", "fish", "commits", "only", "`the user`", "team", ",", ".",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=9))
def test_a_statement_is_turned_as_a_whole_or_not_at_all(pieces: list[str]) -> None:
    said = " ".join(["The user", *pieces]).replace(" ,", ",").replace(" .", ".")
    own = in_first_person(said)
    assert own == said or not re.search(
        r"\b(?:the user|their|them|they|themselves)\b", own.replace("`the user`", ""), re.I
    )
    assert own.count("`the user`") == said.count("`the user`")


@pytest.mark.parametrize(("said", "shared"), SHARED.items())
def test_in_a_file_of_a_team_the_user_is_spoken_of(said: str, shared: str) -> None:
    assert in_third_person(said) == shared
    assert in_third_person(shared) == shared
