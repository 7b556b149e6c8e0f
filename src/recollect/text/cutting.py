"""A text that is too long, cut between words."""

from __future__ import annotations


def cut_short(text: str, longest: int) -> str:
    """The text, or its beginning with a sign that more follows; never longer than that."""
    if len(text) <= longest:
        return text
    return text[: longest - 2].rsplit(" ", 1)[0].rstrip(",;:") + " …" if longest > 2 else "…"[: max(longest, 0)]
