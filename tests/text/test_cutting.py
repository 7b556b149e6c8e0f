"""A text that is cut is never longer than it may be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.text.cutting import cut_short


@given(st.text(), st.integers(min_value=0, max_value=40))
def test_what_is_cut_fits(text: str, longest: int) -> None:
    cut = cut_short(text, longest)
    assert len(cut) <= longest
    assert cut == text or cut == "" or cut.endswith("…")


def test_it_is_cut_between_words() -> None:
    assert cut_short("one two three", 10) == "one two …"
    assert cut_short("abc def", 1) == "…"
