"""Statements about the user are in one voice: the user's own in their own files, "the user" in files of a team."""

from __future__ import annotations

import pytest

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
    "Uses pnpm, not npm.": "Uses pnpm, not npm.",
    "The users table has an index.": "The users table has an index.",
}
SHARED = {
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


@pytest.mark.parametrize(("said", "shared"), SHARED.items())
def test_in_a_file_of_a_team_the_user_is_spoken_of(said: str, shared: str) -> None:
    assert in_third_person(said) == shared
    assert in_third_person(shared) == shared
