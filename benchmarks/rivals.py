"""Every system of the speed run behind one face. A package that is missing is named, never installed."""

from __future__ import annotations

import os
import re
import sqlite3
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.database_rivals import DATABASE_RIVALS
from benchmarks.embedders import load
from benchmarks.memory_rivals import MEMORY_RIVALS
from benchmarks.server_rivals import SERVER_RIVALS
from benchmarks.vector_rivals import VECTOR_RIVALS
from recollect import Recollect

if TYPE_CHECKING:
    from collections.abc import Sequence

K = 10
PLENTY_TOKENS = 1_000_000
HOME = "home"
_WORDS = re.compile(r"[A-Za-z0-9]+")


class System(Protocol):
    """A store of numbered texts in a folder. What `add` returns from is on disk, unless it keeps memory only."""

    def add_many(self, first: int, texts: Sequence[str]) -> None: ...

    def add(self, number: int, text: str) -> None: ...

    def search(self, prompt: str) -> list[object]:
        """Keys of the best ten."""
        ...

    def key(self, number: int, text: str) -> object:
        """What search gives for this text."""
        ...

    def close(self) -> None: ...


class Ours:
    """The product through its own calls: bulk, one durable addition, recall with its receipt."""

    name = "recollect"

    def __init__(self, folder: str) -> None:
        self._memory = Recollect.open(os.path.join(folder, HOME), folder=folder, environ={"HOME": folder})

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._memory.remember_many(texts, scope="user")

    def add(self, number: int, text: str) -> None:
        self._memory.remember(text, scope="user")

    def search(self, prompt: str) -> list[object]:
        found = self._memory.recall(prompt, k=K, tokens=PLENTY_TOKENS).found
        return [one.entry.content for one in found.entries]

    def key(self, number: int, text: str) -> object:
        return text

    def close(self) -> None:
        self._memory.close()


class PlainFts5:
    """FTS5 as it comes: one OR of all words, bm25 order, WAL, and the synchronous setting of our durable writes."""

    name = "raw FTS5"

    def __init__(self, folder: str) -> None:
        self._base = sqlite3.connect(os.path.join(folder, "plain.db"), isolation_level=None)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("CREATE VIRTUAL TABLE texts USING fts5 (content)")

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        for start in range(0, len(texts), 1_000):
            self._base.execute("BEGIN IMMEDIATE")
            rows = enumerate(texts[start : start + 1_000], first + start)
            self._base.executemany("INSERT INTO texts (rowid, content) VALUES (?, ?)", rows)
            self._base.execute("COMMIT")

    def add(self, number: int, text: str) -> None:
        self._base.execute("INSERT INTO texts (rowid, content) VALUES (?, ?)", (number, text))

    def search(self, prompt: str) -> list[object]:
        match = " OR ".join(f'"{word}"' for word in _WORDS.findall(prompt))
        rows = self._base.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?", (match, K))
        return [row for (row,) in rows]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._base.close()


class Tantivy:
    """Tantivy's default analyser, the text stored, one commit for each durable addition."""

    name = "tantivy"
    package = "tantivy"

    def __init__(self, folder: str) -> None:
        self._tantivy = import_module("tantivy")
        schema = self._tantivy.SchemaBuilder()
        schema.add_text_field("content", stored=True)
        schema.add_unsigned_field("number", stored=True)
        place = os.path.join(folder, "tantivy")
        os.makedirs(place)
        self._index = self._tantivy.Index(schema.build(), path=place)
        self._writer = self._index.writer(heap_size=100_000_000, num_threads=1)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        for number, text in enumerate(texts, first):
            self._writer.add_document(self._tantivy.Document(content=text, number=number))
        self._commit()

    def add(self, number: int, text: str) -> None:
        self._writer.add_document(self._tantivy.Document(content=text, number=number))
        self._commit()

    def _commit(self) -> None:
        self._writer.commit()
        self._index.reload()

    def search(self, prompt: str) -> list[object]:
        query = self._index.parse_query(" ".join(_WORDS.findall(prompt)).lower(), ["content"])
        searcher = self._index.searcher()
        return [searcher.doc(address)["number"][0] for _, address in searcher.search(query, K).hits]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._writer.wait_merging_threads()


