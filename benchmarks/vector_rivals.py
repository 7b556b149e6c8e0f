"""Stores that rank by vectors, each with the embedder of the run, as their own users call them."""

from __future__ import annotations

import os
import sqlite3
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.embedders import Embedder

K = 10
_SPACE = ("texts",)


class Chroma:
    """A persistent collection; texts are embedded when they are added, prompts when they are asked."""

    name = "Chroma"
    package = "chromadb"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        chromadb = import_module("chromadb")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(path=os.path.join(folder, "chroma"), settings=settings)
        self._texts = client.create_collection("texts", embedding_function=None, metadata={"hnsw:space": "cosine"})
        self._embed = embed

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        names = [str(number) for number in range(first, first + len(texts))]
        self._texts.add(ids=names, documents=list(texts), embeddings=self._embed(texts))

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        found = self._texts.query(query_embeddings=self._embed([prompt]), n_results=K)
        return [int(name) for name in found["ids"][0]]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._texts = None


class _LangGraph:
    """A LangGraph store with an index over the text."""

    embeds = True

    def __init__(self, store: Any) -> None:
        self._store = store

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        ops = import_module("langgraph.store.base").PutOp
        self._store.batch([ops(_SPACE, str(number), {"text": text}) for number, text in enumerate(texts, first)])

    def add(self, number: int, text: str) -> None:
        self._store.put(_SPACE, str(number), {"text": text})

    def search(self, prompt: str) -> list[object]:
        return [int(item.key) for item in self._store.search(_SPACE, query=prompt, limit=K)]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._store = None


def _index(embed: Embedder) -> dict[str, Any]:
    return {"dims": embed.dimensions, "embed": lambda texts: embed(texts), "fields": ["text"]}


class LangGraphMemory(_LangGraph):
    """LangGraph's store in memory: every text is compared."""

    name = "LangGraph memory"
    package = "langgraph"

    def __init__(self, folder: str, embed: Embedder) -> None:
        super().__init__(import_module("langgraph.store.memory").InMemoryStore(index=_index(embed)))


class LangGraphSqlite(_LangGraph):
    """LangGraph's store on SQLite with sqlite-vec; a Python whose sqlite3 loads no extensions needs pysqlite3."""

    name = "LangGraph SQLite"
    package = "langgraph.store.sqlite"

    def __init__(self, folder: str, embed: Embedder) -> None:
        module = sqlite3 if hasattr(sqlite3.Connection, "enable_load_extension") else import_module("pysqlite3")
        place = os.path.join(folder, "store.db")
        self._base = module.connect(place, check_same_thread=False, isolation_level=None)
        store = import_module("langgraph.store.sqlite").SqliteStore(self._base, index=_index(embed))
        store.setup()
        super().__init__(store)

    def close(self) -> None:
        self._base.close()


class Langmem(_LangGraph):
    """langmem's own tools over LangGraph's store in memory: what an agent calls."""

    name = "langmem"
    package = "langmem"

    def __init__(self, folder: str, embed: Embedder) -> None:
        langmem = import_module("langmem")
        index = {**_index(embed), "fields": ["content"]}
        super().__init__(import_module("langgraph.store.memory").InMemoryStore(index=index))
        self._manage = langmem.create_manage_memory_tool(_SPACE, store=self._store)
        self._ask = langmem.create_search_memory_tool(_SPACE, store=self._store, response_format="content_and_artifact")

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        for text in texts:
            self._manage.invoke({"content": text, "action": "create"})

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        call = {"name": "search_memory", "args": {"query": prompt, "limit": K}, "id": "1", "type": "tool_call"}
        return [item.value["content"] for item in self._ask.invoke(call).artifact]

    def key(self, number: int, text: str) -> object:
        return text


class Llm:
    """The collections of `llm`, embedded by its own interface for models."""

    name = "llm embeddings"
    package = "llm"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        llm = import_module("llm")
        base = import_module("sqlite_utils").Database(os.path.join(folder, "embeddings.db"))

        class Model(llm.EmbeddingModel):  # type: ignore[misc,name-defined]
            model_id = "one"

            def embed_batch(self, texts: Any) -> list[list[float]]:
                return embed(list(texts))

        self._texts = llm.Collection("texts", base, model=Model())

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._texts.embed_multi(((str(number), text) for number, text in enumerate(texts, first)), store=True)

    def add(self, number: int, text: str) -> None:
        self._texts.embed(str(number), text, store=True)

    def search(self, prompt: str) -> list[object]:
        return [int(entry.id) for entry in self._texts.similar(prompt, K)]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._texts = None


class _Mem0:
    """mem0, each text stored as it is (`infer=False`): a language model must be named, but is not asked."""

    package = "mem0"
    store: str
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        os.environ["MEM0_TELEMETRY"] = "false"
        os.environ["MEM0_DIR"] = os.path.join(folder, "mem0")
        named = {"provider": "openai", "config": {"api_key": "none"}}
        place = os.path.join(folder, self.store)
        vectors = {"collection_name": "texts", "path": place, "embedding_model_dims": embed.dimensions}
        self._memory = import_module("mem0").Memory.from_config(
            {
                "llm": named,
                "embedder": named,
                "vector_store": {"provider": self.store, "config": vectors},
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )
        self._memory.embedding_model = _OneByOne(embed)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        for text in texts:
            self._memory.add(text, user_id="one", infer=False)

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        found = self._memory.search(prompt, filters={"user_id": "one"}, top_k=K)
        return [one["memory"] for one in found["results"]]

    def key(self, number: int, text: str) -> object:
        return text

    def close(self) -> None:
        self._memory = None


class _OneByOne:
    """The embedder as mem0 calls it."""

    def __init__(self, embed: Embedder) -> None:
        self._embed = embed

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._embed([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return self._embed(texts)


class Mem0Faiss(_Mem0):
    """mem0 on FAISS: vectors alone, without its keyword search."""

    name = "mem0 FAISS"
    store = "faiss"


class Mem0Qdrant(_Mem0):
    """mem0 on its default, Qdrant in the same process."""

    name = "mem0 Qdrant"
    store = "qdrant"


VECTOR_RIVALS: tuple[type[Any], ...] = (
    Chroma,
    LangGraphMemory,
    LangGraphSqlite,
    Langmem,
    Llm,
    Mem0Faiss,
    Mem0Qdrant,
)
