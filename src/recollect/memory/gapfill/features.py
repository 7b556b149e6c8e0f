"""A message as features: its words, cues and shape, how plain it is, and what the assistant said before it.

Features are names; the scorer knows their weights by hash only. "s" ones are of one sentence, "m" ones of the message.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import sqrt

from recollect.memory.gapfill.cues import cues_of
from recollect.memory.gapfill.plain import PLAINEST, plainness
from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recollect.text.language.sentences import Sentence

    Features = dict[str, float]

MOST_SENTENCES = 150  # of one message
_OPENING = 25  # sentences that a message is judged by
_BEFORE = 600  # characters of what the assistant said last
_TOKEN = re.compile(r"[^\W\d_][\w']*|\x01+|\x02+|\x03+|\x04+|\d+|[^\w\s]")
_SIGNS = {"\x01": "<code>", "\x02": "<link>", "\x03": "<quote>", "\x04": "<name>"}
_UNSPACED = re.compile(r"[\u3040-\u9fff]")
_LONG_WORD = re.compile(r"\w{4,}")
_DID = re.compile(r"\b(?:done|updated|added|created|fixed|implemented)\b")
_NAMED = {"w", "b", "UU"}  # of these a sentence has many, so that each counts by their number


class Read(Record):
    """The features of a message and of each of its sentences."""

    message: Features
    sentences: list[Features]
    points: list[int]  # how plainly each sentence says something that holds


def read_features(text: str, spoken: Sequence[Sentence], before: str = "") -> Read:
    """The features of what a person typed, `before` being the end of what the assistant said."""
    points = [plainness(one) for one in spoken]
    cues = [cues_of(one.shadow) for one in spoken]
    words = [_words(one.shadow) for one in spoken]
    shape = _message_shape(text, spoken)
    last = before[-_BEFORE:].lower()
    answered = frozenset(_LONG_WORD.findall(last))
    whole: set[str] = shape | _plain(max(points, default=0))
    for at in range(min(len(spoken), _OPENING)):
        whole.update(_named(words[at], cues[at]))
    whole.update(_answering(" ".join(one.shadow for one in spoken[:_OPENING]), last, answered))
    each = []
    for at, one in enumerate(spoken):
        names = {
            *shape,
            *_named(words[at], cues[at]),
            *_plain(points[at]),
            *_sentence_shape(at, spoken),
            *_answering(one.shadow, last, answered),
        }
        names.update(f"U<:{name}" for name in (cues[at - 1] if at else ()))
        names.update(f"U>:{name}" for name in (cues[at + 1] if at + 1 < len(spoken) else ()))
        each.append(_valued("s", names))
    return Read(_valued("m", whole), each, points)


def _plain(points: int) -> set[str]:
    return {f"plain:{step}" for step in range(1, PLAINEST + 1) if points >= step}


def _words(shadow: str) -> list[str]:
    found = []
    for match in _TOKEN.finditer(shadow.lower()):
        word = match[0]
        if word[0] in _SIGNS:
            found.append(_SIGNS[word[0]])
        elif word[0].isdigit():
            found.append("<number>")
        elif _UNSPACED.search(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            found.append(word)
    return found


def _named(words: list[str], cues: tuple[str, ...]) -> Iterable[str]:
    yield from (f"w:{word}" for word in words)
    yield from (f"b:{one} {two}" for one, two in pairwise(words))
    if words:
        yield f"1:{words[0]}"
        yield f"12:{' '.join(words[:2])}"
    yield from (f"U:{name}" for name in cues)
    yield from (f"UU:{one}&{two}" for one, two in combinations(cues, 2))


def _message_shape(text: str, spoken: Sequence[Sentence]) -> set[str]:
    own = sum(one.end - one.start for one in spoken) / max(1, len(text))
    asked = [one.asked for one in spoken]
    shape = {
        f"chars:{_step(len(text), 30, 60, 120, 250, 600, 1500, 4000)}",
        f"count:{_step(len(spoken), 1, 2, 3, 5, 8, 15, 30)}",
        f"own:{_step(own, 0.3, 0.6, 0.85)}",
    }
    return shape | ({"asks"} if any(asked) else set()) | ({"only asks"} if asked and all(asked) else set())


def _sentence_shape(at: int, spoken: Sequence[Sentence]) -> set[str]:
    one, last = spoken[at], len(spoken) - 1
    place = "first" if at == 0 else "last" if at == last else "between"
    capitals = sum(word[:1].isupper() for word in one.shadow.split()[1:])
    shape = {
        f"length:{_step(one.end - one.start, 20, 40, 60, 90, 130, 200, 300)}",
        f"place:{place} {_step(len(spoken), 2, 5, 15)}",
        f"capitals:{min(capitals, 3)}",
        f"end:{one.shadow[-1:] if one.shadow[-1:] in '.!?:;,' else ''}",
    }
    shape |= {f"has:{sign}" for char, sign in _SIGNS.items() if char in one.shadow}
    for name, holds in (
        ("asked", one.asked),
        ("listed", one.listed),
        ("then asked", at < last and spoken[at + 1].asked),
        ("not ascii", not one.shadow.isascii()),
        ("capital", one.shadow[:1].isupper()),
    ):
        if holds:
            shape.add(name)
    return shape


def _answering(shadow: str, last: str, answered: frozenset[str]) -> set[str]:
    if not last:
        return {"before:nothing"}
    words = set(_LONG_WORD.findall(shadow.lower()))
    found = {f"before:shares {_step(len(words & answered) / max(1, len(words)), 0.01, 0.2, 0.5)}"}
    if "?" in last[-200:]:
        found.add("before:asks")
    if _DID.search(last):
        found.add("before:did")
    return found


def _step(value: float, *steps: float) -> int:
    return sum(value >= step for step in steps)


def _valued(part: str, names: set[str]) -> Features:
    counts: dict[str, int] = {}
    for name in names:
        family = name.partition(":")[0]
        counts[family] = counts.get(family, 0) + 1
    values: Features = {}
    for name in sorted(names):
        family = name.partition(":")[0]
        values[f"{part} {name}"] = 2 / sqrt(counts[family]) if family in _NAMED else 1.0
    return values
