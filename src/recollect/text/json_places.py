"""Where something stands in the bytes of a JSON text, so that it can be added to without touching the rest."""

from __future__ import annotations

import json
import re

# Strings whole, so that brackets inside them are not seen; numbers and words never matter here.
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},:]', re.S)
_EMPTY = re.compile(rb"\s*\]")


def with_first(data: bytes, path: list[str], item: bytes) -> bytes:
    """The text with an item put before the others of the array under these names; as it came where there is none."""
    at = array_at(data, path)
    if at < 0:
        return data
    between = b"" if _EMPTY.match(data, at) else b","
    return data[:at] + item + between + data[at:]


def array_at(data: bytes, path: list[str]) -> int:
    """The place right behind the bracket of the array under these names, or -1. Of several, the last, as parsers do."""
    names: list[str | None] = []  # of each object around the place, the key that is being read; None for an array
    expects_key, found = False, -1
    for token in _TOKEN.finditer(data):
        match token[0]:
            case b"{":
                names.append("")
                expects_key = True
            case b"[":
                found = token.end() if names == path else found
                names.append(None)
                expects_key = False
            case b"}" | b"]":
                if not names:
                    return -1
                names.pop()
            case b",":
                expects_key = bool(names) and names[-1] is not None
            case b":":
                expects_key = False
            case text if expects_key:
                names[-1] = json.loads(text)
    return found if not names else -1
