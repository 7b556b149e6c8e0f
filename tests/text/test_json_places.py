"""Adding to an array in the bytes of a JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.json_places import with_first

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["params", "prompt", "x", '"['[:2]]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES, st.lists(VALUES, max_size=3), st.booleans(), st.sampled_from([(",", ":"), (" , ", "\t: ")]))
def test_an_item_is_put_first_and_all_else_stays_byte_for_byte(
    other: Any, items: list[Any], is_ascii: bool, separators: tuple[str, str]
) -> None:
    whole = {"_meta": other, "params": {"before": other, "prompt": items, "after": other}, "id": 1.0}
    data = json.dumps(whole, ensure_ascii=is_ascii, separators=separators).encode("utf-8", "surrogatepass")
    added = with_first(data, ["params", "prompt"], b'{"new":1}')
    expected = {**whole, "params": {**whole["params"], "prompt": [{"new": 1}, *items]}}
    assert json.loads(added) == expected
    between = b"," if items else b""
    assert added.replace(b'{"new":1}' + between, b"", 1) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b'{"params": {"prompt": "a text"}}',
        b'{"prompt": []}',
        b'{"params": [{"prompt": []}]}',
        b'{"params": {"prompt": [',
        b"]]]",
    ],
)
def test_a_text_without_the_array_comes_back_as_it_is(data: bytes) -> None:
    assert with_first(data, ["params", "prompt"], b"1") == data


def test_of_two_arrays_under_one_name_the_one_counts_that_a_parser_takes() -> None:
    added = with_first(b'{"params": {"prompt": [1], "prompt": [2]}}', ["params", "prompt"], b"0")
    assert json.loads(added) == {"params": {"prompt": [0, 2]}}
