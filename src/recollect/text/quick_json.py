"""JSON for the hook's path, through the interpreter's own scanner and encoder: the package `json` loads and compiles
regular expressions, which takes longer than a search. Every error is the package's own."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # not CPython
    make_scanner = make_encoder = None  # type: ignore[assignment,misc]

SEPARATORS = (", ", ": ")
SPACE = " \t\n\r"


class _Strict:
    """What the scanner asks of a decoder: the values of `json.loads`."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


_scanned = None if make_scanner is None else make_scanner(_Strict)  # type: ignore[arg-type]


def loads(text: str | bytes) -> Any:
    """As `json.loads`."""
    try:
        if _scanned:
            said = (text if isinstance(text, str) else str(text, "utf-8")).strip(SPACE)
            found, end = _scanned(said, 0)
            if end == len(said):
                return found
    except (StopIteration, ValueError):
        pass
    import json

    return json.loads(text)


def dumps(value: object, *, ensure_ascii: bool = True, separators: tuple[str, str] = SEPARATORS) -> str:
    """As `json.dumps`."""
    if make_encoder is None:
        import json

        return json.dumps(value, ensure_ascii=ensure_ascii, separators=separators)
    quoted = encode_basestring_ascii if ensure_ascii else encode_basestring
    between, behind_key = separators
    return "".join(make_encoder({}, _refuse, quoted, None, behind_key, between, False, False, True)(value, 0))


def _refuse(value: object) -> NoReturn:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
