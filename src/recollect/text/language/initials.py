"""The first letters by which a name of several words goes: `GitHub Actions` is GHA. Pure."""

from __future__ import annotations

from recollect.text.language.asides import EVERYDAY_STEMS
from recollect.text.language.commonwords import is_common
from recollect.text.language.stems import stem
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.patterns import compiled

# Words with a capital side by side, nothing but a space between them.
_NAME = compiled(r"\b[A-Z][A-Za-z0-9]*(?: [A-Z][A-Za-z0-9]*){1,4}\b")
LETTERS = range(3, 6)
ENDS = ".!?:"


def initials_in(text: str) -> list[str]:
    """The initials of every name in a statement; none that is an everyday word itself."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = match.group().split()
        before = text[: match.start()].rstrip()
        if (not before or before[-1] in ENDS) and _is_everyday(words[0]):
            del words[0]  # it has its capital from the sentence: "Use Google Cloud Storage"
        if len(words) > 1:
            found["".join([letter for word in words for letter in word if letter.isupper()])] = None
    return [letters for letters in found if len(letters) in LETTERS and not _is_everyday(letters)]


def _is_everyday(word: str) -> bool:
    low = word.lower()
    term = stem(low)
    return low in STOPWORDS or is_common(term) or term in EVERYDAY_STEMS
