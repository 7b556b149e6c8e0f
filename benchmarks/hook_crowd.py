"""How many of many hooks that start at the same moment carry memory, under the limit that holds for everybody.

`python -m benchmarks.hook_crowd [--hooks 50] [--entries 10000] [--rounds 5] [--json]`
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from typing import Any

from benchmarks.hook import _filled
from benchmarks.measuring import MILLISECONDS
from recollect.files.launchers.hook_launcher import ensure_launcher

HOOKS, ENTRIES, ROUNDS = 50, 10_000, 5


def main(arguments: list[str] | None = None) -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hooks", type=int, default=HOOKS)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    # A short path: the name of a socket has to fit behind it.
    with tempfile.TemporaryDirectory(prefix="rc-") as folder:
        document = run(folder, hooks=options.hooks, entries=options.entries, rounds=options.rounds)
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(folder: str, *, hooks: int = HOOKS, entries: int = ENTRIES, rounds: int = ROUNDS) -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    home, repository, prompts = _filled(folder, entries, hooks)
    launcher = ensure_launcher(home)
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("RECOLLECT", "PYTHON"))}
    environ["HOME"] = folder
    found = []
    for number in range(-1, rounds):  # the first round warms the files and is not counted
        said = [_said(repository, prompts[at], f"{number}-{at}") for at in range(hooks)]
        found.append(_together(launcher, said, environ, repository))
    return {
        "hooks": hooks,
        "entries": entries,
        "processors": os.cpu_count(),
        "with_memory": [carried for carried, _ in found[1:]],
        "milliseconds": [round(taken) for _, taken in found[1:]],
    }


def table(document: dict[str, Any]) -> str:
    """The result in words."""
    carried, taken = document["with_memory"], document["milliseconds"]
    return (
        f"{document['hooks']} hooks at once on {document['processors']} processors, {document['entries']:,} entries\n"
        f"with memory: {statistics.median(carried):g} (of {len(carried)} rounds: {min(carried)} to {max(carried)})\n"
        f"all answered after: {statistics.median(taken):g} ms"
    )


def _together(launcher: str, said: list[bytes], environ: dict[str, str], folder: str) -> tuple[int, float]:
    """How many carried memory, and when the last had answered."""
    began = time.perf_counter()
    started = []
    for one in said:
        process = subprocess.Popen([launcher], env=environ, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert process.stdin
        process.stdin.write(one)
        process.stdin.close()
        started.append(process)
    answers = [process.stdout.read() for process in started if process.stdout]
    taken = (time.perf_counter() - began) * MILLISECONDS
    for process in started:
        process.wait()
    time.sleep(0.5)  # who was left behind to answer the others goes
    return sum("additionalContext" in answer.decode() for answer in answers), taken


def _said(repository: str, prompt: str, session: str) -> bytes:
    call = {"session_id": session, "transcript_path": "/u/.claude/projects/a/s.jsonl", "cwd": repository}
    return json.dumps({**call, "hook_event_name": "UserPromptSubmit", "prompt": prompt}).encode()


if __name__ == "__main__":
    raise SystemExit(main())
