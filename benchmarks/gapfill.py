"""Is something durable said? `python -m benchmarks.gapfill FILE [--json] [--holdout auto|NAME,NAME,...]`.

FILE holds JSON lines `{id, group, text, prev, label, labels: [{kind, scope, statement, span, confidence}], stratum,
net_hit}`; `.xz` is read as it is. The stratum `net` was drawn with a wide net of keywords: messages that hit it are
weighed down to their share in the stratum `random`. Intervals are 95 % (Wilson; with weights, on the effective
number of cases).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from recollect.memory.gapfill.finding import CANDIDATE, STORE, Found, find_durable

Record = dict[str, Any]
Judge = Callable[[Record], bool]

KEYWORDS = re.compile(
    r"\b(?:always|never|don't|do not|prefer|remember|instead|must|should|from now on|make sure|avoid|stop)\b",
    re.IGNORECASE,
)
Z = 1.96
HELD_OUT = 3


class Message(NamedTuple):
    """One judged message."""

    weight: float
    durable: bool
    outright: bool
    said: bool


class Rate(NamedTuple):
    """A share with its interval; None without cases."""

    value: float | None
    low: float
    high: float

    def __str__(self) -> str:
        if self.value is None:
            return "-"
        return " ".join((_short(self.value), f"{_short(self.low)}-{_short(self.high)}"))


def _short(value: float) -> str:
    return "1.0" if value >= 0.995 else f"{value:.2f}".removeprefix("0")


class Row(NamedTuple):
    """What one rule did on one part of the messages."""

    part: str
    rule: str
    messages: int
    durable: int
    said: int
    precision: Rate
    recall: Rate
    f1: float
    outright: Rate


def read(path: str) -> list[Record]:
    """The records of a file of JSON lines."""
    raw = Path(path).read_bytes()
    text = (lzma.decompress(raw) if path.endswith(".xz") else raw).decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def held_out(records: list[Record], choice: str) -> list[str]:
    """The groups kept apart: named, or the first three with something durable by the hash of their name."""
    if choice != "auto":
        return choice.split(",") if choice else []
    having = {one["group"] for one in records if one["label"] == "positive"}
    return sorted(having, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:HELD_OUT]


def weights(records: list[Record]) -> list[float]:
    """What each message stands for: the random stratum's share of messages that hit the net."""
    hits = [one for one in records if one.get("net_hit")]
    drawn = sum(one.get("stratum") == "random" for one in hits)
    down = drawn / len(hits) if hits and drawn else 1.0
    return [down if one.get("net_hit") else 1.0 for one in records]


def rate(messages: list[Message], base: Callable[[Message], bool], *, weighted: bool) -> Rate:
    """The share of the base that is both said and durable, with its interval."""
    pairs = [(one.weight if weighted else 1.0, one.said and one.durable) for one in messages if base(one)]
    if not pairs:
        return Rate(None, 0.0, 1.0)
    share = _share(pairs)
    low, high = wilson(share, sum(weight for weight, _ in pairs) ** 2 / sum(weight**2 for weight, _ in pairs))
    return Rate(share, low, high)


def wilson(share: float, size: float) -> tuple[float, float]:
    """The 95 % interval of a share; with weights, size is the effective number of cases."""
    centre = (share + Z * Z / (2 * size)) / (1 + Z * Z / size)
    half = Z / (1 + Z * Z / size) * (share * (1 - share) / size + Z * Z / (4 * size * size)) ** 0.5
    return max(0.0, centre - half), min(1.0, centre + half)


def _share(pairs: list[tuple[float, bool]]) -> float:
    return sum(weight for weight, hit in pairs if hit) / sum(weight for weight, _ in pairs)


def row(part: str, rule: str, messages: list[Message], *, weighted: bool = False) -> Row:
    """Precision, recall and the recall of what is stated outright."""
    precision = rate(messages, lambda one: one.said, weighted=weighted)
    recall = rate(messages, lambda one: one.durable, weighted=weighted)
    p, r = precision.value or 0.0, recall.value or 0.0
    outright = rate(messages, lambda one: one.outright, weighted=weighted)
    counts = (len(messages), sum(one.durable for one in messages), sum(one.said for one in messages))
    return Row(part, rule, *counts, precision, recall, 2 * p * r / (p + r) if p + r else 0.0, outright)


def judged(records: list[Record], weight: list[float], judge: Judge) -> list[Message]:
    """Each message with what it is and what the rule says."""
    return [
        Message(
            weight[at],
            one["label"] == "positive",
            any(label["confidence"] == "high" for label in one["labels"]),
            judge(one),
        )
        for at, one in enumerate(records)
    ]


