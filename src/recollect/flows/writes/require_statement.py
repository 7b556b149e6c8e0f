"""What a person types to be remembered is a statement: a question would be found later as if it were its own answer,
and a secret is never stored."""

from __future__ import annotations

import re

from recollect.errors import Refused
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.secrets.redacting import redact

# One sentence that ends with a question mark; "Always ask: is it tested?" says what to do.
_QUESTION = re.compile(r"(?:(?![.!:;]\s).)*\?[)\"'”»]*", re.S)

_MARKER = re.compile(r"\[redacted:[^\]]*\]")
_WORD = re.compile(r"[^\W\d_]+")
# What only names a secret.
_SECRET = frozenset(
    "access account api auth authentication bearer code credential credentials key keys login passphrase password"
    " passwords pin private pwd secret secrets token tokens value".split()
)


def require_statement(text: str) -> None:
    """Refused for a question; whoever stores it refuses what is no text."""
    if isinstance(text, str) and _QUESTION.fullmatch(text.strip()):
        raise Refused(
            "That is a question, so nothing was stored. Write it as a statement, or ask it with `recollect recall`."
        )


def require_more_than_secret(text: str) -> None:
    """Refused for what says nothing once its secrets are taken out: "My API key is ..."."""
    if not isinstance(text, str):
        return  # refused where the entry is prepared
    left, taken = _MARKER.subn(" ", redact(text))
    words = {word.casefold() for word in _WORD.findall(left)}
    if taken and words <= STOPWORDS | _SECRET:
        raise Refused(
            "That says nothing without the secret, and secrets are not stored, so nothing was changed. "
            'Say where it is kept instead, such as "The API key is in the team vault."'
        )
