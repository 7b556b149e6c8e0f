"""What is left of real sessions after compaction, beside four other ways to make them smaller.

    python -m benchmarks.context FOLDER [--reductions 2,4,10] [--json]
    python -m benchmarks.context --future FOLDER [--part unread] [--reductions 4,10] [--json]

FOLDER holds logs of Claude Code, Codex, Copilot CLI or pi. A session is long enough from 20,000 tokens on. Every system
gets the same room: the session's tokens divided by the reduction, and never less than its system messages, which nobody
may touch, and a twentieth of the rest. With `--future` the first half of each session is made smaller and asked for
what the second half uses of it: benchmarks/context_uses.py says how.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.context_future import PARTS, future_verdicts, measure_future, show_future
from benchmarks.context_future import REDUCTIONS as FUTURE_REDUCTIONS
from benchmarks.context_needs import KINDS, kept, needs
from benchmarks.context_rivals import available
from benchmarks.context_sessions import read_sessions
from benchmarks.data_sets import data_set
from recollect.context.compaction import compact
from recollect.context.counting import Counter
from recollect.context.processor import CompactionProcessor
from recollect.context.truncation import BasicTruncator
from recollect.model.messages import Message, Text, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.context_rivals import Rival

LEAST_TOKENS = 20_000
REDUCTIONS = (2, 4, 10)
OURS = "recollect"
TARGET_KEPT = 0.90
TARGET_RATIO = 2.0
TARGET_REDUCTION = 10
STEADY_MESSAGES = (11, 1_001)
STEADY_RUNS = 40


@dataclass
class Figures:
    """What one system kept of all sessions at one reduction."""

    shares: list[float] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    kinds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, found: dict[Any, bool], size: float, milliseconds: float) -> None:
        """Add a session."""
        self.shares.append(statistics.fmean(found.values()))
        self.sizes.append(size)
        self.milliseconds.append(milliseconds)
        for kind in KINDS:
            of_kind = [there for need, there in found.items() if need.kind == kind]
            if of_kind:
                self.kinds[kind].append(statistics.fmean(of_kind))

    def summary(self) -> dict[str, Any]:
        """Means over the sessions."""
        return {
            "sessions": len(self.shares),
            "kept": round(statistics.fmean(self.shares), 3),
            "least_kept": round(min(self.shares), 3),
            "size_left": round(statistics.fmean(self.sizes), 3),
            "milliseconds": round(statistics.median(self.milliseconds), 1),
            "kinds": {kind: round(statistics.fmean(values), 3) for kind, values in self.kinds.items()},
        }


def measure(folder: str, reductions: Sequence[int]) -> dict[str, Any]:
    """Run every system over every session that is long enough."""
    rivals, missing = available()
    systems: dict[str, Rival] = {OURS: ours, **rivals}
    figures: dict[int, dict[str, Figures]] = {n: {name: Figures() for name in systems} for n in reductions}
    sessions = 0
    for name, messages in read_sessions(folder):
        counter = Counter()
        count = counter.count(messages)
        wanted = needs(messages)
        if count.total < LEAST_TOKENS or not wanted:
            continue
        sessions += 1
        print(f"{name}: {count.total} tokens, {len(wanted)} needs", file=sys.stderr)
        for reduction in reductions:
            room = max(count.total // reduction, count.system + count.conversation // 20)
            for system, reduce in systems.items():
                began = time.perf_counter()
                left = reduce(messages, room, Counter())
                took = (time.perf_counter() - began) * 1000
                size = counter.count(left).total / count.total
                figures[reduction][system].take(kept(wanted, left), size, took)
    if not sessions:
        raise SystemExit(f"No session of {LEAST_TOKENS} tokens or more below {folder}.")
    return {
        "sessions": sessions,
        "missing": missing,
        "reductions": {
            str(n): {name: one.summary() for name, one in systems_.items()} for n, systems_ in figures.items()
        },
        "steady": steady(),
    }


def ours(messages: Sequence[Message], limit_tokens: int, counter: Counter) -> Sequence[Message]:
    """Compaction by rules to what is allowed."""
    return compact(messages, counter=counter, window=4 * limit_tokens, target_tokens=limit_tokens).messages


def steady() -> dict[str, float]:
    """What counting and deciding costs for one more message, early and late in a conversation."""
    times: dict[int, list[float]] = {place: [] for place in STEADY_MESSAGES}
    for run in range(STEADY_RUNS):
        counter = Counter()
        processor = CompactionProcessor(counter=counter, window=10_000_000)
        truncator = BasicTruncator(counter=counter, limit_tokens=10_000_000)
        messages: list[Message] = []
        for number in range(max(STEADY_MESSAGES)):
            messages.append(_message(number, run))
            began = time.perf_counter()
            truncator.process(processor.process(messages))
            took = (time.perf_counter() - began) * 1_000_000
            for place in STEADY_MESSAGES:
                # The neighbours too: one message alone measures the clock.
                if place - 5 <= number + 1 <= place:
                    times[place].append(took)
    early, late = (statistics.median(times[place]) for place in STEADY_MESSAGES)
    return {
        "microseconds_11th": round(early, 1),
        "microseconds_1001st": round(late, 1),
        "ratio": round(late / early, 2),
    }


def _message(number: int, run: int) -> Message:
    text = f"{run} {number} " + "the quick brown fox reads src/app/main.py and reports 17 errors\n" * 30
    if number % 3 == 0:
        return Message("assistant", (Text(text), ToolCall(f"c{number}", "bash", json.dumps({"command": text[:200]}))))
    if number % 3 == 1:
        return Message("tool", (ToolResult(f"c{number - 1}", (Text(text),)),))
    return Message("user", (Text(text),))


def show(found: dict[str, Any]) -> None:
    """Print the figures as tables, and whether the targets are met."""
    for package in found["missing"]:
        print(f"left out, not installed: {package}")
    for reduction, systems in found["reductions"].items():
        print(f"\n{reduction}x smaller, {found['sessions']} sessions: share kept of what is needed")
        print(f"{'':14}{'kept':>7}{'least':>7}{'size':>7}{'ms':>8}  " + "".join(f"{kind[:9]:>10}" for kind in KINDS))
        for name, one in systems.items():
            kinds = "".join(f"{one['kinds'].get(kind, float('nan')):>10.2f}" for kind in KINDS)
            figures = f"{one['kept']:>7.3f}{one['least_kept']:>7.2f}{one['size_left']:>7.3f}{one['milliseconds']:>8.1f}"
            print(f"{name:14}{figures}  {kinds}")
    steady_state = found["steady"]
    print(
        f"\nsteady state: the 11th message {steady_state['microseconds_11th']} µs,"
        f" the 1,001st {steady_state['microseconds_1001st']} µs, ratio {steady_state['ratio']}"
    )
    for sentence, met in verdicts(found):
        print(f"{'met   ' if met else 'MISSED'}  {sentence}")


def verdicts(found: dict[str, Any]) -> list[tuple[str, bool]]:
    """The targets, and whether each is met."""
    ratio = found["steady"]["ratio"]
    said = [(f"steady state ratio {ratio} is at most {TARGET_RATIO}", ratio <= TARGET_RATIO)]
    systems = found["reductions"].get(str(TARGET_REDUCTION))
    if systems:
        share = systems[OURS]["kept"]
        said.append((f"{share} kept at {TARGET_REDUCTION}x is at least {TARGET_KEPT}", share >= TARGET_KEPT))
        for name, one in systems.items():
            if name != OURS:
                said.append((f"{share} kept is more than {name}'s {one['kept']}", share > one["kept"]))
    return said


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.context", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", type=data_set)
    parser.add_argument("--future", action="store_true", help="ask for what the rest of each session uses")
    parser.add_argument("--part", choices=PARTS, default="all", help="the sessions that were read for building, or not")
    parser.add_argument("--reductions", default="")
    parser.add_argument("--json", action="store_true", dest="as_json")
    given = parser.parse_args(arguments)
    reductions = [int(one) for one in given.reductions.split(",") if one]
    if given.future:
        found = measure_future(given.folder, reductions or FUTURE_REDUCTIONS, ours, part=given.part)
        said, shown = future_verdicts(found), show_future
    else:
        found = measure(given.folder, reductions or REDUCTIONS)
        said, shown = verdicts(found), show
    if given.as_json:
        print(json.dumps(found | {"verdicts": said}, indent=2))
    else:
        shown(found)


if __name__ == "__main__":
    main()
