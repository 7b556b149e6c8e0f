"""The service under load: readers and writers at once on loopback, beside plain SQLite behind the same web server, and
beside Chroma's server where that is installed.

`python -m benchmarks.serve [--readers 200] [--writers 20] [--seconds 20] [--entries 10000] [--json]`
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from benchmarks.corpus import Corpus
from benchmarks.measuring import MILLISECONDS, percentile
from recollect import Recollect

READERS, WRITERS, SECONDS, ENTRIES = 200, 20, 20.0, 10_000
PROMPTS = 200
FACTS = 20_000  # that writers have to say
OURS, PLAIN, CHROMA = "recollect", "plain SQLite behind uvicorn", "Chroma"
PATIENCE_SECONDS = 60.0
VECTOR = 8  # numbers: what a server does around its vectors is measured, not an embedder
# The least that a memory behind a web server can be: one table with full text, one connection per thread.
PLAIN_SERVER = """
import json, re, sqlite3, sys, threading
import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse
from starlette.routing import Route

here = threading.local()

def connection():
    if not hasattr(here, "database"):
        here.database = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
    return here.database

def search(text):
    words = " OR ".join(f'"{word}"' for word in re.findall(r"[A-Za-z0-9_]+", text))
    rows = connection().execute("SELECT content FROM facts WHERE facts MATCH ? ORDER BY bm25(facts) LIMIT 8", (words,))
    return [row[0] for row in rows]

def add(text):
    connection().execute("INSERT INTO facts (content) VALUES (?)", (text,))

async def read(request):
    return JSONResponse(await run_in_threadpool(search, (await request.json())["query"]))

async def write(request):
    await run_in_threadpool(add, (await request.json())["fact"])
    return JSONResponse({"status": "stored"}, 201)

app = Starlette(routes=[Route("/read", read, methods=["POST"]), Route("/write", write, methods=["POST"])])
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)
"""


@dataclass
class Target:
    """A server, and how it is asked and told."""

    port: int
    read: Callable[[str], tuple[str, dict[str, Any]]]
    write: Callable[[int], tuple[str, dict[str, Any]]]
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Load:
    """What became of every request, in milliseconds."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def summary(self, seconds: float) -> dict[str, Any]:
        """Rates, medians and tails, and how many requests failed."""
        told: dict[str, Any] = {"errors": len(self.errors), "first_error": self.errors[0] if self.errors else ""}
        for name, values in (("read", self.reads), ("write", self.writes)):
            told[name] = {
                "count": len(values),
                "per_second": round(len(values) / seconds, 1),
                **{f"p{share}_ms": round(percentile(values, share), 1) if values else None for share in (50, 99)},
            }
        return told


