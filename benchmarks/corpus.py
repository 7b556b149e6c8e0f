"""Memories and prompts made from a seed: a Zipf vocabulary in which English words lead and code identifiers follow.

Sentence number n is the same whatever the size of the corpus, so that sizes can be grown and targets looked up.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261115
VOCABULARY = 60_000
ZIPF = 1.05
BLOCK = 1_000
SENTENCE_WORDS = (8, 40)
PROMPT_WORDS = (12, 25)
TARGET_WORDS = (5, 9)

# Ranked as they are in English about software; their place in the list is their frequency.
LEADING = (
    "the to a is in and of for we use with it that on not be this as when from are if by or before after must an "
    "always only run test code file at has do all should build user never can which time new but so server config data "
    "deploy first set release branch our version write read error request key check start name local needs table "
    "change default path type instead job service command script database call cache client log because value without "
    "line tests module package commit main query keep port page token index every update merge response function "
    "import class folder fails style format worker queue retry timeout session schema migration review production "
    "staging endpoint feature flag header report event stream batch limit prefer rename install dependency lock "
    "container image cluster secret variable environment prompt parser tokenizer handler router component theme button "
    "layout locale currency invoice payment customer order account email webhook callback thread process memory disk"
).split()
_FUNCTION_WORDS = frozenset(LEADING[:32])  # what a prompt repeats of a memory is what it is about
_ONSETS = ("b", "br", "c", "cl", "d", "dr", "f", "fl", "g", "gr", "h", "k", "l", "m", "n", "p", "pl", "r", "s", "st")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = ("", "l", "n", "r", "s", "t", "x", "nd", "rk", "st", "m", "p")


@dataclass(frozen=True)
class Prompt:
    """What a user might type, and the sentence it is about."""

    text: str
    number: int
    target: str


class Corpus:
    """As many sentences as are asked for, and prompts about them."""

    def __init__(self, seed: int = SEED, *, vocabulary: int = VOCABULARY) -> None:
        self._seed = seed
        self._words = _vocabulary(random.Random(seed), vocabulary)
        self._weights = list(accumulate(1 / rank**ZIPF for rank in range(2, len(self._words) + 2)))

    def sentences(self, start: int, end: int) -> Iterator[str]:
        """Sentences number start to end, the last one not included."""
        for block in range(start // BLOCK, (end + BLOCK - 1) // BLOCK):
            texts = self._block(block)
            first = block * BLOCK
            yield from texts[max(start - first, 0) : min(end - first, BLOCK)]

    def prompts(self, size: int, count: int) -> list[Prompt]:
        """Prompts about sentences spread over the first `size`: a few of the target's words among anybody's."""
        chance = random.Random(f"{self._seed}/prompts/{size}")
        found = []
        for number in sorted(chance.sample(range(size), min(count, size))):
            [target] = self.sentences(number, number + 1)
            words = [word for word in dict.fromkeys(target.rstrip(".").split()) if word.lower() not in _FUNCTION_WORDS]
            taken = chance.sample(words, min(chance.randint(*TARGET_WORDS), len(words)))
            fillers = max(chance.randint(*PROMPT_WORDS) - len(taken), 0)
            mixed = taken + self._draw(chance, fillers)
            chance.shuffle(mixed)
            found.append(Prompt(" ".join(mixed) + "?", number, target))
        chance.shuffle(found)
        return found

    def _block(self, block: int) -> list[str]:
        chance = random.Random(f"{self._seed}/{block}")
        lengths = [chance.randint(*SENTENCE_WORDS) for _ in range(BLOCK)]
        words = self._draw(chance, sum(lengths))
        texts, at = [], 0
        for length in lengths:
            text = " ".join(words[at : at + length])
            texts.append(text[0].upper() + text[1:] + ".")
            at += length
        return texts

    def _draw(self, chance: random.Random, count: int) -> list[str]:
        return chance.choices(self._words, cum_weights=self._weights, k=count)


def _vocabulary(chance: random.Random, size: int) -> list[str]:
    """English first; behind it made-up words, every third an identifier, a path or a version."""
    words = dict.fromkeys(LEADING[:size])
    plain = list(words)
    while len(words) < size:
        if len(words) % 3:
            word = "".join(
                chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS)
                for _ in range(chance.randint(2, 3))
            )
            plain.append(word)
        else:
            word = _identifier(chance, plain)
        words[word] = None
    return list(words)


def _identifier(chance: random.Random, plain: list[str]) -> str:
    one, two = chance.choice(plain), chance.choice(plain)
    match chance.randrange(6):
        case 0 | 1:
            return f"{one}_{two}"
        case 2 | 3:
            return one + two.capitalize()
        case 4:
            return f"src/{one}/{two}.py"
        case _:
            return f"{one}-{chance.randint(0, 20)}.{chance.randint(0, 20)}"
