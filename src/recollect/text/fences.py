"""The fences around what Recollect injects, so that memory is told from a request and never feeds on itself."""

from __future__ import annotations

from recollect.text.patterns import DOTALL, IGNORECASE, lazy
from recollect.text.unseen import visible

TURN_TAG = "memory-context"
SESSION_TAG = "memory-profile"
_TAGS = f"(?:{TURN_TAG}|{SESSION_TAG})"

_BLOCK = lazy(rf"<{_TAGS}\b[^<>]*>.*?(?:</{_TAGS}\s*>|\Z)\n*", DOTALL | IGNORECASE)


def strip_fences(text: str) -> str:
    """The text without any block that Recollect injected."""
    return _BLOCK.sub("", text) if "<memory-" in text.lower() else text


def neutralise(text: str) -> str:
    """The text as a person would see it, with tags of ours and of hosts made harmless: stored content cannot close
    its fence or open another."""
    text = visible(text)
    if "<" not in text and "\uff1c" not in text and "\ufe64" not in text:
        return text
    # Imported here: few memories hold one.
    from recollect.text.tags import harmless

    return harmless(text)


def in_quotes(text: str) -> str:
    """The text on one line and in quotes, which it cannot close."""
    line = neutralise(" ".join(text.split()))
    return f"“{line.replace('“', '‘').replace('”', '’')}”"


def fence(body: str, *, tag: str, label: str = "") -> str:
    """The body inside its fence; the label (an id) goes into the opening tag."""
    opening = f'<{tag} id="{label}">' if label else f"<{tag}>"
    return f"{opening}\n{body}\n</{tag}>"
