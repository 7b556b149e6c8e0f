"""One set of conversations through the product's own store and recall, and through plain FTS5 and rank_bm25."""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.conversations import interval
from benchmarks.measuring import Timings
from recollect.flows.turns.recall_turns import recall_sessions, recall_turns
from recollect.model.recall import Filters
from recollect.model.sessions import Session
from recollect.sessions.vectors import Vectors, fill_vectors
from recollect.store.store import open_store
from recollect.store.turn_index import printed_text
from recollect.text.extras import install_line
from recollect.text.language.stems import stem
from recollect.text.language.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.conversations import Conversation, Key, Measure, Question
    from recollect.store.store import Store

DEPTH = 40
NOW = 1.0
_WORD = re.compile(r"\w+")

PLAIN, BM25 = "plain FTS5", "rank_bm25"


class Set(Protocol):
    """What a module of a set offers."""

    UNIT: str
    TURNS: tuple[Measure, ...]
    SESSIONS: tuple[Measure, ...]


@dataclass
class Result:
    """What one system made of the questions: for each measure, the values of the questions it is defined for."""

    name: str
    values: dict[str, list[float]] = field(default_factory=dict)
    kinds: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    timings: Timings = field(default_factory=Timings)

    def add(self, measures: Sequence[tuple[str, Measure]], question: Question, ranks: dict[str, list[Key]]) -> None:
        """Count one question."""
        for unit, measure in measures:
            wanted = question.sessions if unit == "session" else question.turns
            if unit not in ranks or not wanted or not measure.counts(question):
                continue
            name = f"{unit} {measure.name}"
            value = measure.of(ranks[unit], wanted)
            self.values.setdefault(name, []).append(value)
            self.kinds.setdefault(name, {}).setdefault(question.kind, []).append(value)

    def document(self) -> dict[str, Any]:
        """Means with their intervals, and means by kind of question."""
        measures = {}
        for name, values in self.values.items():
            mean, low, high = interval(values)
            kinds = {kind: round(100 * sum(own) / len(own), 1) for kind, own in sorted(self.kinds[name].items())}
            measures[name] = {
                "mean": round(100 * mean, 1),
                "low": round(100 * low, 1),
                "high": round(100 * high, 1),
                "questions": len(values),
                "kinds": kinds,
            }
        return {"measures": measures, "milliseconds": self.timings.summary() if self.timings.wall else {}}


def run(module: Set, conversations: Sequence[Conversation], *, semantic: bool = False) -> list[Result]:
    """Ours, with and without vectors as asked, and the two rivals, question by question."""
    measures = [(module.UNIT, one) for one in module.TURNS] + [("session", one) for one in module.SESSIONS]
    vectors = Vectors.load() if semantic else None
    if semantic and vectors is None:
        raise SystemExit(f"--semantic needs the extra: {install_line('semantic')}")
    ours = Result("recollect")
    near = Result("recollect[semantic]")
    rivals = [Result(PLAIN), Result(BM25)]
    for conversation in conversations:
        if not conversation.questions:
            continue
        with Filled(conversation) as filled:
            _ask(filled, ours, module, measures, None)
            if vectors is not None:
                with filled.store.write(durable=False):
                    fill_vectors(filled.store, vectors)
                _ask(filled, near, module, measures, vectors)
        for result in rivals:
            _ask_rival(conversation, result, module, measures)
    return [ours, *([near] if semantic else []), *(result for result in rivals if result.values)]


