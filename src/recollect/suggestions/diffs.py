"""Unified diffs of whole files, as `git diff` would print them."""

from __future__ import annotations

import difflib

from recollect.suggestions.outline import split_lines

NO_NEWLINE = "\\ No newline at end of file"


def unified(path: str, before: str | None, after: str | None, *, context: int = 3) -> str:
    """The change as a unified diff; line ends of CRLF files are kept, and a missing last one is marked."""
    old, new = split_lines(before or ""), split_lines(after or "")
    names = (f"a/{path}" if before is not None else "/dev/null", f"b/{path}" if after is not None else "/dev/null")
    made = []
    for line in difflib.unified_diff(old, new, *names, n=context):
        if line.endswith("\n"):
            made.append(line)
        else:
            made.append(f"{line}\n{NO_NEWLINE}\n")
    return "".join(made)
