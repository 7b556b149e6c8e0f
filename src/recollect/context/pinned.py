"""Lines that must survive a compaction verbatim, as the user or an instruction file marks them.

A line that begins with `pin:` or ends with `<!-- pin -->`, and everything between `<!-- pin -->` and `<!-- /pin -->`
on lines of their own.
"""

from __future__ import annotations

import re

_OPEN, _CLOSE = "<!-- pin -->", "<!-- /pin -->"
_PREFIX = re.compile(r"^\s*(?:[-*]\s+)?(?:pin|pinned|📌)\s*:\s*(\S.*?)\s*$", re.IGNORECASE)


def pinned_lines(text: str) -> tuple[str, ...]:
    """The pinned lines of a text, each once, in order."""
    found: dict[str, None] = {}
    inside = False
    for line in text.splitlines():
        bare = line.strip()
        if bare == _OPEN:
            inside = True
        elif bare == _CLOSE:
            inside = False
        elif inside and bare:
            found[line.rstrip()] = None
        elif bare.endswith(_OPEN):
            found[bare[: -len(_OPEN)].rstrip()] = None
        elif prefixed := _PREFIX.match(line):
            found[prefixed[1]] = None
    return tuple(found)
