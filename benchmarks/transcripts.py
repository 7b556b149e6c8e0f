"""Real coding sessions, searched for turns that are known: nobody judged these questions, they are made from the logs.

Three kinds, each from a turn that must then be found again: four words that were typed in it, four that were answered,
four that tools printed; all of middling frequency (in 3 turns or more, and in 8 of 100 at most), drawn by chance with a
fixed seed. A fourth kind, where the logs have any: a message that names an issue or a pull request which another
session names too, without that name; the other session's turns must come. Every system gets the same text of a turn,
tools' output clipped as the product clips it. Known words favour plain search: this is a test that nothing is lost, not
of how people ask.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import tempfile
from typing import TYPE_CHECKING

from benchmarks.conversations import (
    Conversation,
    Measure,
    Question,
    Talk,
    any_at,
    reciprocal_rank,
)
from recollect.flows.sessions.import_sessions import Importer, Log, find_logs
from recollect.store.store import open_store
from recollect.store.turn_index import printed_text
from recollect.text.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

UNIT = "turn"
TURNS = (
    Measure("any@1", any_at(1)),
    Measure("any@5", any_at(5)),
    Measure("any@10", any_at(10)),
    Measure("MRR", reciprocal_rank),
)
SESSIONS: tuple[Measure, ...] = ()
EACH = 150
WORDS = 4
LEAST_TURNS = 3
MOST_SHARE = 0.08
SHORTEST_AGAIN = 3
LONGEST_AGAIN = 600
SEED = 7
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{3,}")
_REFERENCE = re.compile(r"(?:issues|pull)/\d{3,6}|\b[a-z]{2,5}-[a-z0-9]{3,4}\.\d+\b")
_ADDRESS = re.compile(r"https?://\S+")


def read(path: str) -> list[Conversation]:
    """All logs below a folder in one store, as the product imports them."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(os.path.join(folder, "recollect.db"), now=1.0)
        numbers = itertools.count()
        importer = Importer(
            store,
            repository_of=lambda cwd, remote: "",
            excluded=lambda path: False,
            new_id=lambda: f"s_{next(numbers):06}",
            now=1.0,
        )
        for log in find_logs([path], hosts=(), environ={}, platform="linux"):
            if isinstance(log, Log):
                importer.import_log(log)
        talks = []
        for session, _ in store.sessions.listed():
            talk = Talk(session.session_id, session.started)
            for turn in store.sessions.turns(session.session_id):
                talk.turns.append(turn._replace(number=len(talk.turns) + 1))
                talk.keys.append(f"{talk.name}#{len(talk.turns)}")
                talk.answer_keys.append("")
            talks.append(talk)
        store.close()
    talks.sort(key=lambda talk: talk.name)
    return [Conversation(talks, [*_known(talks), *_again(talks)])]


def _known(talks: list[Talk]) -> Iterator[Question]:
    turns = [(key, turn) for talk in talks for key, turn in zip(talk.keys, talk.turns, strict=True)]
    frequencies: dict[str, int] = {}
    for _, turn in turns:
        for term in set(terms(f"{turn.user}\n{turn.assistant}\n{printed_text(turn.tools)}")):
            frequencies[term] = frequencies.get(term, 0) + 1
    chance = random.Random(SEED)
    for kind in ("typed", "answered", "printed"):
        shuffled = chance.sample(turns, len(turns))
        asked = 0
        for key, turn in shuffled:
            text = {"typed": turn.user, "answered": turn.assistant, "printed": printed_text(turn.tools)}[kind]
            words = _middling(text, frequencies, len(turns))
            if len(words) >= WORDS and asked < EACH:
                asked += 1
                yield Question(" ".join(chance.sample(words, WORDS)), 0.0, kind, frozenset({key}))


def _middling(text: str, frequencies: dict[str, int], turns: int) -> list[str]:
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        analysed = terms(word)
        if len(analysed) == 1 and LEAST_TURNS <= frequencies.get(analysed[0], 0) <= MOST_SHARE * turns:
            found.setdefault(analysed[0], word)
    return list(found.values())


def _again(talks: list[Talk]) -> Iterator[Question]:
    naming: dict[str, list[tuple[str, str]]] = {}
    for talk in talks:
        for key, turn in zip(talk.keys, talk.turns, strict=True):
            for name in _REFERENCE.findall(turn.user):
                naming.setdefault(name, []).append((talk.name, key))
    for talk in talks:
        for turn in talk.turns:
            places = {place for name in _REFERENCE.findall(turn.user) for place in naming[name]}
            wanted = frozenset(key for session, key in places if session != talk.name)
            text = _REFERENCE.sub(" ", _ADDRESS.sub(" ", turn.user))[:LONGEST_AGAIN]
            if wanted and len(set(terms(text))) >= SHORTEST_AGAIN:
                yield Question(text, 0.0, "again", wanted, asked_in=talk.name)
