"""Two texts side by side."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.text.side_by_side import side_by_side, word_changes

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d e"]), max_size=12).map("\n".join)


def test_a_new_line_stands_beside_nothing_and_far_lines_are_a_gap() -> None:
    before = "\n".join(f"line {number}" for number in range(1, 12))
    rows = side_by_side(before, before + "\nlast")
    assert rows[0].kind == "gap"
    assert (rows[-1].kind, rows[-1].old_number, rows[-1].new_number, rows[-1].new) == ("changed", 0, 12, "last")
    assert [row.old_number for row in rows[1:-1]] == [9, 10, 11]


def test_a_sentence_shows_which_words_changed() -> None:
    assert word_changes("The port is 8080.", "The port is 9090.") == [
        ("same", "The port is "),
        ("old", "8080"),
        ("new", "9090"),
        ("same", "."),
    ]


@given(LINES, LINES)
def test_nothing_of_either_side_is_lost_when_everything_is_shown(before: str, after: str) -> None:
    rows = side_by_side(before, after, context=100)
    old, new = before.splitlines(), after.splitlines()
    assert [row.old for row in rows if row.old_number] == (old if old != new else [])
    assert [row.new for row in rows if row.new_number] == (new if old != new else [])


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_pieces_of_a_sentence_make_both_versions(before: str, after: str) -> None:
    pieces = word_changes(before, after)
    assert "".join(text for kind, text in pieces if kind != "new") == before
    assert "".join(text for kind, text in pieces if kind != "old") == after
