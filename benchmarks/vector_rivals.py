"""Rivals that rank by vectors, with a real embedder: the static vectors of the extra `semantic`, without a network."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.sessions.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

K = 10
DIMENSIONS = 256
_SPACE = ("texts",)


class Embedder:
    """Texts as vectors of length one."""

    def __init__(self) -> None:
        vectors = Vectors.load()
        if vectors is None:
            raise ImportError("recollect[semantic] is not installed")
        self._vectors = vectors

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        numpy = import_module("numpy")
        found = []
        for data in self._vectors.embed(texts):
            one = numpy.frombuffer(data or b"\1" * DIMENSIONS, dtype=numpy.int8).astype(numpy.float32)
            found.append((one / numpy.linalg.norm(one)).tolist())
        return found


class Chroma:
    """A persistent collection; texts are embedded when they are added, prompts when they are asked."""

    name = "Chroma"
    package = "chromadb"

    def __init__(self, folder: str) -> None:
        chromadb = import_module("chromadb")
        settings = chromadb.config.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(path=os.path.join(folder, "chroma"), settings=settings)
        self._texts = client.create_collection("texts", embedding_function=None, metadata={"hnsw:space": "cosine"})
        self._embed = Embedder()

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


def _index() -> dict[str, Any]:
    embed = Embedder()
    return {"dims": DIMENSIONS, "embed": lambda texts: embed(texts), "fields": ["text"]}


class LangGraphMemory(_LangGraph):
    """LangGraph's store in memory: every text is compared."""

    name = "LangGraph memory"
    package = "langgraph"

    def __init__(self, folder: str) -> None:
        super().__init__(import_module("langgraph.store.memory").InMemoryStore(index=_index()))


class LangGraphSqlite(_LangGraph):
    """LangGraph's store on SQLite with sqlite-vec."""

    name = "LangGraph SQLite"
    package = "langgraph.store.sqlite"

    def __init__(self, folder: str) -> None:
        sqlite = import_module("langgraph.store.sqlite")
        self._context = sqlite.SqliteStore.from_conn_string(os.path.join(folder, "store.db"), index=_index())
        store = self._context.__enter__()
        store.setup()
        super().__init__(store)

    def close(self) -> None:
        self._context.__exit__(None, None, None)


class Langmem(_LangGraph):
    """langmem's own tools over LangGraph's store in memory: what an agent calls."""

    name = "langmem"
    package = "langmem"

    def __init__(self, folder: str) -> None:
        langmem = import_module("langmem")
        index = {**_index(), "fields": ["content"]}
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

    def __init__(self, folder: str) -> None:
        llm = import_module("llm")
        base = import_module("sqlite_utils").Database(os.path.join(folder, "embeddings.db"))
        embed = Embedder()

        class Static(llm.EmbeddingModel):  # type: ignore[misc,name-defined]
            model_id = "static"

            def embed_batch(self, texts: Any) -> list[list[float]]:
                return embed(list(texts))

        self._texts = llm.Collection("texts", base, model=Static())

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


class Mem0:
    """mem0 with FAISS, each text stored as it is (`infer=False`): a language model must be named, but is not asked."""

    name = "mem0 FAISS"
    package = "mem0"

    def __init__(self, folder: str) -> None:
        os.environ["MEM0_TELEMETRY"] = "false"
        os.environ["MEM0_DIR"] = os.path.join(folder, "mem0")
        named = {"provider": "openai", "config": {"api_key": "none"}}
        place = {"collection_name": "texts", "path": os.path.join(folder, "faiss"), "embedding_model_dims": DIMENSIONS}
        self._memory = import_module("mem0").Memory.from_config(
            {
                "llm": named,
                "embedder": named,
                "vector_store": {"provider": "faiss", "config": place},
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )
        self._memory.embedding_model = _OneByOne()

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

    def __init__(self) -> None:
        self._embed = Embedder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._embed([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return self._embed(texts)


class DuckDb:
    """DuckDB without its extension for full text, which it downloads: every text is counted against the prompt."""

    name = "DuckDB scan"
    package = "duckdb"

    def __init__(self, folder: str) -> None:
        self._base = import_module("duckdb").connect(os.path.join(folder, "texts.duckdb"))
        self._base.execute("CREATE TABLE texts (number BIGINT, content TEXT, words TEXT[])")

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        rows = [[number, text, text.lower()] for number, text in enumerate(texts, first)]
        sql = "INSERT INTO texts SELECT ?, ?, list_distinct(string_split_regex(?, '[^a-z0-9]+'))"
        self._base.execute("BEGIN")
        self._base.executemany(sql, rows)
        self._base.execute("COMMIT")

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        sql = (
            "WITH asked AS (SELECT list_distinct(string_split_regex(?, '[^a-z0-9]+')) AS words) "
            "SELECT number FROM texts, asked ORDER BY len(list_intersect(texts.words, asked.words)) DESC LIMIT ?"
        )
        return [number for (number,) in self._base.execute(sql, [prompt.lower(), K]).fetchall()]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._base.close()


VECTOR_RIVALS: tuple[type[Any], ...] = (Chroma, LangGraphMemory, LangGraphSqlite, Langmem, Llm, Mem0)