def quality(records: list[Record], found: dict[str, list[Found]]) -> dict[str, float | int]:
    """Of the durable messages that were stored: is the place right, how much of it, and kind and scope."""
    cases = placed = scopes = kinds = 0
    overlaps: list[float] = []
    for one in records:
        stored = [each for each in found[one["id"]] if each.confidence >= STORE]
        if one["label"] != "positive" or not stored:
            continue
        cases += 1
        best, label, ours = max(
            ((_overlap(each, label["span"]), label, each) for each in stored for label in one["labels"]),
            key=lambda triple: triple[0],
        )
        overlaps.append(best)
        if best > 0:
            placed += 1
            same = [other for other in one["labels"] if other["span"] == label["span"]]
            scopes += any(other["scope"] == ours.scope for other in same)
            kinds += any(_same_kind(other["kind"], ours.kind) for other in same)
    return {
        "stored durable messages": cases,
        "place overlaps": placed / cases if cases else 0.0,
        "overlap of place (IoU)": sum(overlaps) / cases if cases else 0.0,
        "scope right": scopes / placed if placed else 0.0,
        "kind right": kinds / placed if placed else 0.0,
    }


def _overlap(one: Found, span: list[int]) -> float:
    common = min(one.end, span[1]) - max(one.start, span[0])
    return max(0, common) / (max(one.end, span[1]) - min(one.start, span[0]))


def _same_kind(label: str, ours: str) -> bool:
    return ours in ("preference", "fact") if label == "convention" else ours == label


def run(records: list[Record], choice: str) -> dict[str, Any]:
    """All tables for one file."""
    began = time.perf_counter()
    found = {one["id"]: find_durable(one["text"], before=one.get("prev") or "") for one in records}
    spent = time.perf_counter() - began
    rules: dict[str, Judge] = {
        "recollect, stored": lambda one: any(each.confidence >= STORE for each in found[one["id"]]),
        "recollect, candidates too": lambda one: any(each.confidence >= CANDIDATE for each in found[one["id"]]),
        "keyword rule": lambda one: KEYWORDS.search(one["text"]) is not None,
        "store everything": lambda one: True,
    }
    apart = held_out(records, choice)
    weight = weights(records)
    rows: list[Row] = []
    for rule, judge in rules.items():
        messages = judged(records, weight, judge)
        rows += _rows(rule, records, messages, apart, each_group=rule == "recollect, stored")
    return {
        "held_out": apart,
        "rows": rows,
        "quality": {
            "all": quality(records, found),
            **({"held out": quality([one for one in records if one["group"] in apart], found)} if apart else {}),
        },
        "ms_per_message": 1000 * spent / max(1, len(records)),
    }


def _rows(
    rule: str, records: list[Record], messages: list[Message], apart: list[str], *, each_group: bool
) -> list[Row]:
    def part(keep: Callable[[Record], bool]) -> list[Message]:
        return [message for one, message in zip(records, messages, strict=True) if keep(one)]

    rows = [
        row("all, as drawn", rule, messages),
        row("all, weighted", rule, messages, weighted=True),
        row("random stratum", rule, part(lambda one: one.get("stratum") == "random")),
    ]
    if apart:
        rows.append(row("held out, weighted", rule, part(lambda one: one["group"] in apart), weighted=True))
        rows.append(row("the others, weighted", rule, part(lambda one: one["group"] not in apart), weighted=True))
    if each_group:
        for name in sorted({one["group"] for one in records}):
            label = f"{'*' if name in apart else ' '}{name}"
            rows.append(row(label, rule, part(lambda one, name=name: one["group"] == name)))  # type: ignore[misc]
    return rows


def show(result: dict[str, Any]) -> None:
    """The tables, in 80 columns."""
    print(f"held out: {', '.join(result['held_out']) or 'nothing'}")
    rule = ""
    for each in result["rows"]:
        if each.rule != rule:
            rule = each.rule
            print(
                f"\n{rule.upper()}\n{'':22}{'n':>4}{'pos':>4}{'out':>4}  {'precision':14}{'recall':14}{'F1':5}outright"
            )
        numbers = f"{each.messages:>4}{each.durable:>4}{each.said:>4}"
        rates = f"{each.precision!s:14}{each.recall!s:14}{_short(each.f1):5}{each.outright!s}"
        print(f"{each.part[:21]:22}{numbers}  {rates}".rstrip())
    for part, values in result["quality"].items():
        print(f"\nWHAT WAS STORED, {part}")
        for name, value in values.items():
            print(f"  {name:26}{value if isinstance(value, int) else f'{value:.2f}'}")
    print(f"\n{result['ms_per_message']:.2f} ms a message")


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="benchmarks.gapfill", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--holdout", default="auto", help="auto, names with commas, or nothing")
    options = parser.parse_args(arguments)
    result = run(read(options.file), options.holdout)
    if options.json:
        result["rows"] = [each._asdict() for each in result["rows"]]
        json.dump(result, sys.stdout, indent=1)
    else:
        show(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
