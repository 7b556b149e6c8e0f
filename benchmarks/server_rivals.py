"""Memory systems that bring a database or a web application with them; texts are kept as they are."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import signal
import subprocess
import tempfile
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.database_rivals import not_root

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.embedders import Embedder

K = 10


class Hindsight:
    """Hindsight with no language model, so that texts are kept as they are, and its ranks fused: no second model."""

    name = "Hindsight"
    package = "hindsight_api"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        os.environ["HINDSIGHT_API_LLM_PROVIDER"] = "none"
        os.environ["HINDSIGHT_API_RERANKER_PROVIDER"] = "rrf"
        self._loop = asyncio.new_event_loop()
        self._server = _EmbeddedPostgres(folder)
        self._package = import_module("hindsight_api")
        embedder = _hindsight_embedder(embed)
        self._engine = self._package.MemoryEngine(
            db_url=self._server.address, embeddings=embedder, skip_llm_verification=True
        )
        self._who = import_module("hindsight_api.models").RequestContext()
        self._wait(self._engine.initialize())

    def _wait(self, what: Any) -> Any:
        return self._loop.run_until_complete(what)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        contents = [{"content": text, "document_id": str(number)} for number, text in enumerate(texts, first)]
        self._wait(self._engine.retain_batch_async("speed", contents, request_context=self._who))

    def add(self, number: int, text: str) -> None:
        self.add_many(number, [text])

    def search(self, prompt: str) -> list[object]:
        found = self._wait(self._engine.recall_async("speed", prompt, request_context=self._who))
        return [int(fact.document_id) for fact in found.results[:K]]

    def key(self, number: int, text: str) -> object:
        return number

    def close(self) -> None:
        self._wait(self._engine.close())
        self._loop.close()
        self._server.stop()


def _hindsight_embedder(embed: Embedder) -> Any:
    parent = import_module("hindsight_api.engine.embeddings").Embeddings

    class Embeddings(parent):  # type: ignore[misc,valid-type]
        provider_name = "speed"
        dimension = embed.dimensions

        async def initialize(self) -> None:
            pass

        async def encode(self, texts: list[str]) -> list[list[float]]:
            return embed(texts)

    return Embeddings()


class _EmbeddedPostgres:
    """The server that comes with Hindsight, pgvector included."""

    def __init__(self, folder: str) -> None:
        self._program = os.path.join(os.path.dirname(str(import_module("pg0").__file__)), "bin", "pg0")
        self._who = not_root(folder) | {"env": os.environ | {"HOME": folder}}
        self._run("start", "--username", "speed", "--password", "speed", "--database", "speed")
        started = json.loads(self._run("info", "--output", "json"))
        self.address, self._process_id = str(started["uri"]), int(started["pid"])
        atexit.register(self.stop)

    def stop(self) -> None:
        """End the server; by its process, since the folder may be gone when the run was broken off."""
        atexit.unregister(self.stop)
        try:
            os.kill(self._process_id, signal.SIGINT)
            while True:
                os.kill(self._process_id, 0)
                time.sleep(0.1)
        except ProcessLookupError:
            pass

    def _run(self, *arguments: str) -> str:
        # Files, not pipes: the server inherits them and keeps them open.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            done = subprocess.run([self._program, *arguments], stdout=out, stderr=err, **self._who)
            out.seek(0)
            err.seek(0)
            if done.returncode:
                raise OSError(" ".join(err.read().split()))
            return out.read()


class BasicMemory:
    """Basic Memory: each text is a note that its tools write as a file and index, words and vectors."""

    name = "Basic Memory"
    package = "basic_memory"
    embeds = True

    def __init__(self, folder: str, embed: Embedder) -> None:
        os.environ |= {
            "BASIC_MEMORY_HOME": os.path.join(folder, "notes"),
            "BASIC_MEMORY_CONFIG_DIR": os.path.join(folder, "config"),
            "BASIC_MEMORY_FORCE_LOCAL": "true",
            "BASIC_MEMORY_SYNC_CHANGES": "false",
        }
        provider = _NoteEmbedder(embed)
        for module in ("search_repository", "sqlite_search_repository"):
            place: Any = import_module(f"basic_memory.repository.{module}")
            place.create_embedding_provider = lambda config: provider
        self._loop = asyncio.new_event_loop()
        server, tools = import_module("basic_memory.mcp.server"), import_module("basic_memory.mcp.tools")
        import_module("loguru").logger.remove()
        self._tools = tools
        self._running = server.lifespan(server.mcp)
        self._wait(self._running.__aenter__())
        self.search("anything")

    def _wait(self, what: Any) -> Any:
        return self._loop.run_until_complete(what)

    def add_many(self, first: int, texts: Sequence[str]) -> None:
        self._wait(self._write(first, texts))

    def add(self, number: int, text: str) -> None:
        self._wait(self._write(number, [text]))

    async def _write(self, first: int, texts: Sequence[str]) -> None:
        """Write notes, and wait until their files and vectors are written too, as its commands do."""
        for number, text in enumerate(texts, first):
            await self._tools.write_note(title=str(number), content=text, directory="texts")
        await import_module("basic_memory.index.note_content_materialization").drain_pending_materializations()
        await import_module("basic_memory.index.local_schedulers").drain_background_tasks()

    def search(self, prompt: str) -> list[object]:
        found = self._wait(self._tools.search_notes(query=prompt, page_size=K, output_format="json"))
        if isinstance(found, str):
            raise RuntimeError(" ".join(found.partition("\n## ")[0].split()))
        return [one["title"] for one in found["results"]]

    def key(self, number: int, text: str) -> object:
        return str(number)

    def close(self) -> None:
        self._wait(self._running.__aexit__(None, None, None))
        self._loop.close()


class _NoteEmbedder:
    """The embedder as Basic Memory calls it."""

    model_name = "speed"

    def __init__(self, embed: Embedder) -> None:
        self._embed = embed
        self.dimensions = embed.dimensions

    async def embed_query(self, text: str) -> list[float]:
        return self._embed([text])[0]

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embed(texts)

    def runtime_log_attrs(self) -> dict[str, Any]:
        return {}


SERVER_RIVALS: tuple[type[Any], ...] = (Hindsight, BasicMemory)
