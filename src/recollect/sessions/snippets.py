"""A few lines of a turn that show why it was found."""

from __future__ import annotations

import re

from recollect.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.sessions.ranking import Asked

TYPED_CHARACTERS = 240
SAID_CHARACTERS = 240
LONGEST_READ = 20_000
_SENTENCE = re.compile(r"[^\n.!?]+(?:[.!?](?!\s)[^\n.!?]*)*[.!?]?")


def snippet(typed: str, said: str, asked: Asked) -> str:
    """What was typed and what was answered, each cut to where the words of the question stand."""
    lines = [f"user: {cut(typed, asked, TYPED_CHARACTERS)}"] if typed.strip() else []
    if said.strip():
        lines.append(f"assistant: {cut(said, asked, SAID_CHARACTERS)}")
    return "\n".join(lines)


def cut(text: str, asked: Asked, longest: int) -> str:
    """The sentence that holds most of the question, with as much after it as fits."""
    text = " ".join(text[:LONGEST_READ].split())
    if len(text) <= longest:
        return text
    start = max(_SENTENCE.finditer(text), key=lambda found: _worth(found.group(), asked)).start()
    start = min(start, len(text) - longest)
    start = text.rfind(" ", 0, start + 1) + 1
    shown = text[start : start + longest].rsplit(" ", 1)[0]
    return ("... " if start else "") + shown + (" ..." if start + len(shown) < len(text) else "")


def _worth(sentence: str, asked: Asked) -> float:
    return sum(asked.words.get(term, 0.0) for term in set(terms(sentence)))
