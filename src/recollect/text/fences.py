"""The fences around what Recollect injects, so that memory is told from a request and never feeds on itself."""

from __future__ import annotations

import re

from recollect.text.patterns import lazy

TURN_TAG = "memory-context"
SESSION_TAG = "memory-profile"
_TAGS = f"(?:{TURN_TAG}|{SESSION_TAG})"

_BLOCK = lazy(rf"<{_TAGS}\b[^<>]*>.*?(?:</{_TAGS}\s*>|\Z)\n*", re.DOTALL | re.IGNORECASE)
# Controls; marks that turn the direction of reading; letters that nobody sees and every model reads. Joiners stay where
# a script needs them, which is never beside a letter of ours.
_UNSEEN = lazy(
    "\x1b\\[[0-9;?]*[A-Za-z]"  # colours of a terminal, whole
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
    "|(?<![\u3400-\u9fff\uf900-\ufaff])[\U000e0100-\U000e01ef]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
    "|(?<=[!-~])[\u200c-\u200f\xad]+|[\u200c-\u200f\xad]+(?=[!-~])"
)


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


def visible(text: str) -> str:
    """The text without what cannot be seen; line breaks and tabs stay."""
    while not text.isprintable():
        seen = _UNSEEN.sub("", text)
        if seen == text:
            break
        text = seen  # what stood between two letters may have hidden more
    return text


def in_quotes(text: str) -> str:
    """The text on one line and in quotes, which it cannot close."""
    line = neutralise(" ".join(text.split()))
    return f"“{line.replace('“', '‘').replace('”', '’')}”"


def fence(body: str, *, tag: str, label: str = "") -> str:
    """The body inside its fence; the label (an id) goes into the opening tag."""
    opening = f'<{tag} id="{label}">' if label else f"<{tag}>"
    return f"{opening}\n{body}\n</{tag}>"
