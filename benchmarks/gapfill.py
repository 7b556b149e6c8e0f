"""Is something durable said? `python -m benchmarks.gapfill FILE [--json] [--holdout auto|NAME,NAME,...]`.

FILE holds JSON lines `{id, group, text, prev, label, labels: [{kind, scope, statement, span, confidence}], stratum,
net_hit}`; `.xz` is read as it is. The stratum `net` was drawn with a wide net of keywords: messages that hit it are
weighed down to their share in the stratum `random`. Intervals are 95 % (Wilson; with weights, on the effective
number of cases). Below the messages, entries are counted: a right one rests on a labelled place, a careful one shares
at least .6 of its words with the labelled statement. Talk without a decision: the files in which nothing is labelled.

A file of `{store, prev, text, durable, statement, scope}` (the everyday set) is read too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data_sets import data_set
from recollect.memory.gapfill.finding import Found, find_durable

Record = dict[str, Any]
Judge = Callable[[Record], bool]

KEYWORDS = re.compile(
    r"\b(?:always|never|don't|do not|prefer|remember|instead|must|should|from now on|make sure|avoid|stop)\b",
    re.IGNORECASE,
)
Z = 1.96
HELD_OUT = 3
CAREFUL = 0.6  # of the words


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


def as_labelled(record: Record, number: int) -> Record:
    """A message of the everyday set in the shape of the others: the whole of it is the place."""
    if "durable" not in record:
        return record
    said = {name: record.get(name, "") for name in ("scope", "statement")}
    label = {"kind": "", **said, "confidence": "high", "span": [0, len(record["text"])]}
    return {
        **record,
        "id": str(number),
        "group": record["store"],
        "label": "positive" if record["durable"] else "none",
        "labels": [label] * record["durable"],
    }


def overlap_of_words(one: str, two: str) -> float:
    """How many of the words of two texts are the same."""
    ours, theirs = (Counter(re.findall(r"\w+", text.lower())) for text in (one, two))
    return 2 * sum((ours & theirs).values()) / max(1, sum(ours.values()) + sum(theirs.values()))


def entries(records: list[Record], found: dict[str, list[Found]], *, sure: bool) -> dict[str, float | int]:
    """Of the entries, not of the messages: how many are right, and written as a careful person would."""
    kept = [(one, each) for one in records for each in found[one["id"]] if each.sure == sure]
    right = [
        (max(overlap_of_words(each.statement, label.get("statement") or "") for label in labels), each, labels)
        for one, each in kept
        if (labels := [label for label in one["labels"] if overlap(each, label["span"]) > 0])
    ]
    quiet = {_talk(one) for one in records} - {_talk(one) for one in records if one["label"] == "positive"}
    return {
        "entries": len(kept),
        "right": len(right) / len(kept) if kept else 0.0,
        "right and careful": sum(share >= CAREFUL for share, _, _ in right) / len(kept) if kept else 0.0,
        "careful, of the right ones": sum(share >= CAREFUL for share, _, _ in right) / max(1, len(right)),
        "scope right": sum(any(label["scope"] == each.scope for label in labels) for _, each, labels in right)
        / max(1, len(right)),
        "talks without a decision": len(quiet),
        "entries from these": sum(_talk(one) in quiet for one, _ in kept),
    }


def _talk(record: Record) -> str:
    return f"{record['group']} {record.get('file', record['id'])}"


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


def overlap(one: Found, span: list[int]) -> float:
    """How much of a find and of a labelled place is the same text."""
    common = min(one.end, span[1]) - max(one.start, span[0])
    return max(0, common) / (max(one.end, span[1]) - min(one.start, span[0]))


def run(records: list[Record], choice: str) -> dict[str, Any]:
    """All tables for one file."""
    began = time.perf_counter()
    found = {one["id"]: find_durable(one["text"], before=one.get("prev") or "") for one in records}
    spent = time.perf_counter() - began
    rules: dict[str, Judge] = {
        "recollect, stored": lambda one: any(each.sure for each in found[one["id"]]),
        "recollect, waiting too": lambda one: bool(found[one["id"]]),
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
        "entries": {
            f"{name}, {part}": entries(chosen, found, sure=name == "stored")
            for part, chosen in (("all", records), ("held out", [one for one in records if one["group"] in apart]))
            for name in ("stored", "waiting")
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
    for part, values in result["entries"].items():
        print(f"\nENTRIES {part}")
        for name, value in values.items():
            print(f"  {name:30}{value if isinstance(value, int) else f'{value:.2f}'}")
    print(f"\n{result['ms_per_message']:.2f} ms a message")


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="benchmarks.gapfill", description=__doc__)
    parser.add_argument("file", type=data_set)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--holdout", default="auto", help="auto, names with commas, or nothing")
    options = parser.parse_args(arguments)
    result = run([as_labelled(one, at) for at, one in enumerate(read(options.file))], options.holdout)
    if options.json:
        result["rows"] = [each._asdict() for each in result["rows"]]
        json.dump(result, sys.stdout, indent=1)
    else:
        show(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
