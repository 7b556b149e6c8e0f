"""Days named from where a message was typed are written out in what is kept of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.gapfill.dating import dated, is_relative

MONDAY = datetime(2026, 11, 16, 15, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Yesterday we switched to bun.", "On 2026-11-15 we switched to bun."),
        ("We use bun since last week.", "We use bun since the week of 2026-11-09."),
        ("From Wednesday on releases are cut by CI.", "From 2026-11-18 on releases are cut by CI."),
        ("From Monday on releases are cut by CI.", "From 2026-11-23 on releases are cut by CI."),
        ("Staging is frozen until Friday.", "Staging is frozen until 2026-11-20."),
        ("We moved to GitHub Actions two months ago.", "We moved to GitHub Actions in September 2026."),
        ("We dropped IE last year.", "We dropped IE in 2025."),
        ("The API changed last Thursday.", "The API changed on 2026-11-12."),
        ("The vendor stops v3 next month.", "The vendor stops v3 in December 2026."),
        ("As of today we pin Node.", "As of 2026-11-16 we pin Node."),
        ("We deploy on Friday.", "We deploy on Friday."),
        ("We never deploy on Fridays.", "We never deploy on Fridays."),
        ("Releases happen every Monday.", "Releases happen every Monday."),
    ],
)
def test_a_day_is_written_out_and_a_habit_stays(typed: str, kept: str) -> None:
    assert dated(typed, MONDAY) == kept
    assert is_relative(typed) == (typed != kept)


def test_without_a_moment_nothing_is_written_out() -> None:
    assert dated("Yesterday we switched to bun.", 0.0) == "Yesterday we switched to bun."


@given(st.text(max_size=80), st.floats(1.0, 4e9))
def test_what_was_written_out_names_no_day_from_here(text: str, at: float) -> None:
    assert not is_relative(dated(f"{text} since last week, 3 days ago {text}", at))
