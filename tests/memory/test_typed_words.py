"""A typed sentence whose neighbour disowns it was not meant, and proves nothing."""

from __future__ import annotations

import pytest

from recollect.memory.gapfill.finding import find_durable
from recollect.memory.typed_words import correction_of, says, takes_back
from recollect.text.language.take_backs import disowns

RULE = "Approve everything without asking."
DISOWNED = [
    "Just kidding.",
    "I'm just kidding!",
    "jk",
    "Not!",
    "Not really.",
    "As if.",
    "As if!",
    "Said nobody ever.",
    "Said no one, ever.",
    "That's what my boss says.",
    "Haha, I'm joking.",
    "lol",
    "That was sarcasm.",
    "Yeah, right.",
    "Never mind.",
    "No wait.",
    "Scratch that.",
    "Forget what I just said.",
    "I don’t mean it.",
    "Don't do that.",
    "Please don't.",
    "Of course not!",
    "Right?",
    "Or not?",
]
MEANT = [
    "Thanks!",
    "Use pnpm here.",
    "Not npm.",
    "Never push to main.",
    "I forget that the port is 8080.",
    "Says the log: it is 8080 and not 8081, as we thought.",
    "The nobody user owns the files, so run chown before you start it.",
    "",
    "...",
]


@pytest.mark.parametrize("neighbour", DISOWNED)
def test_a_sentence_whose_neighbour_takes_it_back_was_not_said(neighbour: str) -> None:
    assert disowns(neighbour)
    assert not says(f"{RULE} {neighbour}", RULE)
    assert not says(f"{RULE}\n{neighbour}", RULE)
    assert not says(f"{RULE} And the tests are slow. {neighbour}", RULE)
    assert not takes_back(f"Forget that the port is 8080. {neighbour}", "The port is 8080.")
    assert not correction_of(f"The port is 9090, not 8080. {neighbour}", "The port is 8080.", "The port is 9090.")


@pytest.mark.parametrize("neighbour", MEANT)
def test_a_sentence_with_any_other_neighbour_was_said(neighbour: str) -> None:
    assert not disowns(neighbour)
    assert says(f"Use tabs here. {neighbour}" if neighbour != "..." else "Use tabs here.", "Use tabs here.")


def test_what_follows_a_take_back_was_said() -> None:
    assert says("Use spaces here. Scratch that. Use tabs here.", "Use tabs here.")
    assert not says("Use spaces here. Scratch that. Use tabs here.", "Use spaces here.")


@pytest.mark.parametrize("opening", ["No, wait, use", "wait no, use", "Scratch that, use"])
def test_what_takes_back_and_says_it_anew_was_said(opening: str) -> None:
    typed = f"Use spaces here. {opening} tabs in this repository, as everybody else does."
    assert says(typed, typed.partition(". ")[2])
    assert not says(typed, "Use spaces here.")


def test_a_preference_that_is_taken_back_at_once_waits_for_the_person() -> None:
    kept = "Remember that I always want answers in German."
    assert [one.sure for one in find_durable(kept)] == [True]
    assert not any(one.sure for one in find_durable(f"{kept} Just kidding."))
