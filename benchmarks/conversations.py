"""Conversations as the product stores them, and how well a ranking finds what it should.

A set is a list of stores: each has sessions of turns, and questions with the turns, messages and sessions that answer
them. One question's rank is a list of keys; a key is whatever the set counts: a turn, a message or a session.
"""

from __future__ import annotations

import io
import json
import lzma
import math
import os
import random
import tarfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recollect.model.sessions import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Key = str
    Ranking = Sequence[Key]

RESAMPLES = 1_000
SECOND = 1.0  # between two turns of a session whose log has one date


@dataclass
class Talk:
    """One session: its id, its turns, and the key of each turn's own unit."""

    name: str
    at: float
    turns: list[Turn] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    answer_keys: list[Key] = field(default_factory=list)  # of the answer in each turn, where the set counts messages


@dataclass
class Question:
    """A question and what answers it; `kind` is the set's own class of questions."""

    text: str
    now: float
    kind: str
    turns: frozenset[Key] = frozenset()
    sessions: frozenset[Key] = frozenset()
    unanswerable: bool = False
    asked_in: str = ""  # the session that the question comes from, which does not count


@dataclass
class Conversation:
    """What one store holds, and what it is asked."""

    talks: list[Talk]
    questions: list[Question]


def read_text(path: str) -> str:
    """The text of a file, `.xz` unpacked."""
    with open(path, "rb") as file:
        data = file.read()
    return (lzma.decompress(data) if path.endswith(".xz") else data).decode("utf-8")


def read_folder(path: str) -> dict[str, Any]:
    """The JSON files of a folder or of a `.tar.xz`, by name."""
    if os.path.isdir(path):
        names = [os.path.join(place, name) for place, _, names in os.walk(path) for name in names]
        return {os.path.basename(name): json.loads(read_text(name)) for name in names if name.endswith(".json")}
    found: dict[str, Any] = {}
    with open(path, "rb") as file, tarfile.open(fileobj=io.BytesIO(lzma.decompress(file.read()))) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.name.endswith(".json") else None
            if stream is not None:
                found[os.path.basename(member.name)] = json.load(stream)
    return found


def exchanges(messages: Iterable[tuple[str, str, Key]]) -> Iterator[tuple[str, str, list[Key]]]:
    """(typed, answered, keys) for (role, text, key): a user's message and all that follows until the next one."""
    typed = ""
    answers: list[str] = []
    keys: list[Key] = []
    for role, text, key in messages:
        if role == "user" and keys:
            yield typed, "\n\n".join(answers), keys
            typed, answers, keys = "", [], []
        if role == "user":
            typed = text
        else:
            answers.append(text)
        keys.append(key)
    if keys:
        yield typed, "\n\n".join(answers), keys


def add_turn(talk: Talk, typed: str, answered: str, key: Key, answer_key: Key = "") -> None:
    """Append a turn to a session."""
    number = len(talk.turns) + 1
    at = talk.at + SECOND * number if talk.at else 0.0
    talk.turns.append(Turn(number, typed, answered, at=at, ended=at, record_id=f"{talk.name}#{number}"))
    talk.keys.append(key)
    talk.answer_keys.append(answer_key)


@dataclass
class Measure:
    """One number a question, and the questions it is defined for."""

    name: str
    of: Callable[[Ranking, frozenset[Key]], float]
    counts: Callable[[Question], bool] = lambda question: True


def any_at(k: int) -> Callable[[Ranking, frozenset[Key]], float]:
    """Is one of those wanted among the first k?"""
    return lambda ranking, wanted: float(bool(wanted.intersection(ranking[:k])))


def all_at(k: int) -> Callable[[Ranking, frozenset[Key]], float]:
    """Are all of those wanted among the first k?"""
    return lambda ranking, wanted: float(wanted.issubset(ranking[:k]))


def share_at(k: int) -> Callable[[Ranking, frozenset[Key]], float]:
    """What share of those wanted is among the first k?"""
    return lambda ranking, wanted: len(wanted.intersection(ranking[:k])) / len(wanted)


def reciprocal_rank(ranking: Ranking, wanted: frozenset[Key]) -> float:
    """One over the place of the first of those wanted."""
    return next((1 / place for place, key in enumerate(ranking, 1) if key in wanted), 0.0)


def ndcg_at(k: int) -> Callable[[Ranking, frozenset[Key]], float]:
    """Discounted gain over the best possible one."""

    def gain(ranking: Ranking, wanted: frozenset[Key]) -> float:
        got = sum(1 / math.log2(place + 1) for place, key in enumerate(ranking[:k], 1) if key in wanted)
        return got / sum(1 / math.log2(place + 1) for place in range(1, min(k, len(wanted)) + 1))

    return gain


def interval(values: Sequence[float], *, seed: int = 1) -> tuple[float, float, float]:
    """The mean, and between what it lies in 95 of 100 resamples."""
    if not values:
        return 0.0, 0.0, 0.0
    chance = random.Random(seed)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return sum(values) / len(values), means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975)]
