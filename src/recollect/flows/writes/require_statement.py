"""What a person types to be remembered is a statement: a question would be found later as if it were its own answer."""

from __future__ import annotations

import re

from recollect.errors import Refused

# One sentence that ends with a question mark; "Always ask: is it tested?" says what to do.
_QUESTION = re.compile(r"(?:(?![.!:;]\s).)*\?[)\"'”»]*", re.S)


def require_statement(text: str) -> None:
    """Refused for a question; whoever stores it refuses what is no text."""
    if isinstance(text, str) and _QUESTION.fullmatch(text.strip()):
        raise Refused(
            "That is a question, so nothing was stored. Write it as a statement, or ask it with `recollect recall`."
        )
