"""What `recollect blame` takes beside git, at 100,000 turns: `python -m benchmarks.blame [--turns N] [--json]`.

A repository with files of many commits and a year of sessions are made from a seed; half of the sessions are of this
repository, and in them tools change its files, print and commit. Lines and whole files are asked for in turns, and
the time that git takes is taken off: on the wall, which a busy machine stretches, and on the processor. Target: 50 ms
of the processor at the 95th percentile.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recollect import Recollect
from recollect.files.git import process
from recollect.flows.views.blame import blame
from recollect.model.sessions import Session, ToolUse, Turn

NOW = 1_790_000_000.0
YEAR = 365 * 86_400.0
FILES = [f"src/part{number % 20}/module{number}.py" for number in range(200)]
COMMITS = 3_000
LINES = 80  # of each file
SESSION_TURNS = 40
MOST_MILLISECONDS = 50.0
REMOTE = "github.com/owner/app"
WORDS = "the parser reads a token and the cache keeps what it found until the request ends with an error".split()


class Asked(NamedTuple):
    """One question: milliseconds of ours on the processor and on the wall, of git, and whether a session was found."""

    cpu: float
    wall: float
    git: float
    has_sessions: bool


def history(folder: Path, chance: random.Random) -> None:
    """A repository in which each commit changes lines of a few files."""
    texts = {path: [f"line {number} of {path}" for number in range(LINES)] for path in FILES}
    parts = []
    for number in range(COMMITS):
        at = int(NOW - YEAR + YEAR * number / COMMITS)
        changed = FILES if number == 0 else chance.sample(FILES, 3)
        message = f"Change {number}"
        parts.append(
            f"commit refs/heads/main\ncommitter Ada <ada@example.org> {at} +0000\ndata {len(message)}\n{message}\n"
        )
        for path in changed:
            if number:
                texts[path][chance.randrange(LINES)] = f"changed by {number}"
            text = "\n".join(texts[path]) + "\n"
            parts.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    subprocess.run(["git", "remote", "add", "origin", f"https://{REMOTE}.git"], cwd=folder, check=True)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input="".join(parts).encode(), check=True)
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=folder, check=True)


def sessions(count: int, folder: str, chance: random.Random) -> Iterator[tuple[Session, list[Turn]]]:
    """Sessions over a year, every other one of this repository."""
    for number in range(count // SESSION_TURNS):
        started = NOW - YEAR + YEAR * number * SESSION_TURNS / count
        here = number % 2 == 0
        cwd = folder if here else f"/home/ada/other{number % 7}"
        repository = REMOTE if here else f"path:{cwd}"
        turns = [_turn(one + 1, number, started + one * 240, cwd, chance) for one in range(SESSION_TURNS)]
        name = f"s_{number:08d}"
        yield Session(name, "codex", f"n{number}", repository, cwd, "main", "Work", started, turns[-1].ended), turns


def _turn(number: int, session: int, at: float, cwd: str, chance: random.Random) -> Turn:
    tools = []
    for _ in range(4):
        path = f"{cwd}/{chance.choice(FILES)}"
        said = " ".join(chance.choices(WORDS, k=120))
        tools.append(ToolUse("read", "read", path, said, True))
        tools.append(ToolUse("edit", "change", path, "done", True, None, (path,)))
    if number % 10 == 5:
        tools.append(ToolUse("exec", "command", "git commit -am work", "[main abcdef0] work", True))
    asked = " ".join(chance.choices(WORDS, k=25))
    return Turn(number, asked, asked * 4, tuple(tools), at, at + 200, f"u{session}-{number}", cwd=cwd, branch="main")


def run(folder: Path, *, turns: int, asked: int, seed: int = 5) -> dict[str, object]:
    """Fill a home, ask, and say what it took."""
    chance = random.Random(seed)
    work = folder / "app"
    history(work, chance)
    spent = _timing_git()
    with Recollect.open(
        str(folder / "home"), folder=str(work), environ={"HOME": str(folder)}, clock=lambda: NOW
    ) as memory:
        store = memory.opened.store
        with store.write(durable=False):
            for session, its in sessions(turns, memory.repository.root, chance):
                store.sessions.save(session)
                store.sessions.add_turns(session.session_id, its, [session.repository] * len(its))
        print(f"{turns:,} turns stored", file=sys.stderr)
        kinds = {
            kind: [_ask(memory, f"{chance.choice(FILES)}{suffix}", spent) for suffix in suffixes]
            for kind, suffixes in (
                ("line", [f":{chance.randint(1, LINES)}" for _ in range(asked)]),
                ("file", [""] * asked),
            )
        }
    return {
        "turns": turns,
        "commits": COMMITS,
        **{kind: _summary(rows) for kind, rows in kinds.items()},
        "target": {"cpu_p95": MOST_MILLISECONDS},
        "met": all(_summary(rows)["cpu_p95"] < MOST_MILLISECONDS for rows in kinds.values()),
    }


def _timing_git() -> list[float]:
    """What each start of git takes from now on, in seconds."""
    spent: list[float] = []
    real = process.run

    def timed(*arguments: object, **named: object) -> bytes | None:
        started = time.perf_counter()
        try:
            return real(*arguments, **named)  # type: ignore[arg-type]
        finally:
            spent.append(time.perf_counter() - started)

    process.run = timed
    return spent


def _ask(memory: Recollect, target: str, spent: list[float]) -> Asked:
    spent.clear()
    started, processor = time.perf_counter(), time.thread_time()
    found = blame(target, memory.opened)
    ours = time.thread_time() - processor
    wall = time.perf_counter() - started
    has_sessions = any(behind for _, behind in found.commits)
    return Asked(1_000 * ours, 1_000 * (wall - sum(spent)), 1_000 * sum(spent), has_sessions)


def _summary(rows: list[Asked]) -> dict[str, float]:
    return {
        **_percentiles("cpu", [one.cpu for one in rows]),
        **_percentiles("wall", [one.wall for one in rows]),
        **_percentiles("git", [one.git for one in rows]),
        "with_sessions": round(sum(one.has_sessions for one in rows) / len(rows), 3),
    }


def _percentiles(name: str, values: list[float]) -> dict[str, float]:
    ranked = sorted(values)
    last = ranked[min(int(len(ranked) * 0.95), len(ranked) - 1)]
    return {f"{name}_p50": round(statistics.median(ranked), 2), f"{name}_p95": round(last, 2)}


def main(words: list[str] | None = None) -> int:
    """Run it; 1 when the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.blame", description=__doc__)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        document = run(Path(folder), turns=given.turns, asked=given.asked)
    if given.json:
        print(json.dumps(document, indent=2))
    else:
        for kind in ("line", "file"):
            print(f"{kind}: {document[kind]}")
        print(f"target: p95 below {MOST_MILLISECONDS:.0f} ms beside git: {'met' if document['met'] else 'missed'}")
    return 0 if document["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
