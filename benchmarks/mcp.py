"""How long a host waits for the MCP server: from the start of the process to the answer to `initialize`.

`python -m benchmarks.mcp [--runs 15] [--json]`

In the same run, in turns, so that a busy machine slows all alike: the SDK's own server with one tool, written as its
docs say; our server entered without the light way through the SDK; and a bare interpreter that answers by itself, which
is the floor. With ours also the answer to the first `tools/list` and the first recall, which open the memory."""

from __future__ import annotations

import argparse
import compileall
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from typing import Any

from benchmarks.measuring import MILLISECONDS, percentile, ratio

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
RECALL = {
    "jsonrpc": "2.0",
    "id": 3,
    "method": "tools/call",
    "params": {"name": "memory_recall", "arguments": {"query": "what is the deploy target?"}},
}
OURS, PLAIN, WHOLE, FLOOR = "recollect", "mcp MCPServer, one tool", "recollect, whole SDK", "interpreter alone"
HELLO = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("hello")
@server.tool()
def hello(name: str) -> str:
    "Say hello."
    return f"Hello {name}"
server.run()
"""
BARE = """
import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": {}}), flush=True)
sys.stdin.read()
"""
WITH_THE_WHOLE_SDK = "import mcp, mcp.server; from recollect.__main__ import main; main(['mcp'])"
COMMANDS = {
    OURS: ["-m", "recollect", "mcp"],
    PLAIN: ["-c", HELLO],
    WHOLE: ["-c", WITH_THE_WHOLE_SDK],
    FLOOR: ["-c", BARE],
}
PACKAGES = ("mcp", "mcp_types", "pydantic", "anyio", "starlette", "uvicorn", "sse_starlette", "recollect", "click")
TARGET = 0.90  # of the SDK's own server with one tool, on the processor


def main(arguments: list[str] | None = None) -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    document = run(options.runs)
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(runs: int) -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    compile_everything()
    times: dict[str, dict[str, list[float]]] = {name: {} for name in COMMANDS}
    with tempfile.TemporaryDirectory(prefix="recollect-mcp-") as folder:
        home = {"RECOLLECT_HOME": os.path.join(folder, "home"), "HOME": folder}
        for number in range(runs + 1):
            for name, words in COMMANDS.items():
                taken = started([sys.executable, *words], {**os.environ, **home}, folder, further=name == OURS)
                for what, value in taken.items() if number else ():  # the first round warms the disk's cache
                    times[name].setdefault(what, []).append(value)
    systems = {
        name: {what: round(percentile(values, 50), 1) for what, values in taken.items()}
        for name, taken in times.items()
    }
    against = {
        clock: ratio(systems[OURS][f"initialize_{clock}_ms"], systems[PLAIN][f"initialize_{clock}_ms"])
        for clock in ("cpu", "wall")
    }
    return {
        "python": platform.python_version(),
        "runs": runs,
        "systems": systems,
        "ratio_to_the_sdk": against,
        "target": TARGET,
        "met": against["cpu"] <= TARGET,
    }


def compile_everything() -> None:
    """Bytecode first: whether it was there is no property of a server."""
    for package in PACKAGES:
        spec = find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            compileall.compile_dir(place, quiet=2)


def started(command: list[str], environ: dict[str, str], folder: str, *, further: bool) -> dict[str, float]:
    """Start a server, time its first answers, and end it."""
    began = time.perf_counter()
    server = subprocess.Popen(command, cwd=folder, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    taken: dict[str, float] = {}

    def ask(what: str, *messages: dict[str, Any]) -> None:
        since = began if what == "initialize" else time.perf_counter()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(one) + "\n" for one in messages).encode())
        server.stdin.flush()
        server.stdout.readline()
        taken[f"{what}_wall_ms"] = (time.perf_counter() - since) * MILLISECONDS

    ask("initialize", INITIALIZE)
    taken["initialize_cpu_ms"], taken["memory_mb"] = used_by(server.pid)
    if further:
        ask("tools", READY, LIST)
        ask("recall", RECALL)
    server.stdin.close()
    server.wait(timeout=30)
    server.stdout.close()
    return taken


def used_by(pid: int) -> tuple[float, float]:
    """Milliseconds on the processor and megabytes of memory that a process has used; zeros where nobody tells."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            resident = next(line for line in file if line.startswith("VmRSS"))
    except OSError:
        return 0.0, 0.0
    ticks = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) * MILLISECONDS / ticks, int(resident.split()[1]) / 1024


def table(document: dict[str, Any]) -> str:
    """The same for a reader."""
    lines = [
        f"{'from start to initialize, median of ' + str(document['runs']):44} {'cpu ms':>8} {'wall ms':>8} {'MB':>6}"
    ]
    for name, taken in document["systems"].items():
        cpu, wall = taken["initialize_cpu_ms"], taken["initialize_wall_ms"]
        lines.append(f"{name:44} {cpu:8.0f} {wall:8.0f} {taken['memory_mb']:6.0f}")
    ours, against = document["systems"][OURS], document["ratio_to_the_sdk"]
    lines.append(f"first tools/list {ours['tools_wall_ms']:.0f} ms, first recall {ours['recall_wall_ms']:.0f} ms")
    lines.append(
        f"recollect / {PLAIN}: cpu {against['cpu']:.2f}, wall {against['wall']:.2f} "
        f"(target {document['target']:.2f} cpu: {'met' if document['met'] else 'missed'})"
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
