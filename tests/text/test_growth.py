"""Linear time on any input: each of these would take minutes or hours if its time grew with the square."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from benchmarks import growth
from recollect.memory.correcting.pairs import given_up_in
from recollect.memory.correcting.tidying import tidy
from recollect.memory.gapfill.statements import own_words
from recollect.memory.profile import parse_section
from recollect.text.fences import in_quotes
from recollect.text.language.corrections import corrects, other_choices
from recollect.text.language.frames import frame_of
from recollect.text.language.statements import subject_of
from recollect.text.replies import bare
from recollect.text.secrets.examples import carries_credential
from recollect.text.secrets.redacting import redact
from recollect.text.unseen import visible
from recollect.text.voices import in_first_person, in_third_person

CHARACTERS = 300_000
LIMIT_SECONDS = 20.0


def long(fragment: str) -> str:
    return fragment * (CHARACTERS // len(fragment))


@pytest.mark.parametrize(
    ("function", "fragment"),
    [
        (redact, "password="),
        (redact, "password=a"),
        (redact, "xoxb-"),
        (carries_credential, "x"),
        (carries_credential, "a-"),
        (carries_credential, "x."),
        (carries_credential, ".sk-"),
        (carries_credential, "x is "),
        (visible, "\u200d"),
        (visible, "a\u200d\u200c"),
        (in_quotes, "\u200d\x1b["),
        (frame_of, "no, "),
        (frame_of, "`a`"),
        (frame_of, "not anymore "),
        (frame_of, "a'"),
        (subject_of, "bun "),
        (bare, "<think>"),
        (own_words, "\t"),
        (own_words, "-"),
        (own_words, ", "),
        (in_first_person, "The user uses "),
        (in_third_person, "ask me "),
        (other_choices, " "),
        (other_choices, ", "),
        (tidy, "\t"),
        (tidy, "a ,-;"),
        (given_up_in, "A"),
        (given_up_in, "A "),
        (given_up_in, "not a "),
    ],
    ids=lambda value: getattr(value, "__name__", None) or ascii(value),
)
def test_three_hundred_kilobytes_of_it_are_read_in_seconds(function: Callable[[str], object], fragment: str) -> None:
    started = time.process_time()
    function(long(fragment))
    assert time.process_time() - started < LIMIT_SECONDS


def test_a_long_correction_is_compared_with_a_long_statement_in_seconds() -> None:
    started = time.process_time()
    corrects(long("the port is 8081, "), long("The port is 8080. "))
    parse_section(long("a"), long("# a\n"))
    assert time.process_time() - started < LIMIT_SECONDS


def test_the_benchmark_finds_what_grows_with_the_square() -> None:
    def square(text: str) -> int:
        return sum(len(text[at:]) for at in range(0, len(text), 2) for _ in range(len(text) // 200))

    def straight(text: str) -> int:
        return sum(ord(letter) for letter in text)

    def times(length: int) -> str:
        return "a" * length

    assert growth.measure("square", square, "'a'", times).ratio > growth.MOST
    assert growth.measure("straight", straight, "'a'", times).ratio <= growth.MOST


def test_the_benchmark_looks_at_every_function_that_takes_text() -> None:
    found = growth.functions()
    assert {"text.secrets.redacting.redact", "text.unseen.visible", "text.language.frames.frame_of"} <= set(found)
    assert {"memory.queries.own_words", "memory.typed_words.says"} <= set(found)
    table = growth.table(
        [growth.Case("text.a", "'a'", 2_000, 0.5, 16.0), growth.Case("text.b", "'a'", 2_000, 0.0, 0.0)]
    )
    assert "TOO FAST" in table.splitlines()[1]
    assert "TOO FAST" not in table.splitlines()[2]
