"""Answers of a model that did not hold: the same question is not paid for again at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from recollect.model.artifacts import FAILED
from recollect.model.record import Record

if TYPE_CHECKING:
    from recollect.flows.opened import Opened

AGAIN_SECONDS = 86_400.0
LONGEST_WHY = 500


class Failure(Record):
    """An answer that did not hold."""

    question: str = ""  # what tells the question again
    at: float = 0.0
    why: str = ""


def failure(repository: str, memory: Opened) -> Failure:
    """The last answer about a repository that did not hold; an empty one when the last one did."""
    try:
        return Failure(**json.loads(memory.store.home_value(FAILED + repository) or "{}"))
    except (ValueError, TypeError):
        return Failure()


def has_failed(repository: str, question: str, memory: Opened) -> bool:
    """Did a model give no usable answer to the same question within the last day?"""
    last = failure(repository, memory)
    return last.question == question and 0 <= memory.now - last.at < AGAIN_SECONDS


def note_failure(repository: str, question: str, why: str, memory: Opened) -> None:
    """Remember that the answer to a question did not hold."""
    made = Failure(question, memory.now, why[:LONGEST_WHY])
    with memory.store.write():
        memory.store.set_home_value(FAILED + repository, json.dumps(made._asdict()))


def forget_failure(repository: str, memory: Opened) -> None:
    """A set was published. Needs a write()."""
    memory.store.set_home_value(FAILED + repository, "")
