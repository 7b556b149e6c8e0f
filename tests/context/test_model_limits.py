"""The table of windows: every row says where it is from, and unknown models get the default."""

from __future__ import annotations

import pytest

from recollect.context.counting import DEFAULT_LIMIT_TOKENS
from recollect.context.model_limits import LIMITS, known_limit


def test_every_row_names_its_source() -> None:
    for name, (tokens, source) in LIMITS.items():
        assert tokens >= 8_192, name
        assert "/" in source or "." in source.split()[0], name


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4o-mini", 128_000),
        ("openai/gpt-4-32k-0613", 32_768),
        ("claude-sonnet-4-5", 200_000),
        ("claude-2.0", 100_000),
        ("Gemini-2.5-Pro", 1_048_576),
        ("gemini-1.0-pro", DEFAULT_LIMIT_TOKENS),
        ("nobody-knows", DEFAULT_LIMIT_TOKENS),
    ],
)
def test_the_longest_beginning_of_a_name_counts(model: str, tokens: int) -> None:
    assert known_limit(model) == tokens
