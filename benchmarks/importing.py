"""How fast logs come in, per host, against plain json.loads of the same lines in the same run.

    python -m benchmarks.importing FOLDER [--json]

`read`: a host's log into turns. `import`: redacted, stored and indexed as well. Rates in MB of log a second of CPU;
ratios against json.loads of every line. Targets for Claude Code and Codex: read 0.5, import 0.15. Each file is parsed
and read in turns, so that a busy machine slows both alike; of each the fastest run of its file counts. An import takes
all files at once, so it stands against parsing all of them at once, in turns too.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.data_sets import data_set
from recollect import Recollect
from recollect.flows.sessions.import_sessions import Log
from recollect.hosts.table import kinds, reader
from recollect.sessions.turns import assemble

TARGETS = {"claude-code": (0.5, 0.15), "codex": (0.5, 0.15)}
REPEATS = 7
IMPORTS = 3


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=data_set)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = measure(options.folder)
    print(json.dumps(results, indent=2) if options.json else table(results))


def measure(folder: str) -> dict[str, Any]:
    """Every host's logs below the folder."""
    by_host: dict[str, list[Log]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as home, Recollect.open(home, folder=home, environ={"HOME": home}) as memory:
        for log in memory.sessions.logs([folder])[0]:
            by_host[log.host].append(log)
    hosts = {host: _host(host, logs) for host, logs in sorted(by_host.items())}
    return {"hosts": hosts, "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)}


def _host(host: str, logs: list[Log]) -> dict[str, Any]:
    """The three rates of one host."""
    best = {"json": 0.0, "read": 0.0, "parsed": float("inf"), "import": float("inf")}
    for log in logs:
        runs = [(_cpu(lambda log=log: _parse(log)), _cpu(lambda log=log: _read(host, log))) for _ in range(REPEATS)]
        best["json"] += min(parsed for parsed, _ in runs)
        best["read"] += min(read for _, read in runs)
    turns = 0
    for _ in range(IMPORTS):
        with tempfile.TemporaryDirectory() as home, Recollect.open(home, folder=home, environ={"HOME": home}) as memory:
            past = memory.sessions
            best["parsed"] = min(best["parsed"], _cpu(lambda: _parse(*logs)))
            best["import"] = min(best["import"], _cpu(lambda past=past: past.import_logs(logs)))
            turns = memory.opened.store.sessions.counts().turns
    megabytes = sum(log.state.size for log in logs) / 1e6
    return {
        "files": len(logs),
        "megabytes": round(megabytes, 2),
        "turns": turns,
        "json_rate": round(megabytes / best["json"], 1),
        "read_rate": round(megabytes / best["read"], 1),
        "import_rate": round(megabytes / best["import"], 1),
        "read_ratio": round(best["json"] / best["read"], 3),
        "import_ratio": round(best["parsed"] / best["import"], 3),
        "target": TARGETS.get(host),
    }


def _cpu(work: Any) -> float:
    start = time.process_time()
    work()
    return max(time.process_time() - start, 1e-9)


def _parse(*logs: Log) -> None:
    for log in logs:
        with Path(log.path).open("rb") as lines:
            for line in lines:
                try:
                    json.loads(line)
                except ValueError:
                    continue


def _read(host: str, log: Log) -> None:
    for _ in assemble(reader(host).read(log.path), kinds(host)):
        pass


def table(results: dict[str, Any]) -> str:
    """The rates, at 80 columns."""
    names = ("megabytes", "turns", "json_rate", "read_rate", "import_rate", "read_ratio", "import_ratio")
    lines = ["host         " + "".join(name.rjust(len(name) + 1) for name in names)]
    for host, row in results["hosts"].items():
        lines.append(host.ljust(13) + "".join(str(row[name]).rjust(len(name) + 1) for name in names))
    lines.append("rates in MB of log a second of CPU; ratios against json.loads of the same lines")
    lines.append(f"peak memory of this process: {results['peak_megabytes']} MB")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