def main(arguments: list[str] | None = None) -> int:
    """Run and print."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="recollect-serve-") as folder:
        document = run(
            folder,
            readers=options.readers,
            writers=options.writers,
            seconds=options.seconds,
            entries=options.entries,
        )
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(
    folder: str,
    *,
    readers: int = READERS,
    writers: int = WRITERS,
    seconds: float = SECONDS,
    entries: int = ENTRIES,
) -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    corpus = Corpus()
    sentences, prompts = list(corpus.sentences(0, entries)), [one.text for one in corpus.prompts(entries, PROMPTS)]
    facts = list(corpus.sentences(entries, entries + FACTS))
    started = {OURS: _ours, PLAIN: _plain}
    missing = [] if find_spec("chromadb") and shutil.which("chroma") else [CHROMA]
    if not missing:
        started[CHROMA] = _chroma
    systems: dict[str, Any] = {}
    for name, start in started.items():
        place = os.path.join(folder, re.sub(r"\W", "", name))
        os.makedirs(place)
        server, target = start(place, sentences, facts)
        try:
            load = asyncio.run(_driven(target, prompts, readers=readers, writers=writers, seconds=seconds))
        finally:
            server.terminate()
            server.wait(timeout=PATIENCE_SECONDS)
        systems[name] = load.summary(seconds)
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "readers": readers,
        "writers": writers,
        "seconds": seconds,
        "entries": entries,
        "systems": systems,
        "missing": missing,
        "met": systems[OURS]["errors"] == 0,
    }


def _ours(folder: str, sentences: list[str], facts: list[str]) -> tuple[subprocess.Popen[str], Target]:
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")},
        "RECOLLECT_HOME": os.path.join(folder, "home"),
        "RECOLLECT_SERVE__REQUESTS_PER_MINUTE": "1000000",
    }
    with Recollect.open(folder=folder, environ=environ) as memory:
        memory.remember_many(sentences, scope="user")
        _, secret = memory.tokens.add("benchmark", "write")
    server = subprocess.Popen(
        [sys.executable, "-m", "recollect", "serve", "--port", "0"],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    found = re.search(r":(\d+);", server.stderr.readline())
    assert found, "the server did not start"
    return server, Target(
        int(found[1]),
        lambda prompt: ("/v1/user/recall", {"query": prompt}),
        lambda number: ("/v1/repositories/benchmark/memories", {"fact": facts[number % len(facts)]}),
        {"Authorization": f"Bearer {secret}"},
    )


def _plain(folder: str, sentences: list[str], facts: list[str]) -> tuple[subprocess.Popen[str], Target]:
    path, port = os.path.join(folder, "plain.db"), _free_port()
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE VIRTUAL TABLE facts USING fts5 (content)")
    database.executemany("INSERT INTO facts (content) VALUES (?)", [(one,) for one in sentences])
    database.commit()
    database.close()
    server = subprocess.Popen([sys.executable, "-c", PLAIN_SERVER, path, str(port)], text=True)
    return server, Target(
        port,
        lambda prompt: ("/read", {"query": prompt}),
        lambda number: ("/write", {"fact": facts[number % len(facts)]}),
    )


def _chroma(folder: str, sentences: list[str], facts: list[str]) -> tuple[subprocess.Popen[str], Target]:
    from importlib import import_module

    port = _free_port()
    server = subprocess.Popen(
        ["chroma", "run", "--path", folder, "--port", str(port)], stdout=subprocess.DEVNULL, text=True
    )
    asyncio.run(_listening(port))
    client = import_module("chromadb").HttpClient(host="127.0.0.1", port=port)
    kept = client.create_collection("facts")
    for start in range(0, len(sentences), 1_000):
        some = sentences[start : start + 1_000]
        names = [str(number) for number in range(start, start + len(some))]
        kept.add(ids=names, documents=some, embeddings=[_vector(one) for one in some])
    place = f"/api/v2/tenants/default_tenant/databases/default_database/collections/{kept.id}"
    return server, Target(
        port,
        lambda prompt: (f"{place}/query", {"query_embeddings": [_vector(prompt)], "n_results": 8}),
        lambda number: (
            f"{place}/add",
            {
                "ids": [f"n{number}"],
                "documents": [facts[number % len(facts)]],
                "embeddings": [_vector(facts[number % len(facts)])],
            },
        ),
    )


def _vector(text: str) -> list[float]:
    return [((hash((text, place)) % 2_000) - 1_000) / 1_000 for place in range(VECTOR)]


async def _driven(target: Target, prompts: list[str], *, readers: int, writers: int, seconds: float) -> Load:
    """Everybody asks again as soon as they are answered."""
    load, asked, told = Load(), itertools.count(), itertools.count()
    await _listening(target.port)
    end = time.perf_counter() + seconds
    reading = [
        _asking(target, lambda at=at: target.read(prompts[(at + next(asked)) % len(prompts)]), load.reads, load, end)  # type: ignore[misc]
        for at in range(readers)
    ]
    writing = [_asking(target, lambda: target.write(next(told)), load.writes, load, end) for _ in range(writers)]
    await asyncio.gather(*reading, *writing)
    return load


async def _asking(
    target: Target, request: Callable[[], tuple[str, dict[str, Any]]], taken: list[float], load: Load, end: float
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
    try:
        while time.perf_counter() < end:
            path, body = request()
            began = time.perf_counter()
            status = await asyncio.wait_for(_answered(reader, writer, target, path, body), PATIENCE_SECONDS)
            taken.append((time.perf_counter() - began) * MILLISECONDS)
            if not 200 <= status < 300:
                load.errors.append(f"{status} {path}")
    except (OSError, EOFError, ValueError, TimeoutError) as error:
        load.errors.append(f"{type(error).__name__}: {error}")
    finally:
        writer.close()


async def _answered(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: Target, path: str, body: dict[str, Any]
) -> int:
    """One request over a connection that stays; its status."""
    data = json.dumps(body).encode()
    headers = {"Host": f"127.0.0.1:{target.port}", "Content-Type": "application/json", **target.headers}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, f"Content-Length: {len(data)}", "", ""]).encode() + data)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = re.search(r"content-length: (\d+)", head.lower())
    await reader.readexactly(int(length[1]) if length else 0)
    return int(head.split(" ", 2)[1])


async def _listening(port: int) -> None:
    """Wait until somebody listens there."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def table(document: dict[str, Any]) -> str:
    """The same for a reader."""
    who = f"{document['readers']} readers, {document['writers']} writers"
    lines = [f"{who:32} {'reads/s':>8} {'p50':>7} {'p99':>7} {'writes/s':>9} {'p50':>7} {'p99':>7} {'errors':>7}"]
    for name, told in document["systems"].items():
        cells = [told[what][key] for what in ("read", "write") for key in ("per_second", "p50_ms", "p99_ms")]
        shown = ["-" if cell is None else f"{cell:.0f}" for cell in cells]
        widths = (8, 7, 7, 9, 7, 7)
        row = " ".join(f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=True))
        lines.append(f"{name:32} {row} {told['errors']:>7}")
    lines += [f"{name:32} is not installed" for name in document["missing"]]
    lines.append(f"milliseconds; no error: {'met' if document['met'] else 'missed'}")
    return "\n".join(lines)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readers", type=int, default=READERS)
    parser.add_argument("--writers", type=int, default=WRITERS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