class SqliteUtils:
    """sqlite-utils with its own full-text search."""

    name = "sqlite-utils"
    package = "sqlite_utils"

    def __init__(self, folder: str) -> None:
        self._base = import_module("sqlite_utils").Database(os.path.join(folder, "utils.db"))
        self._base.enable_wal()
        self._table = self._base["texts"]

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._table.insert_all({"number": number, "content": text} for number, text in enumerate(texts, first))
        self._table.enable_fts(["content"], create_triggers=True)

    def add(self, number: int, text: str) -> None:
        self._table.insert({"number": number, "content": text})

    def search(self, prompt: str) -> list[object]:
        match = " OR ".join(f'"{word}"' for word in _WORDS.findall(prompt))
        return [row["number"] for row in self._table.search(match, limit=K, columns=["number"])]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.conn.close()


class Whoosh:
    """Whoosh on disk, OR of all words."""

    name = "Whoosh"
    package = "whoosh"

    def __init__(self, folder: str) -> None:
        fields, index = import_module("whoosh.fields"), import_module("whoosh.index")
        self._parsing = import_module("whoosh.qparser")
        place = os.path.join(folder, "whoosh")
        os.makedirs(place)
        schema = fields.Schema(number=fields.STORED, content=fields.TEXT(stored=True))
        self._index = index.create_in(place, schema)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        writer = self._index.writer()
        for number, text in enumerate(texts, first):
            writer.add_document(number=number, content=text)
        writer.commit()

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        parser = self._parsing.QueryParser("content", self._index.schema, group=self._parsing.OrGroup)
        with self._index.searcher() as searcher:
            return [hit["number"] for hit in searcher.search(parser.parse(" ".join(_WORDS.findall(prompt))), limit=K)]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._index.close()


class LanceDb:
    """LanceDB's full-text index; an addition is indexed before it counts."""

    name = "LanceDB FTS"
    package = "lancedb"

    def __init__(self, folder: str) -> None:
        self._base = import_module("lancedb").connect(os.path.join(folder, "lance"))
        self._table: Any = None

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        rows = [{"number": number, "content": text} for number, text in enumerate(texts, first)]
        self._table = self._base.create_table("texts", rows)
        self._table.create_fts_index("content")

    def add(self, number: int, text: str) -> None:
        self._table.add([{"number": number, "content": text}])
        self._table.optimize()

    def search(self, prompt: str) -> list[object]:
        found = self._table.search(" ".join(_WORDS.findall(prompt)), query_type="fts")
        return [row["number"] for row in found.select(["number", "_score"]).limit(K).to_list()]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._table = None


class RankBm25:
    """rank-bm25: in memory, scored against every text; an addition means building it again."""

    name = "rank-bm25"
    package = "rank_bm25"

    def __init__(self, folder: str) -> None:
        self._make = import_module("rank_bm25").BM25Okapi
        self._first = 0
        self._words: list[list[str]] = []
        self._model: Any = None

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._first = self._first if self._words else first
        self._words += [_WORDS.findall(text.lower()) for text in texts]
        self._model = self._make(self._words)

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        scores = self._model.get_scores(_WORDS.findall(prompt.lower()))
        return [self._first + int(at) for at in (-scores).argsort()[:K]]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._model = None


class Bm25s:
    """bm25s: in memory, scores computed when it is built; an addition means building it again."""

    name = "bm25s"
    package = "bm25s"

    def __init__(self, folder: str) -> None:
        self._bm25s = import_module("bm25s")
        self._first = 0
        self._texts: list[str] = []
        self._model: Any = None

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._first = self._first if self._texts else first
        self._texts += texts
        self._model = self._bm25s.BM25()
        self._model.index(self._bm25s.tokenize(self._texts, show_progress=False), show_progress=False)

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        words = self._bm25s.tokenize(prompt, show_progress=False)
        found, _ = self._model.retrieve(words, k=min(K, len(self._texts)), show_progress=False)
        return [self._first + int(at) for at in found[0]]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._model = None


AT_EVERY_SIZE: tuple[type[Any], ...] = (Ours, PlainFts5, Tantivy)
SMALL_ONLY: tuple[type[Any], ...] = (
    SqliteUtils,
    Whoosh,
    LanceDb,
    RankBm25,
    Bm25s,
    *DATABASE_RIVALS,
    *VECTOR_RIVALS,
    *MEMORY_RIVALS,
    *SERVER_RIVALS,
)


def is_there(system: type[Any]) -> bool:
    """Is what this system needs installed here?"""
    package = getattr(system, "package", "")
    try:
        return not package or find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def start(system: type[Any], folder: str, embedder: str) -> System:
    """A system in its folder; those that need an embedder get the one of that name."""
    started: System = system(folder, load(embedder)) if getattr(system, "embeds", False) else system(folder)
    return started
