"""How much of what the rest of a session uses is left when its first half is made smaller, ours beside the others."""

from __future__ import annotations

import random
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.context_rivals import FUTURE_RIVALS, available
from benchmarks.context_sessions import is_unread, read_hosted
from benchmarks.context_uses import LEAST_NEEDS, cut_at, kept, uses
from recollect.context.counting import Counter
from recollect.context.pairs import PairCheck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.context_rivals import Rival
    from recollect.model.messages import Message

OURS = "recollect"
REDUCTIONS = (4, 10)
LEAST_TOKENS = 10_000  # of the first half, without system messages
PARTS = ("all", "read", "unread")
TARGETS = {4: (0.92, 0.90), 10: (0.85, 0.80)}
DRAWS = 2_000
SEED = 18


def measure_future(folder: str, reductions: Sequence[int], ours: Rival, *, part: str = "all") -> dict[str, Any]:
    """Run every system over the first half of every session that is long enough."""
    rivals, missing = available()
    systems: dict[str, Rival] = {OURS: ours, **rivals, **FUTURE_RIVALS}
    rows: list[dict[str, Any]] = []
    for name, host, first, wanted in _halves(folder, part):
        counter = Counter()
        count = counter.count(first)
        print(f"{host} {name}: {count.total} tokens before the cut, {len(wanted)} needs", file=sys.stderr)
        for reduction in reductions:
            room = max(count.total // reduction, count.system + count.conversation // 20)
            for system, reduce in systems.items():
                left = reduce(first, room, Counter())
                bare, in_context = kept(wanted, left)
                rows.append(
                    {
                        "session": name,
                        "host": host,
                        "reduction": reduction,
                        "system": system,
                        "name": statistics.fmean(bare.values()),
                        "in_context": statistics.fmean(in_context.values()),
                        "room_used": counter.count(left).total / room,
                        "whole": PairCheck().whole(left),
                    }
                )
    if not rows:
        raise SystemExit(f"No session with a first half of {LEAST_TOKENS} tokens or more below {folder}.")
    return {"missing": missing, "part": part, "reductions": {str(n): _table(rows, n) for n in reductions}, "rows": rows}


def _halves(folder: str, part: str) -> Iterator[tuple[str, str, Sequence[Message], list[Any]]]:
    for path in sorted(Path(folder).rglob("*.jsonl")):
        if part != "all" and is_unread(path.stem) != (part == "unread"):
            continue
        host, messages = read_hosted(path)
        cut = cut_at(messages)
        first = messages[:cut]
        if not first or Counter().count(first).conversation < LEAST_TOKENS:
            continue
        wanted = uses(messages, cut)
        if len(wanted) >= LEAST_NEEDS:
            yield path.stem, host, first, wanted


def _table(rows: Sequence[dict[str, Any]], reduction: int) -> dict[str, Any]:
    of_system: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["reduction"] == reduction:
            of_system[row["system"]].append(row)
    return {system: _summary(found) for system, found in of_system.items()}


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    hosts: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        hosts[row["host"]].append(row)
    return {
        "sessions": len(rows),
        **{figure: _figure([row[figure] for row in rows]) for figure in ("name", "in_context")},
        "room_used": round(statistics.fmean(row["room_used"] for row in rows), 3),
        "broken_pairs": sum(not row["whole"] for row in rows),
        "hosts": {
            host: {
                "sessions": len(found),
                **{figure: _figure([row[figure] for row in found]) for figure in ("name", "in_context")},
            }
            for host, found in hosts.items()
        },
    }


def _figure(shares: Sequence[float]) -> dict[str, float]:
    """The mean over sessions, and where 95 of 100 means of sessions drawn again would lie."""
    chance = random.Random(SEED)
    means = sorted(statistics.fmean(chance.choices(shares, k=len(shares))) for _ in range(DRAWS))
    low, high = means[int(DRAWS * 0.025)], means[int(DRAWS * 0.975)]
    return {"mean": round(statistics.fmean(shares), 3), "low": round(low, 3), "high": round(high, 3)}


def show_future(found: dict[str, Any]) -> None:
    """Print the figures as tables, and whether the targets are met."""
    for package in found["missing"]:
        print(f"left out, not installed: {package}")
    for reduction, systems in found["reductions"].items():
        sessions = next(iter(systems.values()))["sessions"]
        print(
            f"\n{reduction}x smaller, {sessions} sessions ({found['part']}): share kept of what the next messages use"
        )
        print(f"{'':15}{'the name':>19}{'in its context':>19}{'room':>6}{'broken':>8}  by host (name / in context)")
        for name, one in systems.items():
            hosts = "  ".join(
                f"{host} {at['name']['mean']:.2f} / {at['in_context']['mean']:.2f} ({at['sessions']})"
                for host, at in one["hosts"].items()
            )
            figures = f"{_shown(one['name']):>19}{_shown(one['in_context']):>19}{one['room_used']:>6.2f}"
            print(f"{name:15}{figures}{one['broken_pairs']:>8}  {hosts}")
    print()
    for sentence, met in future_verdicts(found):
        print(f"{'met   ' if met else 'MISSED'}  {sentence}")


def future_verdicts(found: dict[str, Any]) -> list[tuple[str, bool]]:
    """The targets, and whether each is met."""
    said = []
    for reduction, targets in TARGETS.items():
        one = found["reductions"].get(str(reduction), {}).get(OURS)
        for figure, target in zip(("name", "in_context"), targets, strict=True):
            if one:
                mean = one[figure]["mean"]
                label = figure.replace("_", " ")
                said.append((f"{label} {mean} at {reduction}x is at least {target}", mean >= target))
    return said


def _shown(figure: dict[str, float]) -> str:
    return f"{figure['mean']:.3f} [{figure['low']:.2f}, {figure['high']:.2f}]"
