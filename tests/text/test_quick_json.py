"""JSON without the package: the same values, the same text, the same errors."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text import quick_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some),
)


@given(VALUES, st.booleans())
def test_what_is_written_is_what_json_writes(value, ensure_ascii) -> None:
    assert quick_json.dumps(value, ensure_ascii=ensure_ascii) == json.dumps(value, ensure_ascii=ensure_ascii)
    tight = (",", ":")
    assert quick_json.dumps(value, separators=tight) == json.dumps(value, separators=tight)


@given(VALUES, st.text(" \n\t", max_size=2), st.booleans())
def test_what_is_read_is_what_json_reads(value, space, as_bytes) -> None:
    text = f"{space}{json.dumps(value)}{space}"
    assert quick_json.loads(text.encode() if as_bytes else text) == json.loads(text)


@given(st.text() | st.binary() | VALUES.map(lambda value: json.dumps(value)[:-1]))
def test_what_is_not_json_fails_as_it_does_there(text) -> None:
    try:
        expected: object = json.loads(text)
    except ValueError as error:
        with pytest.raises(type(error)):
            quick_json.loads(text)
    else:
        assert repr(quick_json.loads(text)) == repr(expected)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbf{}", '{"a": "ü"}'.encode("utf-16"), b"[NaN, Infinity, -Infinity]"])
def test_marks_encodings_and_odd_numbers_are_read_as_json_reads_them(data) -> None:
    assert repr(quick_json.loads(data)) == repr(json.loads(data))


def test_what_json_cannot_write_is_refused() -> None:
    with pytest.raises(TypeError, match="set is not JSON serializable"):
        quick_json.dumps({"a": {1}})
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="Circular"):
        quick_json.dumps(circle)
