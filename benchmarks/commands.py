"""How long commands that read take to start, against the bare interpreter with click: `python -m benchmarks.commands`.

CPU time of whole processes, user and system together, because the wall tells more of the machine than of the program.
The rival is what nobody can be faster than: the same interpreter that imports click and does nothing."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

RATIO = 1.5  # most of the bare interpreter plus click
COMMANDS = (
    ("list",),
    ("list", "--json"),
    ("recall", "which package manager is used?"),
    ("recall", "which package manager is used?", "--json"),
    ("why",),
    ("profile",),
    ("settings", "get", "recall.max_entries"),
    ("pending",),
)
BARE_NAME = "bare interpreter with click"
BARE = [sys.executable, "-c", "import click"]
START = "import sys; from recollect.__main__ import main; sys.exit(main(sys.argv[1:]))"


def cpu_milliseconds(command: list[str], environ: dict[str, str], folder: Path) -> float:
    """What one process takes."""
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environ, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (used.ru_utime + used.ru_stime) * 1000


def measure(times: int) -> dict[str, dict[str, float]]:
    """Each command with its CPU time and its ratio to the bare interpreter. They take turns, so that a busy machine
    slows all of them alike; the least of each is told."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environ = {**os.environ, "RECOLLECT_HOME": str(folder / "home"), "HOME": name}
        ours = [sys.executable, "-c", START]
        facts = ("This repository uses pnpm, not npm.", "The queue is drained at night.", "Deploys run from main.")
        for words in (*(("remember", fact) for fact in facts), ("recall", "pnpm")):
            subprocess.run([*ours, *words], cwd=folder, env=environ, capture_output=True, check=True)
        lines = {BARE_NAME: BARE, **{" ".join(words): [*ours, *words] for words in COMMANDS}}
        rounds = [{name: cpu_milliseconds(line, environ, folder) for name, line in lines.items()} for _ in range(times)]
        least = {name: min(one[name] for one in rounds) for name in lines}
        bare = least[BARE_NAME]
        return {name: {"cpu_ms": round(one, 1), "ratio": round(one / bare, 2)} for name, one in least.items()}


def main() -> int:
    """Print the table; 1 when a command takes more than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9, help="runs of each command")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    found = measure(options.times)
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        for name, row in found.items():
            print(f"{name:48} {row['cpu_ms']:7.1f} ms  {row['ratio']:.2f}")
    return int(any(row["ratio"] > RATIO for row in found.values()))


if __name__ == "__main__":
    sys.exit(main())
