"""Clocks, percentiles and sizes; and, run as a module, a process of its own that only recalls and tells its memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MILLISECONDS = 1000.0
MEGABYTE = 1024 * 1024


@dataclass
class Answer:
    """What a call gave, and how long it took, in milliseconds."""

    value: Any
    cpu: float = 0.0
    wall: float = 0.0


def timed(call: Callable[..., Any], *arguments: object) -> Answer:
    """Run the call and look at the clocks."""
    # The calling thread's alone: some systems merge in the background, and that is on the wall only.
    wall, cpu = time.perf_counter(), time.thread_time()
    value = call(*arguments)
    cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
    return Answer(value, cpu * MILLISECONDS, wall * MILLISECONDS)


@dataclass
class Timings:
    """How long each of several calls took, in milliseconds, on the processor and on the wall."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def take(self, call: Callable[..., Any], *arguments: object) -> Any:
        """Run the call and note its times."""
        answer = timed(call, *arguments)
        self.note_all([answer])
        return answer.value

    def note_all(self, answers: Sequence[Answer]) -> None:
        """Note the times of calls that were made elsewhere."""
        self.cpu += [answer.cpu for answer in answers]
        self.wall += [answer.wall for answer in answers]

    def summary(self) -> dict[str, float]:
        """The 50th, 95th and 99th percentile of both clocks."""
        return {
            f"{clock}_p{share}": round(percentile(values, share), 4)
            for clock, values in (("cpu", self.cpu), ("wall", self.wall))
            for share in (50, 95, 99)
        }

    def rate(self, rows: int) -> dict[str, float]:
        """Rows a second, when the calls together handled that many."""
        return {
            "rows_per_cpu_second": round(rows / max(sum(self.cpu) / MILLISECONDS, 1e-9), 1),
            "rows_per_second": round(rows / max(sum(self.wall) / MILLISECONDS, 1e-9), 1),
        }


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of a hundred lies; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share / 100), len(ordered) - 1)] if ordered else 0.0


def ratio(ours: float, theirs: float) -> float:
    """Ours as a multiple of theirs."""
    return round(ours / theirs, 4) if theirs else 0.0


def folder_bytes(folder: str) -> int:
    """The size of all files below a folder."""
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)


def peak_memory_mb() -> float:
    """The most memory this process has had."""
    # Not getrusage on Linux: what it gives a new process includes the memory of the one that started it.
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            peak = next(line for line in status if line.startswith("VmHWM"))
        return int(peak.split()[1]) / 1024
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


def memory_of_recall(home: str, prompts: Sequence[str]) -> float:
    """Peak memory, in MB, of a fresh process that recalls these prompts from a home."""
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.measuring", home],
        input=json.dumps(list(prompts)),
        capture_output=True,
        text=True,
        check=True,
    )
    return float(run.stdout)


def _recall_all(home: str, prompts: Sequence[str]) -> None:
    from recollect import Recollect

    with Recollect.open(home, folder=os.path.dirname(home), environ={"HOME": os.path.dirname(home)}) as memory:
        for prompt in prompts:
            memory.recall(prompt)


if __name__ == "__main__":
    _recall_all(sys.argv[1], json.load(sys.stdin))
    print(round(peak_memory_mb(), 1))
