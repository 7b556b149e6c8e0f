"""What the installed user-prompt hook costs, from its start to its answer, beside the interpreter it runs on.

`python -m benchmarks.hook [--entries 100000] [--runs 40] [--claude-mem FOLDER] [--json]`
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

from benchmarks.corpus import Corpus
from benchmarks.measuring import MILLISECONDS, percentile, ratio
from recollect import Recollect
from recollect.files.launchers.hook_launcher import ensure_launcher, interpreter

ENTRIES = 100_000
RUNS = 40
SEED = 1
CITED = 400
BULK = 10_000
TARGET = 2.0
OURS, REFERENCE = "recollect", "import sqlite3, json"
LONG_ENOUGH = "10000"  # milliseconds: a busy machine must not turn an answer into an empty one
QUIET_GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
AUTHOR = {f"GIT_{who}_{what}": "a@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@dataclass
class Contestant:
    """A command that a host could start at every prompt, and how long each of its runs took."""

    name: str
    words: list[str]
    hears: bool = False  # does it get the host's JSON on stdin?
    event: str = "UserPromptSubmit"
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def run(self, said: bytes, environ: dict[str, str], folder: str) -> bytes:
        """One start, waited for to the end; the processor's time is that of the process and its children."""
        reading, writing = os.pipe()
        os.write(writing, said if self.hears else b"")
        os.close(writing)
        with tempfile.TemporaryFile() as output:
            actions: list[Any] = [(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_DUP2, output.fileno(), 1)]
            actions.append((os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0))
            began = time.perf_counter()
            process = os.posix_spawnp(self.words[0], self.words, environ, file_actions=actions)
            _, status, used = os.wait4(process, 0)
            self.wall.append((time.perf_counter() - began) * MILLISECONDS)
            self.cpu.append((used.ru_utime + used.ru_stime) * MILLISECONDS)
            os.close(reading)
            assert status == 0, f"{self.name} ended with {status}"
            output.seek(0)
            return output.read()

    def summary(self) -> dict[str, float]:
        """Medians and tails of both clocks."""
        clocks = (("cpu", self.cpu), ("wall", self.wall))
        return {
            **{f"{clock}_p50": round(statistics.median(values), 2) for clock, values in clocks},
            **{f"{clock}_p95": round(percentile(values, 95), 2) for clock, values in clocks},
        }


