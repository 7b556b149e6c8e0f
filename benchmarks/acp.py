"""What `recollect acp -- AGENT` adds to an agent: a thousand scripted sessions with it and without it.

`python -m benchmarks.acp [--sessions 1000] [--entries 1000] [--json]`

Client, proxy and agent run in one process over pipes. For each line it is measured how long it stays in the proxy; what
both ends got is compared byte by byte, with the memory block and our MCP server taken out again."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

from benchmarks.acp_client import Passed, talk
from benchmarks.corpus import Corpus
from benchmarks.measuring import MILLISECONDS, percentile
from recollect import Recollect
from recollect.doors.acp.proxy import Proxy

if TYPE_CHECKING:
    from collections.abc import Callable

SESSIONS = 1_000
AT_ONCE = 100  # sessions of one connection
ENTRIES = 1_000
TARGET_MILLISECONDS = 5.0
SERVER = "/bin/recollect-mcp"


class Timed(Proxy):
    """A proxy that notes how long each line stays in it."""

    prompts: list[float]
    others: list[float]

    def _changed(self, line: bytes, change: Callable[[bytes], bytes]) -> bytes:
        began = time.perf_counter()
        try:
            return super()._changed(line, change)
        finally:
            kind = self.prompts if b'"session/prompt"' in line else self.others
            kind.append((time.perf_counter() - began) * MILLISECONDS)


def without_memory(line: bytes, server: str = SERVER) -> bytes:
    """A line as it was before our first item was put into one of its arrays; nothing else is forgiven."""
    try:
        params = json.loads(line).get("params", {})
    except ValueError:
        return line
    for items in (params.get("mcpServers"), params.get("prompt")):
        first = items[0] if items else {}
        if first.get("command") == server or "<memory-" in first.get("text", ""):
            item = json.dumps(first).encode()
            if line.count(item) == 1:
                return line.replace(item + b"," if len(items) > 1 else item, b"")
    return line


def run(sessions: int, entries: int) -> dict[str, Any]:
    """Hold the sessions both ways."""
    Timed.prompts, Timed.others = [], []
    differing = with_memory = 0
    processor = {"without": 0.0, "through": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        # A busy machine must not turn an answer into none.
        limit = {"RECOLLECT_HOOK__LIMIT_MILLISECONDS": "10000"}
        environ = {**os.environ, "RECOLLECT_HOME": f"{folder}/home", "HOME": folder, **limit}
        repository = f"{folder}/app"
        subprocess.run(["git", "init", "-q", repository], check=True)
        with Recollect.open(environ=environ, folder=repository) as memory:
            memory.remember("The dependencies are installed with pnpm, never with npm.")
            memory.remember("The deploy target is Fly.io.")
            memory.remember_many(list(Corpus().sentences(0, entries)), scope="repository")
        for seed in range(-(-sessions // AT_ONCE)):
            count = min(AT_ONCE, sessions - seed * AT_ONCE)
            began = time.process_time()
            without = talk(None, sessions=count, folder=repository, seed=seed)
            between = time.process_time()
            through = talk(environ, sessions=count, folder=repository, seed=seed, server=SERVER, kind=Timed)
            processor["without"] += between - began
            processor["through"] += time.process_time() - between
            differing += not is_same(through, without)
            with_memory += sum(b"<memory-" in line for line in through.by_agent)
    times = {"prompt": Timed.prompts, "any other": Timed.others}
    everything = Timed.prompts + Timed.others
    return {
        "sessions": sessions,
        "lines": len(everything),
        "prompts": len(Timed.prompts),
        "prompts_with_memory": with_memory,
        "connections_that_differ": differing,
        "milliseconds": {name: summary(values) for name, values in times.items()},
        "mean_of_all": round(sum(everything) / len(everything), 3),
        "processor_a_line": round((processor["through"] - processor["without"]) * MILLISECONDS / len(everything), 3),
        "target": TARGET_MILLISECONDS,
        "met": not differing and sum(everything) / len(everything) <= TARGET_MILLISECONDS,
        "machine": f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores",
    }


def is_same(through: Passed, without: Passed) -> bool:
    """Did both ends get the same, but for memory?"""
    by_agent = [without_memory(line) for line in through.by_agent]
    return (by_agent, through.by_client) == (without.by_agent, without.by_client)


def summary(values: list[float]) -> dict[str, float]:
    """The middle and the tail."""
    return {f"p{share}": round(percentile(values, share), 3) for share in (50, 95, 99)}


def table(document: dict[str, Any]) -> str:
    """The figures for a person."""
    rows = [f"{'milliseconds in the proxy':<28}{'p50':>9}{'p95':>9}{'p99':>9}"]
    for name, found in document["milliseconds"].items():
        rows.append(f"{name:<28}" + "".join(f"{found[share]:>9.3f}" for share in ("p50", "p95", "p99")))
    rows += [
        f"{'mean of all lines':<28}{document['mean_of_all']:>9.3f}",
        f"{'processor, recording too':<28}{document['processor_a_line']:>9.3f}",
        f"{document['sessions']:,} sessions, {document['lines']:,} lines, {document['prompts_with_memory']:,} of "
        f"{document['prompts']:,} prompts with memory",
        f"connections that differ in anything but memory: {document['connections_that_differ']}",
        f"target, mean of all lines: {document['target']} ms: {'met' if document['met'] else 'missed'}",
    ]
    return "\n".join(rows)


def main(arguments: list[str] | None = None) -> int:
    """Run and print; a missed target is shown, not punished: a busy machine misses some."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.acp", description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    document = run(options.sessions, options.entries)
    sys.stdout.write(json.dumps(document, indent=2) + "\n" if options.json else table(document) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