class Filled:
    """A store in a temporary folder that holds a conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.keys: dict[tuple[str, int], Key] = {}

    def __enter__(self) -> Filled:
        self._folder = tempfile.TemporaryDirectory()
        self.store: Store = open_store(os.path.join(self._folder.name, "recollect.db"), now=NOW)
        with self.store.write(durable=False):
            for talk in self.conversation.talks:
                session = Session(talk.name, "messages", talk.name, started=talk.at, ended=talk.at)
                session_id = self.store.sessions.save(session)
                self.store.sessions.add_turns(session_id, talk.turns, [""] * len(talk.turns))
                self.keys.update({(talk.name, n): key for n, key in enumerate(talk.keys, 1)})
        return self

    def __exit__(self, *exception: object) -> None:
        self.store.close()
        self._folder.cleanup()


def _ask(
    filled: Filled, result: Result, module: Set, measures: Sequence[tuple[str, Measure]], vectors: Vectors | None
) -> None:
    for question in filled.conversation.questions:
        store = filled.store
        wanted: dict[str, Any] = {"store": store, "filters": Filters(), "limit": DEPTH, "now": question.now}
        wanted["vectors"] = vectors
        ranks: dict[str, list[Key]] = {}
        if module.TURNS:
            hits = result.timings.take(lambda: recall_turns(question.text, **wanted))  # noqa: B023
            ranks[module.UNIT] = [
                filled.keys[hit.session_id, hit.number] for hit in hits if hit.session_id != question.asked_in
            ]
        if module.SESSIONS:
            sessions = result.timings.take(lambda: recall_sessions(question.text, **wanted))  # noqa: B023
            ranks["session"] = [hit.session_id for hit in sessions]
        result.add(measures, question, ranks)


def documents(conversation: Conversation, unit: str) -> Iterator[tuple[Key, str]]:
    """(key, text) of what a rival indexes: whole sessions, single messages, or turns with all that is in them."""
    for talk in conversation.talks:
        if unit == "session":
            yield talk.name, "\n".join(f"{turn.user}\n{turn.assistant}" for turn in talk.turns)
            continue
        for turn, key, answer_key in zip(talk.turns, talk.keys, talk.answer_keys, strict=True):
            if unit == "message" and answer_key not in ("", key):
                yield key, turn.user
                yield answer_key, turn.assistant
            else:
                yield key, f"{turn.user}\n{turn.assistant}\n{printed_text(turn.tools)}"


def _ask_rival(
    conversation: Conversation, result: Result, module: Set, measures: Sequence[tuple[str, Measure]]
) -> None:
    """Turns or messages, and sessions, each as documents of their own."""
    units = ([module.UNIT] if module.TURNS else []) + (["session"] if module.SESSIONS else [])
    engines = {}
    for unit in units:
        rows = list(documents(conversation, unit))
        engine = plain_fts5(rows) if result.name == PLAIN else okapi(rows)
        if engine is None:
            return
        engines[unit] = engine
    for question in conversation.questions:
        ranks = {
            unit: _elsewhere(result.timings.take(lambda: engine(question.text)), question)  # noqa: B023
            for unit, engine in engines.items()
        }
        result.add(measures, question, ranks)


def _elsewhere(ranking: list[Key], question: Question) -> list[Key]:
    """Without the session that the question was asked in."""
    return [key for key in ranking if not question.asked_in or not key.startswith(f"{question.asked_in}#")]


def plain_fts5(rows: Sequence[tuple[Key, str]]) -> Any:
    """FTS5 with porter stems and its own bm25; any word of the question, stop words out."""
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'porter unicode61')")
    base.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", [(n, text) for n, (_, text) in enumerate(rows)])

    def ask(question: str) -> list[Key]:
        words = [word for word in _WORD.findall(question.lower()) if word not in STOPWORDS]
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        return [rows[row][0] for (row,) in base.execute(sql, (match, DEPTH))] if match else []

    return ask


def okapi(rows: Sequence[tuple[Key, str]]) -> Any:
    """rank_bm25 with porter stems, stop words out; None when it is not installed."""
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        return None

    def words(text: str) -> list[str]:
        return [stem(word) for word in _WORD.findall(text.lower()) if word not in STOPWORDS]

    index = BM25Okapi([words(text) or [""] for _, text in rows])

    def ask(question: str) -> list[Key]:
        scores = index.get_scores(words(question))
        return [rows[n][0] for n in sorted(range(len(rows)), key=lambda n: -scores[n])[:DEPTH]]

    return ask
