"""The fences around what Recollect injects, so that memory is told from a request and never feeds on itself."""

from __future__ import annotations

import re

from recollect.text.patterns import lazy

TURN_TAG = "memory-context"
SESSION_TAG = "memory-profile"
_TAGS = f"(?:{TURN_TAG}|{SESSION_TAG})"

_BLOCK = lazy(rf"<{_TAGS}\b[^>]*>.*?(?:</{_TAGS}\s*>|\Z)\n*", re.DOTALL | re.IGNORECASE)
_TAG = lazy(rf"<(/?\s*{_TAGS}\b)", re.IGNORECASE)


def strip_fences(text: str) -> str:
    """The text without any block that Recollect injected."""
    return _BLOCK.sub("", text) if "<memory-" in text.lower() else text


def neutralise(text: str) -> str:
    """The text with our tags made harmless, so that stored content cannot close its fence or open another."""
    return _TAG.sub("‹\\1", text) if "<" in text else text


def fence(body: str, *, tag: str, label: str = "") -> str:
    """The body inside its fence; the label (an id) goes into the opening tag."""
    opening = f'<{tag} id="{label}">' if label else f"<{tag}>"
    return f"{opening}\n{body}\n</{tag}>"
