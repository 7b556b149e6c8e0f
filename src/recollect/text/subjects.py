"""What a text is about, as far as that can be guessed: never the mark of a removed secret. Pure."""

from __future__ import annotations

from recollect.text.language.statements import subject_of
from recollect.text.patterns import lazy

_MARK = lazy(r"\[redacted:[^\]\s]*\]?")


def guessed_subject(text: str) -> str:
    """The subject of a text, or ""."""
    return subject_of(without_marks(text)) if "[redacted:" in text else subject_of(text)


def without_marks(text: str) -> str:
    """A text without the marks of secrets that were removed from it."""
    return " ".join(_MARK.sub(" ", text).split())
