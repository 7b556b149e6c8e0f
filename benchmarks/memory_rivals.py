"""Memory systems for agents, each storing texts as they are: no language model is asked."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import warnings
from contextlib import redirect_stdout
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.embedders import Embedder

K = 10


class Memori:
    """Memori on SQLite: facts of one person. Its Rust part downloads a model of its own, so its Python part runs."""

    name = "Memori"
    package = "memori"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        place = os.path.join(folder, "memori.db")
        self._memori = import_module("memori").Memori(
            conn=lambda: sqlite3.connect(place, check_same_thread=False), use_rust_core=False
        )
        self._memori.attribution(entity_id="one", process_id="speed")
        storage = self._memori.config.storage
        with redirect_stdout(sys.stderr):
            storage.build()
        self._facts = storage.driver.entity_fact
        self._person = storage.driver.entity.create("one")
        self._embed = embed
        recall: Any = import_module("memori.memory.recall")
        recall.embed_texts = lambda text, model: embed([text])

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._facts.create(self._person, list(texts), fact_embeddings=self._embed(texts))

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        return [fact.content for fact in self._memori.recall(prompt, limit=K)]

    def key(self, number: int, text: str) -> object:
        return text

    def close(self) -> None:
        self._memori.close()


class _MemPalace:
    """MemPalace: verbatim drawers of one room; its search ranks by vectors, then by both vectors and words."""

    package = "mempalace"
    embeds = True
    backend: str

    def __init__(self, folder: str, embed: Embedder) -> None:
        os.environ["HOME"] = folder  # it keeps its settings and locks there
        self._palace = os.path.join(folder, "palace")
        embedding: Any = import_module("mempalace.embedding")
        chosen = _as_chroma_calls_it(embed)
        embedding.get_embedding_function = lambda device=None, model=None: chosen
        make = import_module("mempalace.palace").get_collection
        self._drawers = make(self._palace, backend=self.backend)
        self._search = import_module("mempalace.searcher").search_memories

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        names = [str(number) for number in range(first, first + len(texts))]
        filed = datetime.now(UTC).isoformat()
        about = [{"wing": "speed", "room": "texts", "source_file": name, "filed_at": filed} for name in names]
        self._drawers.upsert(ids=names, documents=list(texts), metadatas=about)

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        found = self._search(prompt, self._palace, n_results=K)
        return [one["text"] for one in found["results"]]

    def key(self, number: int, text: str) -> object:
        return text

    def close(self) -> None:
        self._drawers = None


class MemPalaceChroma(_MemPalace):
    """MemPalace as it comes."""

    name = "MemPalace Chroma"
    backend = "chroma"


class MemPalaceSqlite(_MemPalace):
    """MemPalace without Chroma: every vector is compared."""

    name = "MemPalace SQLite"
    backend = "sqlite_exact"


def _as_chroma_calls_it(embed: Embedder) -> Any:
    """The embedder under the name that Chroma gives its own, which is the name that MemPalace insists on."""
    numpy = import_module("numpy")

    class Function(import_module("chromadb").EmbeddingFunction):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

        def __call__(self, input: list[str]) -> list[Any]:  # noqa: A002
            return [numpy.array(one, dtype=numpy.float32) for one in embed(input)]

        @staticmethod
        def name() -> str:
            return "default"

        def get_config(self) -> dict[str, Any]:
            return {}

        @staticmethod
        def build_from_config(config: dict[str, Any]) -> Any:
            return Function()

    return Function()


class Graphiti:
    """Graphiti on Kuzu: each text is the fact of an edge between two entities; its hybrid search over facts."""

    name = "Graphiti Kuzu"
    package = "graphiti_core"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
        os.environ["EMBEDDING_DIM"] = str(embed.dimensions)
        self._loop = asyncio.new_event_loop()
        with warnings.catch_warnings(action="ignore"):
            kuzu = import_module("graphiti_core.driver.kuzu_driver").KuzuDriver(os.path.join(folder, "graph.kuzu"))
        self._driver, self._embedder = kuzu, _graphiti_embedder(embed)
        os.environ.setdefault("OPENAI_API_KEY", "none")
        self._graphiti = import_module("graphiti_core").Graphiti(graph_driver=kuzu, embedder=self._embedder)
        self._nodes, self._edges = import_module("graphiti_core.nodes"), import_module("graphiti_core.edges")
        self._bulk = import_module("graphiti_core.utils.bulk_utils").add_nodes_and_edges_bulk
        for query in import_module("graphiti_core.graph_queries").get_fulltext_indices(kuzu.provider):
            self._wait(kuzu.execute_query(query))
        self._ends = [self._nodes.EntityNode(name=name, group_id="speed") for name in ("reader", "text")]
        self._wait(self._bulk(kuzu, [], [], self._ends, [], self._embedder))

    def _wait(self, what: Any) -> Any:
        return self._loop.run_until_complete(what)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._wait(self._bulk(self._driver, [], [], [], [self._edge(text) for text in texts], self._embedder))

    def _edge(self, text: str) -> Any:
        source, target = (node.uuid for node in self._ends)
        return self._edges.EntityEdge(
            source_node_uuid=source,
            target_node_uuid=target,
            name="NOTED",
            fact=text,
            group_id="speed",
            created_at=datetime.now(UTC),
        )

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        found = self._wait(self._graphiti.search(prompt, group_ids=["speed"], num_results=K))
        return [edge.fact for edge in found]

    def key(self, number: int, text: str) -> object:
        return text

    def close(self) -> None:
        self._loop.close()


def _graphiti_embedder(embed: Embedder) -> Any:
    client = import_module("graphiti_core.embedder").EmbedderClient

    class Client(client):  # type: ignore[misc,valid-type]
        async def create(self, input_data: Any) -> list[float]:
            return embed([input_data] if isinstance(input_data, str) else list(input_data))[0]

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            return embed(input_data_list)

    return Client()


MEMORY_RIVALS: tuple[type[Any], ...] = (Memori, MemPalaceChroma, MemPalaceSqlite, Graphiti)
