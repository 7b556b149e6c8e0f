"""Marks of a turn in the index: tokens beside its words, which no word can be."""

from __future__ import annotations

MARK = "@"  # no word begins with it


def speaker_mark(term: str) -> str:
    """The mark of a turn that somebody with this name speaks."""
    return MARK + term
