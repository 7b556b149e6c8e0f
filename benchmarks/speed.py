"""How fast remembering and recalling are, beside raw FTS5, tantivy and other packages, in one run.

`python -m benchmarks.speed [--sizes 1000,10000,100000,1000000] [--rivals tantivy,bm25s] [--embedder static|minilm]
[--json]`
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sqlite3
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

from benchmarks.apart import Apart, Failed
from benchmarks.corpus import BLOCK, SEED, Corpus, Prompt
from benchmarks.embedders import EMBEDDERS, why_not
from benchmarks.measuring import Answer, Timings, folder_bytes, memory_of_recall
from benchmarks.rivals import AT_EVERY_SIZE, HOME, SMALL_ONLY, Ours, is_there
from benchmarks.verdicts import judged, table

SIZES = (1_000, 10_000, 100_000, 1_000_000)
LARGEST_FOR_ALL = 1_000  # rivals that score every text, or rebuild on every addition, are run up to here
QUERIES = 200
SINGLE_ADDS = 100
BULK = 10_000
AT_A_TIME = 20  # prompts, before the next system is asked
DEFAULT_EMBEDDER = "static"
SPARE = 10_000_000  # single additions are sentences from here on: never among the targets


@dataclass
class Contestant:
    """A system in its own folder and process, and how far it has been filled."""

    name: str
    folder: str
    kind: type[Any]
    system: Apart
    filled: int = 0
    results: dict[int, dict[str, Any]] = field(default_factory=dict)
    failure: str = ""

    def calls(self, name: str, arguments: list[tuple[Any, ...]]) -> list[Answer]:
        """What the system answers; a rival that fails says nothing more, and the run goes on without it."""
        if self.failure:
            return []
        try:
            return self.system.calls(name, arguments)
        except Failed as failure:
            if self.kind in AT_EVERY_SIZE:
                raise
            self.failure = str(failure)
            return []


def main(arguments: list[str] | None = None) -> int:
    """Run and print; a missed target is shown, not punished: a busy machine misses some."""
    options = _options(arguments)
    if options.embedder != DEFAULT_EMBEDDER and why_not(options.embedder):
        _say(why_not(options.embedder))
        return 2
    with tempfile.TemporaryDirectory(prefix="recollect-speed-") as folder:
        document = run(
            folder,
            sizes=options.sizes,
            queries=options.queries,
            adds=options.adds,
            rivals=options.rivals,
            embedder=options.embedder,
        )
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(
    folder: str,
    *,
    sizes: list[int],
    queries: int,
    adds: int,
    rivals: list[str] | None,
    embedder: str = DEFAULT_EMBEDDER,
) -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    corpus = Corpus()
    chosen = [one for one in (*AT_EVERY_SIZE, *SMALL_ONLY) if one in AT_EVERY_SIZE[:2] or _wanted(one.name, rivals)]
    missing = [one.name for one in chosen if not is_there(one)]
    broken: dict[str, str] = {}
    entered = [_enter(one, folder, embedder, broken) for one in chosen if is_there(one)]
    contestants = [one for one in entered if one is not None]
    memory_mb = 0.0
    for size in sizes:
        here = [one for one in contestants if _runs_at(one, size, sizes) and not one.failure]
        prompts = corpus.prompts(size, queries)
        _fill(here, corpus, size)
        _add_singly(here, corpus, size, adds)
        _search(here, prompts, size)
        for one in here:
            one.results[size]["bytes"] = folder_bytes(one.folder)
        if size == sizes[-1]:
            memory_mb = _memory(contestants, prompts)
    for one in contestants:
        one.system.close()
        if one.failure:
            broken[one.name] = one.failure
    return judged(
        {
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "seed": SEED,
            "embedder": embedder,
            "queries": queries,
            "single_adds": adds,
            "sizes": sizes,
            "missing": missing,
            "not_run": broken,
            "systems": {
                one.name: {str(size): one.results[size] for size in one.results}
                for one in contestants
                if not one.failure
            },
            "recall_memory_mb": memory_mb,
        }
    )


def _wanted(name: str, rivals: list[str] | None) -> bool:
    return rivals is None or name.lower() in [rival.lower() for rival in rivals]


def _runs_at(one: Contestant, size: int, sizes: list[int]) -> bool:
    return one.kind in AT_EVERY_SIZE or (size <= LARGEST_FOR_ALL and size == min(sizes))


def _enter(system: type[Any], folder: str, embedder: str, broken: dict[str, str]) -> Contestant | None:
    """A system in its folder; one that is installed and cannot run here is noted with what it says."""
    place = os.path.join(folder, system.name.replace(" ", "-"))
    os.makedirs(place)
    try:
        return Contestant(system.name, place, system, Apart(system, place, embedder))
    except Failed as failure:
        if system in AT_EVERY_SIZE:
            raise
        broken[system.name] = str(failure)
        return None


def _fill(contestants: list[Contestant], corpus: Corpus, size: int) -> None:
    """Grow every system to this size, a bulk at a time and in turns, so that all feel the same load."""
    timings = {one.name: Timings() for one in contestants}
    start = min((one.filled for one in contestants), default=size)
    step = BULK if size - start > BULK else max(size - start, BLOCK)
    for first in range(start, size, step):
        texts = list(corpus.sentences(first, min(first + step, size)))
        for one in contestants:
            timings[one.name].note_all(one.calls("add_many", [(first, texts)]))
        _say(f"{min(first + step, size):,} of {size:,} entries")
    for one in contestants:
        one.results[size] = {"bulk": timings[one.name].rate(size - one.filled)}
        one.filled = size


def _add_singly(contestants: list[Contestant], corpus: Corpus, size: int, adds: int) -> None:
    """One durable addition after another, in turns."""
    timings = {one.name: Timings() for one in contestants}
    first = SPARE + size
    for number, text in enumerate(corpus.sentences(first, first + adds), first):
        for one in contestants:
            timings[one.name].note_all(one.calls("add", [(number, text)]))
    for one in contestants:
        one.results[size]["add"] = timings[one.name].summary()
    _say(f"{adds} single additions at {size:,}")


def _search(contestants: list[Contestant], prompts: list[Prompt], size: int) -> None:
    """The same prompts to all, some at a time and in turns, and whether the entry that a prompt was made from is among
    the first ten."""
    timings = {one.name: Timings() for one in contestants}
    hits = dict.fromkeys(timings, 0)
    for first in range(0, len(prompts), AT_A_TIME):
        asked = prompts[first : first + AT_A_TIME]
        # In another order each time: nobody always comes after the same one, which leaves the caches as it likes.
        for one in random.Random(first).sample(contestants, len(contestants)):
            wanted = one.calls("key", [(prompt.number, prompt.target) for prompt in asked])
            # The first is not timed: it finds the processor's caches as the system before has left them.
            found = one.calls("search", [(prompt.text,) for prompt in (asked[-1], *asked)])[1:]
            timings[one.name].note_all(found)
            hits[one.name] += sum(key.value in keys.value for key, keys in zip(wanted, found, strict=False))
        _say(f"{min(first + AT_A_TIME, len(prompts))} of {len(prompts)} prompts at {size:,}")
    for one in contestants:
        one.results[size]["recall"] = timings[one.name].summary()
        one.results[size]["hit_at_10"] = round(hits[one.name] / len(prompts), 4)


def _memory(contestants: list[Contestant], prompts: list[Prompt]) -> float:
    ours = next(one for one in contestants if one.kind is Ours)
    return memory_of_recall(os.path.join(ours.folder, HOME), [prompt.text for prompt in prompts[:50]])


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--sizes", type=_numbers, default=list(SIZES), help="entries, with commas between")
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--adds", type=int, default=SINGLE_ADDS, help="single durable additions at each size")
    parser.add_argument("--rivals", type=_names, help="only these beside ours and raw FTS5; default: all there are")
    parser.add_argument("--embedder", choices=EMBEDDERS, default=DEFAULT_EMBEDDER, help="for rivals that need vectors")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    return parser.parse_args(arguments)


def _numbers(text: str) -> list[int]:
    return sorted(int(part.replace("_", "")) for part in text.split(",") if part)


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
