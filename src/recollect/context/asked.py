"""What somebody asked a summary to keep: how strongly a text holds what the words name, and the lines that hold it.

This is all that instructions mean without a model. Names (identifiers, paths, versions) count more than plain words,
and what stands in few places more than what stands everywhere.
"""

from __future__ import annotations

import re
from math import ceil, log
from typing import TYPE_CHECKING

from recollect.context.notes import ASKED, FIRST, Note
from recollect.context.requests import is_system, typed
from recollect.model.messages import Text
from recollect.text.language.stopwords import STOPWORDS
from recollect.text.terms import query_terms, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from recollect.model.messages import Message

NAME_WEIGHT = 3.0
COMMON_SHARE = 0.5  # a plain word in more than half of the texts tells none of them apart
MOST_LINES = 40
LONGEST_LINE = 600
LONGEST_TEXT = 60_000  # characters of one message in which lines are looked for
# What people say around what they want kept.
_ASKING = frozenset(
    terms(
        "keep kept preserve remember include mention note focus summary summarise summarize especially important please"
        " everything anything thing about make sure must detail word exact exactly verbatim conversation user ask"
    )
)
_NAME = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|((?=\S*[./_:#\d-]|\S*[a-z][A-Z])[\w./:#@-]*\w)")


def weights(instructions: str, texts: Sequence[str]) -> list[float]:
    """How strongly each text holds what the instructions name; 0 for one that holds nothing of it."""
    names, words = _named(instructions)
    found = [set(terms(text)) for text in texts]
    lowered = [text.casefold() for text in texts]
    held = [0.0] * len(texts)
    for name in names:
        _add(held, [name in text for text in lowered], NAME_WEIGHT)
    for word in words:
        places = [word in one for one in found]
        if sum(places) <= max(1, COMMON_SHARE * len(texts)):
            _add(held, places, 1.0)
    return held


def raised(notes: Sequence[Note], instructions: str) -> list[Note]:
    """The notes, those that hold what was asked for before all others."""
    if not instructions.strip():
        return list(notes)
    held = weights(instructions, [note.text for note in notes])
    return [note._replace(tier=_tier(weight)) if weight else note for note, weight in zip(notes, held, strict=True)]


def asked_notes(messages: Sequence[Message], instructions: str, *, most_characters: int) -> list[Note]:
    """The lines of a conversation that hold what was asked for: the strongest, as many as there is room for."""
    if not instructions.strip():
        return []
    lines = [(at, line) for at, message in enumerate(messages) for line in _lines(message)]
    held = weights(instructions, [line for _, line in lines])
    order = sorted((at for at, weight in enumerate(held) if weight), key=lambda at: (-held[at], -at))
    chosen: dict[str, tuple[int, int]] = {}
    left = most_characters
    for at in order:
        place, line = lines[at]
        if line not in chosen and len(line) <= left and len(chosen) < MOST_LINES:
            chosen[line] = (place, _tier(held[at]))
            left -= len(line)
    return [Note(ASKED, line, tier, place) for line, (place, tier) in sorted(chosen.items(), key=lambda one: one[1])]


def _tier(weight: float) -> int:
    return FIRST - ceil(weight)


def _named(instructions: str) -> tuple[list[str], list[str]]:
    names = [next(filter(None, found)).casefold() for found in _NAME.findall(instructions)]
    words = [word for word in query_terms(instructions) if word not in STOPWORDS and word not in _ASKING]
    return list(dict.fromkeys(name for name in names if len(name) > 1)), words


def _add(held: list[float], places: Sequence[bool], weight: float) -> None:
    rarity = log(1 + len(places) / max(1, sum(places)))
    for at, here in enumerate(places):
        held[at] += weight * rarity if here else 0.0


def _lines(message: Message) -> Iterator[str]:
    if is_system(message):
        return
    own = typed(message.text) if message.role == "user" else message.text
    results = (one.text for result in message.results for one in result.parts if isinstance(one, Text))
    for line in _split([own, *results]):
        plain = " ".join(line.split())
        if plain:
            yield plain if len(plain) <= LONGEST_LINE else plain[:LONGEST_LINE].rstrip() + " …"


def _split(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from text[:LONGEST_TEXT].splitlines()