def main(arguments: list[str] | None = None) -> int:
    """Run and print; a missed target is shown, not punished: a busy machine misses some."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(prefix="recollect-hook-") as folder:
        document = run(folder, entries=options.entries, runs=options.runs, claude_mem=options.claude_mem)
    print(json.dumps(document, indent=2) if options.json else table(document))
    return 0


def run(folder: str, *, entries: int = ENTRIES, runs: int = RUNS, claude_mem: str = "") -> dict[str, Any]:
    """Everything that is measured, as one JSON document."""
    home, repository, prompts = _filled(folder, entries, runs)
    contestants, missing = _contestants(ensure_launcher(home), claude_mem)
    environ = {**os.environ, "HOME": folder, "RECOLLECT_HOOK__LIMIT_MILLISECONDS": LONG_ENOUGH}
    for name in ("RECOLLECT_HOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"):
        environ.pop(name, None)
    answered = cited = 0
    chance = random.Random(SEED)
    for number in range(-1, runs):  # the first round warms the files and is not counted
        # Nobody always comes after the same one, which leaves the caches as it likes.
        for one in chance.sample(contestants, len(contestants)):
            said = _said(one, repository, prompts[number], number)
            output = one.run(said, environ, repository)
            if one.name == OURS and number >= 0:
                text = json.loads(output).get("hookSpecificOutput", {}).get("additionalContext", "")
                answered += bool(text)
                cited += ".py" in text
        if number < 0:
            for one in contestants:
                one.cpu.clear()
                one.wall.clear()
    return _judged(contestants, missing, {"entries": entries, "runs": runs, "answered": answered, "cited": cited})


def _filled(folder: str, entries: int, runs: int) -> tuple[Any, str, list[str]]:
    """A home with that many entries, some of them cited in a real repository, and prompts about those."""
    repository = os.path.join(folder, "app")
    os.mkdir(repository)
    corpus = Corpus()
    about = list(corpus.sentences(entries, entries + CITED))
    for number, sentence in enumerate(about):
        with open(os.path.join(repository, f"module_{number}.py"), "w", encoding="utf-8") as file:
            file.write(f'"""{sentence}"""\n\nNUMBER = {number}\n' * 5)
    _git(repository, "init", "-q", "-b", "main")
    _git(repository, "remote", "add", "origin", "git@github.com:owner/app.git")
    _git(repository, "add", "-A")
    _git(repository, "commit", "-qm", "first")
    with Recollect.open(os.path.join(folder, "home"), folder=repository, environ={"HOME": folder}) as memory:
        for first in range(0, entries - CITED, BULK):
            memory.remember_many(list(corpus.sentences(first, min(first + BULK, entries - CITED))), scope="user")
            print(f"{min(first + BULK, entries):,} of {entries:,} entries", file=sys.stderr, flush=True)
        for number, sentence in enumerate(about):
            memory.remember(sentence, cite=[f"module_{number}.py"])
        prompts = [" ".join(sentence.rstrip(".").split()[:14]) + "?" for sentence in about[:runs]]
        for prompt in prompts:
            memory.recall(prompt)  # as the worker does after a turn: what is cited is checked, and that is known
        return memory.home, repository, (prompts * (runs // len(prompts) + 1))[: runs + 1]


def _git(folder: str, *words: str) -> None:
    subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, env={**os.environ, **QUIET_GIT, **AUTHOR}
    )


def _contestants(launcher: str, claude_mem: str) -> tuple[list[Contestant], list[str]]:
    """The hook, its reference, and what else is on this machine; what is not there is named."""
    found = [
        Contestant(OURS, [launcher], hears=True),
        Contestant(REFERENCE, [interpreter(), "-I", "-S", "-c", "import sqlite3, json"]),
        Contestant("python3 -c pass", [sys.executable, "-c", "pass"]),
    ]
    missing = []
    node = shutil.which("node")
    if node:
        found.append(Contestant("node -e 0", [node, "-e", "0"]))
    palace = shutil.which("mempalace")
    if palace:
        words = [palace, "hook", "run", "--hook", "session-start", "--harness", "claude-code"]
        found.append(Contestant("MemPalace, session start", words, hears=True, event="SessionStart"))
    runner = os.path.join(claude_mem, "scripts", "bun-runner.js")
    if claude_mem and node and shutil.which("bun") and os.path.exists(runner):
        service = os.path.join(claude_mem, "scripts", "worker-service.cjs")
        words = [node, runner, service, "hook", "claude-code", "session-init"]
        found.append(Contestant("claude-mem", words, hears=True))
    names = {one.name for one in found}
    for name, why in (
        ("node -e 0", "node"),
        ("MemPalace, session start", "mempalace on the PATH"),
        ("claude-mem", "bun, and its plugin folder"),
    ):
        if name not in names:
            missing.append(f"{name} (needs {why})")
    return found, missing


def _said(one: Contestant, repository: str, prompt: str, number: int) -> bytes:
    session = f"{number:08x}-1111-4222-8333-444444444444"
    said = {
        "session_id": session,
        "transcript_path": f"/nowhere/.claude/projects/app/{session}.jsonl",
        "cwd": repository,
        "hook_event_name": one.event,
        "prompt": prompt,
        "source": "startup" if one.event == "SessionStart" else "user",
    }
    return json.dumps(said).encode()


def _judged(contestants: list[Contestant], missing: list[str], about: dict[str, int]) -> dict[str, Any]:
    results = {one.name: one.summary() for one in contestants}
    base = results[REFERENCE]
    ratios = {
        name: {clock: ratio(values[f"{clock}_p50"], base[f"{clock}_p50"]) for clock in ("cpu", "wall")}
        for name, values in results.items()
    }
    targets = [
        {"target": f"the hook against the bare interpreter with {REFERENCE}, {clock}", "at_most": TARGET,
         "value": ratios[OURS][clock], "met": ratios[OURS][clock] <= TARGET}
        for clock in ("cpu", "wall")
    ]  # fmt: skip
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        **about,
        "milliseconds": results,
        "ratios": ratios,
        "missing": missing,
        "targets": targets,
    }


def table(document: dict[str, Any]) -> str:
    """The same for people, in 80 columns."""
    lines = [
        f"Hook at a user's prompt, {document['entries']:,} entries, median of {document['runs']} runs in turns",
        f"Python {document['python']}, SQLite {document['sqlite']}; {document['answered']} answers with memory, "
        f"{document['cited']} with",
        "checked citations",
        "",
        f"{'':28}{'CPU ms':>9}{'ratio':>8}{'wall ms':>10}{'ratio':>8}",
    ]
    for name, values in document["milliseconds"].items():
        ratios = document["ratios"][name]
        lines.append(
            f"{name:28}{values['cpu_p50']:9.1f}{ratios['cpu']:8.2f}{values['wall_p50']:10.1f}{ratios['wall']:8.2f}"
        )
    lines.append("")
    for one in document["targets"]:
        clock = one["target"].rpartition(" ")[2]
        verdict = "met" if one["met"] else "missed"
        lines.append(f"target, {clock}: at most {one['at_most']}; measured {one['value']:.2f}: {verdict}")
    lines += [f"not run: {name}" for name in document["missing"]]
    return "\n".join(lines)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hook", description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--claude-mem", default="", metavar="FOLDER", help="the unpacked plugin of claude-mem")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
