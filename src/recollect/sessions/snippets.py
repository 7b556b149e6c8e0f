"""A few lines of a turn that show why it was found."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.sessions.ranking import Asked

TYPED_CHARACTERS = 240
SAID_CHARACTERS = 240
LONGEST_READ = 12_000
BEFORE = 40  # characters shown before the first word of the question
_PREFIX = 6  # of a stem: enough to find the word it comes from


def snippet(typed: str, said: str, asked: Asked) -> str:
    """What was typed and what was answered, each cut to where the words of the question stand."""
    lines = [f"user: {cut(typed, asked, TYPED_CHARACTERS)}"] if typed.strip() else []
    if said.strip():
        lines.append(f"assistant: {cut(said, asked, SAID_CHARACTERS)}")
    return "\n".join(lines)


def cut(text: str, asked: Asked, longest: int) -> str:
    """The part of a text, no longer than this, that holds most of the question."""
    text = " ".join(text[:LONGEST_READ].split())
    if len(text) <= longest:
        return text
    start = max(min(_densest(text.lower(), asked, longest) - BEFORE, len(text) - longest), 0)
    start = text.rfind(" ", 0, start) + 1
    shown = text[start : start + longest].rsplit(" ", 1)[0]
    return ("... " if start else "") + shown + (" ..." if start + len(shown) < len(text) else "")


def _densest(text: str, asked: Asked, longest: int) -> int:
    """Where the window begins that has the most of the question's worth."""
    places: list[tuple[int, str]] = []
    for word in asked.words:
        at = text.find(word[:_PREFIX])
        while at >= 0:
            places.append((at, word))
            at = text.find(word[:_PREFIX], at + longest // 4)
    places.sort()
    best, best_worth = 0, 0.0
    for number, (start, _) in enumerate(places):
        inside = {word for at, word in places[number : number + 40] if at < start + longest - BEFORE}
        worth = sum([asked.words[word] for word in inside])
        if worth > best_worth:
            best, best_worth = start, worth
    return best
