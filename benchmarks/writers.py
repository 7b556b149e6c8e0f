"""Many processes on one memory: what they add together, beside one process alone and beside bare SQLite, in one run.

`python -m benchmarks.writers [--seconds 30] [--processes 16] [--json]`
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import re
import sqlite3
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.corpus import Corpus
from benchmarks.measuring import MILLISECONDS, percentile, ratio
from recollect import Recollect
from recollect.errors import StoreBusy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Event

PRELOADED = 1_000  # entries that are there before anybody starts
STRIDE = 1_000_000  # sentences of one process start this far from those of the next
VOCABULARY = 20_000
WAIT_SECONDS = 30.0  # how long SQLite waits for a lock; ours waits as long
ALONE_SHARE = 6  # a process alone runs a sixth of the time, half of it before and half of it after the others
QUERY_WORDS = 12
LEAST_SHARE = 0.5
_WORDS = re.compile(r"[A-Za-z0-9]+")


class Writing(Protocol):
    """A memory that a process adds to and asks. What `add` returns from is on disk."""

    locked: tuple[type[Exception], ...]

    def add_many(self, texts: Sequence[str]) -> None: ...

    def add(self, number: int, text: str) -> str:
        """Store a text; the key that finds it again."""
        ...

    def search(self, prompt: str) -> object: ...

    def keys(self) -> set[str]:
        """Everything that is stored."""
        ...

    def close(self) -> None: ...


class Ours:
    """`remember`, durable, with everything it does, and `recall` with its receipt."""

    name = "recollect"
    locked = (StoreBusy,)

    def __init__(self, folder: str) -> None:
        home = os.path.join(folder, "home")
        self._memory = Recollect.open(home, folder=folder, environ={"HOME": folder}, wait_seconds=WAIT_SECONDS)

    def add_many(self, texts: Sequence[str]) -> None:
        self._memory.remember_many(texts, scope="user")

    def add(self, number: int, text: str) -> str:
        return self._memory.remember(text, scope="user").entry_id

    def search(self, prompt: str) -> object:
        return self._memory.recall(prompt)

    def keys(self) -> set[str]:
        return {entry.entry_id for entry in self._memory.entries.list(everywhere=True)}

    def close(self) -> None:
        self._memory.close()


class Bare:
    """SQLite and nothing else: WAL, a busy timeout, BEGIN IMMEDIATE, synchronous FULL, one row of FTS5."""

    name = "raw FTS5"
    locked = (sqlite3.OperationalError,)

    def __init__(self, folder: str) -> None:
        path = os.path.join(folder, "plain.db")
        self._base = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (content)")

    def add_many(self, texts: Sequence[str]) -> None:
        self._insert(list(enumerate(texts, 1)))

    def add(self, number: int, text: str) -> str:
        self._insert([(number, text)])
        return str(number)

    def _insert(self, rows: list[tuple[int, str]]) -> None:
        self._base.execute("BEGIN IMMEDIATE")
        self._base.executemany("INSERT INTO texts (rowid, content) VALUES (?, ?)", rows)
        self._base.execute("COMMIT")

    def search(self, prompt: str) -> object:
        match = " OR ".join(f'"{word}"' for word in _WORDS.findall(prompt))
        sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10"
        return self._base.execute(sql, (match,)).fetchall()

    def keys(self) -> set[str]:
        return {str(number) for (number,) in self._base.execute("SELECT rowid FROM texts")}

    def close(self) -> None:
        self._base.close()


SYSTEMS: dict[str, type[Any]] = {one.name: one for one in (Ours, Bare)}


def main(arguments: list[str] | None = None) -> int:
    """Run and print; a missed target is shown, not punished: a busy machine misses some."""
    options = _options(arguments)
    document = run(seconds=options.seconds, processes=options.processes)
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(*, seconds: float, processes: int) -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    alone = seconds / ALONE_SHARE
    found: dict[str, dict[str, list[dict[str, Any]]]] = {name: {} for name in SYSTEMS}
    phases = [("adding", 1, alone / 2), ("mixed", 1, alone / 2)]
    # Alone before and after: a machine that gets busier in between slows both sides of the ratio.
    for phase, count, length in [*phases, ("together", processes, seconds), *phases]:
        for name in SYSTEMS:
            _say(f"{name}: {count} {'process' if count == 1 else 'processes'}, {phase}, {length:.1f} s")
            found[name].setdefault(phase, []).append(_phase(name, count, length, mixed=phase != "adding"))
    systems = {name: _summed(phases) for name, phases in found.items()}
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(),
        "seconds": seconds,
        "processes": processes,
        "systems": systems,
        "targets": _targets(systems["recollect"]),
    }


def _phase(name: str, count: int, seconds: float, *, mixed: bool) -> dict[str, Any]:
    """So many processes on one new memory; what they did, and what of it is there afterwards."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="recollect-writers-") as folder:
        _preload(name, folder)
        go, results = context.Event(), context.Queue()
        ready = context.Semaphore(0)
        workers = [
            context.Process(target=_work, args=(name, folder, number, seconds, mixed, ready, go, results))
            for number in range(1, count + 1)
        ]
        for worker in workers:
            worker.start()
        for _ in workers:
            ready.acquire()
        go.set()
        done = [results.get(timeout=seconds + 10 * WAIT_SECONDS) for _ in workers]
        for worker in workers:
            worker.join()
        system: Writing = SYSTEMS[name](folder)
        acknowledged = [key for one in done for key in one["keys"]]
        lost = len(set(acknowledged) - system.keys())
        system.close()
    adds = [took for one in done for took in one["adds"]]
    return {
        "seconds": seconds,
        "adds": len(adds),
        "recalls": sum(one["recalls"] for one in done),
        "lock_errors": sum(one["lock_errors"] for one in done),
        "lost": lost,
        "took": adds,
    }


