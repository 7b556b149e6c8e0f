"""Former: what an entry said before it was corrected, and lines of a file that still say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.suggestions.outline import sentences_of
from recollect.suggestions.said import says
from recollect.suggestions.wording import keys_of, weights
from recollect.text.language.statements import relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.model.suggestions import Fact

_RENAMED = re.compile(r"(?:[A-Z]\S* )*\S+ \(formerly ([^()]+)\)")
_SAME = ("same", "near")


def former_of(content: str, earlier: Iterable[str] = ()) -> tuple[str, ...]:
    """What the versions before said, one sentence at a time, without what still holds."""
    now = sentences_of(content)
    old = [part for text in (*earlier, *_by_old_name(content)) for part in sentences_of(text)]
    return tuple(dict.fromkeys(one for one in old if not any(relation(one, part) in _SAME for part in now)))


def corrects(fact: Fact, line: str) -> bool:
    """Does a line say what the fact said before, and nothing else?"""
    return any(relation(old, line) in _SAME for old in fact.former)


def outdates(fact: Fact, line: str) -> bool:
    """Does a line say what the fact said before, whatever else it says, and nothing of what is new?"""
    there = keys_of(line)
    return any(says(old, line) and not there & (weights(fact.content).keys() - keys_of(old)) for old in fact.former)


def _by_old_name(content: str) -> Iterator[str]:
    """The statement with the old name in the place of the new one: "Render (formerly Heroku)" was "Heroku"."""
    if _RENAMED.search(content):
        yield _RENAMED.sub(r"\1", content)
