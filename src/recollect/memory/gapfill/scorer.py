"""How sure it is that a sentence holds something durable, and whether it is about the person: a learned linear scorer.

`durable.weights` is made by `python -m benchmarks.train_durable`: a line of JSON, then the hashes of the features and
their weights. No word stands in it. Only the worker reads it; a hook never does.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from math import exp
from zlib import crc32

from recollect.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.memory.gapfill.features import Features, Read

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "durable.weights")
STEP = 1 / 4096  # of a stored weight


class Scorer(Record):
    """Weights by the hash of a feature, and the line that turns their sum into a probability."""

    weights: dict[int, int]
    bias: float
    slope: float
    user_bias: float

    def scores(self, read: Read) -> list[float]:
        """For each sentence its score, in log-odds that are not yet calibrated."""
        of_message = self._sum("", read.message)
        return [of_message + self._sum("", one) for one in read.sentences]

    def durable(self, score: float) -> float:
        """How likely a sentence of this score is durable."""
        return _probability(self.bias + self.slope * score)

    def is_personal(self, sentence: Features) -> bool:
        """Is it about the person rather than about the project?"""
        return self.user_bias + self._sum("user ", sentence) > 0

    def _sum(self, part: str, features: Features) -> float:
        get = self.weights.get
        return STEP * sum(value * get(hashed(part + name), 0) for name, value in features.items())


def _probability(log_odds: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, log_odds))))


def hashed(name: str) -> int:
    """The number under which a feature's weight is kept."""
    return crc32(name.encode("utf-8", "surrogatepass"))


def packed(head: dict[str, float], weights: dict[int, int]) -> bytes:
    """The weights as a file: small, and the same for the same weights."""
    keys = sorted(weights)
    numbers, values = array("I", keys), array("h", [weights[key] for key in keys])
    if sys.byteorder == "big":
        numbers.byteswap()
        values.byteswap()
    first = json.dumps({**head, "features": len(keys)}, sort_keys=True).encode()
    return first + b"\n" + numbers.tobytes() + values.tobytes()


def unpacked(raw: bytes) -> Scorer:
    """The scorer that such a file holds."""
    first, _, rest = raw.partition(b"\n")
    head = json.loads(first)
    numbers, values = array("I"), array("h")
    numbers.frombytes(rest[: 4 * head["features"]])
    values.frombytes(rest[4 * head["features"] :])
    if sys.byteorder == "big":
        numbers.byteswap()
        values.byteswap()
    weights = dict(zip(numbers, values, strict=True))
    return Scorer(weights, *(head[name] for name in ("bias", "slope", "user_bias")))


_loaded: list[Scorer] = []


def scorer() -> Scorer:
    """The scorer that ships with the program, read once."""
    if not _loaded:
        with open(PATH, "rb") as file:
            _loaded.append(unpacked(file.read()))
    return _loaded[0]