def _preload(name: str, folder: str) -> None:
    system: Writing = SYSTEMS[name](folder)
    system.add_many(list(Corpus(vocabulary=VOCABULARY).sentences(0, PRELOADED)))
    system.close()


def _work(
    name: str, folder: str, number: int, seconds: float, mixed: bool, ready: Any, go: Event, results: Queue[Any]
) -> None:
    """One process: add, and when mixed recall with words of what was added; until the time is over."""
    system: Writing = SYSTEMS[name](folder)
    texts = _texts(number)
    keys: list[str] = []
    adds: list[float] = []
    recalls = lock_errors = 0
    first = next(texts)  # made before the start: a block of sentences takes a while
    ready.release()
    go.wait()
    until = time.monotonic() + seconds
    place, text = number * STRIDE, first
    while time.monotonic() < until:
        began = time.perf_counter()
        try:
            keys.append(system.add(place, text))
            adds.append((time.perf_counter() - began) * MILLISECONDS)
            if mixed:
                system.search(" ".join(text.split()[:QUERY_WORDS]))
                recalls += 1
        except system.locked:
            lock_errors += 1
        place, text = place + 1, next(texts)
    system.close()
    results.put({"keys": keys, "adds": adds, "recalls": recalls, "lock_errors": lock_errors})


def _texts(number: int) -> Iterator[str]:
    return Corpus(vocabulary=VOCABULARY).sentences(number * STRIDE, (number + 1) * STRIDE)


def _summed(phases: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The phases of one system, each with its rate, and what all add together as a share of what one adds alone."""
    found: dict[str, Any] = {}
    for phase, runs in phases.items():
        took = [one for run in runs for one in run["took"]] or [0.0]
        seconds = sum(run["seconds"] for run in runs)
        found[phase] = {
            "adds_per_second": round(sum(run["adds"] for run in runs) / seconds, 1),
            "recalls_per_second": round(sum(run["recalls"] for run in runs) / seconds, 1),
            "add_ms_p50": round(percentile(took, 50), 2),
            "add_ms_p99": round(percentile(took, 99), 2),
            "add_ms_worst": round(max(took), 1),
            "lock_errors": sum(run["lock_errors"] for run in runs),
            "lost": sum(run["lost"] for run in runs),
        }
    together = found["together"]["adds_per_second"]
    found["share_of_adding_alone"] = ratio(together, found["adding"]["adds_per_second"])
    found["share_of_mixed_alone"] = ratio(together, found["mixed"]["adds_per_second"])
    return found


def _targets(ours: dict[str, Any]) -> list[dict[str, Any]]:
    share = ours["share_of_mixed_alone"]
    errors, lost = ours["together"]["lock_errors"], ours["together"]["lost"]
    return [
        {
            "target": "adds together / one process doing the same",
            "at_least": LEAST_SHARE,
            "value": share,
            "met": share >= LEAST_SHARE,
        },
        {"target": "lock errors", "at_most": 0, "value": errors, "met": errors == 0},
        {"target": "acknowledged and lost", "at_most": 0, "value": lost, "met": lost == 0},
    ]


def table(document: dict[str, Any]) -> str:
    """The document for people."""
    lines = [
        f"Python {document['python']}, SQLite {document['sqlite']}, {document['cores']} cores, "
        f"{document['processes']} processes, {document['seconds']:g} s",
        "",
        f"{'':<27}{'adds/s':>7}{'recalls/s':>10}{'p50 ms':>8}{'p99 ms':>8}{'worst':>8}{'locked':>7}{'lost':>5}",
    ]
    names = {"adding": "alone, adding", "mixed": "alone, mixed", "together": "together, mixed"}
    for system, found in document["systems"].items():
        for phase, label in names.items():
            one = found[phase]
            lines.append(
                f"{system + ' ' + label:<27}{one['adds_per_second']:>7.0f}{one['recalls_per_second']:>10.0f}"
                f"{one['add_ms_p50']:>8.1f}{one['add_ms_p99']:>8.1f}{one['add_ms_worst']:>8.0f}"
                f"{one['lock_errors']:>7}{one['lost']:>5}"
            )
        lines.append(
            f"  together / alone: {found['share_of_adding_alone']:.2f} of adding, "
            f"{found['share_of_mixed_alone']:.2f} of mixed"
        )
    lines += ["", f"{'target':<48}{'limit':>12}{'value':>10}"]
    for one in document["targets"]:
        limit = f"<= {one['at_most']:g}" if "at_most" in one else f">= {one['at_least']:g}"
        lines.append(f"{one['target']:<48}{limit:>12}{one['value']:>10.4g}  {'met' if one['met'] else 'MISSED'}")
    return "\n".join(lines)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.writers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="how long the processes write together")
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
