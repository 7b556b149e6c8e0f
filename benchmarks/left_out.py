"""What is kept of messages by people whom the weights have not seen.

`python -m benchmarks.left_out FILE... [--groups] [--json]`, with the files of `benchmarks.train_durable`. Eight folds
by group: the whole reader reads each fold with weights that were learnt and calibrated on the other seven. First
messages, weighed as `benchmarks.gapfill` weighs them; then entries, and how many are right in each band of confidence.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable

import numpy as np

from benchmarks import gapfill as bench
from benchmarks import train_durable as training
from recollect.memory.gapfill.finding import Found, find_durable
from recollect.memory.gapfill.scorer import Scorer, unpacked

BANDS = (0.8, 0.6, 0.5, 0.35, 0.25, 0.0)

Kept = dict[str, list[Found]]


def fold_scorers(found: list[training.Example]) -> Iterable[tuple[set[str], Scorer]]:
    """For each fold its groups, and a scorer that has not seen them."""
    rows = training.rows_of(found)
    messages, single, _ = rows
    best = training.best_of(
        messages,
        single,
        training.unseen_scores(messages, training.RIDGE),
        training.unseen_scores(single, training.RIDGE),
    )
    judged = training.judged_of(found, single, best)
    folds = [training.folds_of(one) for one in rows]
    for fold in range(training.FOLDS):
        others = folds[0][judged.numbers] != fold
        line = training.calibrated(judged.values[others], judged.answers[others])
        groups = {name for name, one in zip(messages.groups, folds[0], strict=True) if one == fold}
        yield groups, unpacked(training.weights_from(rows, [one != fold for one in folds], line))


def read_unseen(records: list[bench.Record], found: list[training.Example]) -> Kept:
    """What each message leaves, by its id."""
    kept: Kept = {}
    for groups, learned in fold_scorers(found):
        for one in records:
            if one["group"] in groups:
                kept[one["id"]] = find_durable(one["text"], before=one.get("prev") or "", learned=learned)
    return kept


def show_messages(name: str, records: list[bench.Record], kept: Kept) -> None:
    """Precision and recall of what is stored, and of what is stored or waits."""
    weight = bench.weights(records)
    for rule, judge in (
        ("stored", lambda one: any(each.sure for each in kept[one["id"]])),
        ("or waiting", lambda one: bool(kept[one["id"]])),
    ):
        for part, weighted in (("as drawn", False), ("weighted", True)):
            row = bench.row(part, rule, bench.judged(records, weight, judge), weighted=weighted)
            rates = f"precision {row.precision!s:14}recall {row.recall!s:14}outright {row.outright}"
            print(f"{name:12}{rule:11}{part:9}{row.said:>5} of {row.messages:<5}{rates}")


def show_entries(name: str, records: list[bench.Record], kept: Kept) -> None:
    """How many entries are right, careful and in the right scope; and what their confidence is worth."""
    for sure in (True, False):
        values = bench.entries(records, kept, sure=sure)
        shown = ", ".join(
            f"{each} {value if isinstance(value, int) else f'{value:.2f}'}" for each, value in values.items()
        )
        print(f"{name:12}{'stored' if sure else 'waiting'}: {shown}")


def show_bands(records: list[bench.Record], kept: Kept) -> None:
    """Of the entries in each band of confidence, how many rest on a labelled place."""
    every = [
        (one.confidence, one.sure, any(bench.overlap(one, label["span"]) > 0 for label in record["labels"]))
        for record in records
        for one in kept[record["id"]]
    ]
    above = 1.01
    for band in BANDS:
        inside = [one for one in every if band <= one[0] < above]
        above = band
        if inside:
            right = sum(one[2] for one in inside)
            low, high = bench.wilson(right / len(inside), len(inside))
            said = np.mean([one[0] for one in inside])
            print(
                f"from {band:.2f}{len(inside):5} entries, on average {said:.2f}: {right / len(inside):.2f}"
                f" [{low:.2f}, {high:.2f}] right; {sum(one[1] for one in inside)} stored"
            )


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="benchmarks.left_out", description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--groups", action="store_true", help="what is stored, group by group")
    parser.add_argument("--json", action="store_true", help="entries alone, as one JSON document")
    options = parser.parse_args(arguments)
    found = training.examples(options.files, set())
    parts: dict[str, list[bench.Record]] = {}
    for path in options.files:
        for at, one in enumerate(one for one in bench.read(path) if "text" in one):
            labelled = bench.as_labelled(one, at)
            if "durable" in one:
                labelled["group"] = f"everyday {one['store']}"
            name = "everyday" if "durable" in one else "people"
            parts.setdefault(name, []).append(labelled | {"id": f"{path} {labelled['id']}"})
    kept = read_unseen([one for records in parts.values() for one in records], found)
    if options.json:
        entries = {
            name: {rule: bench.entries(records, kept, sure=rule == "stored") for rule in ("stored", "waiting")}
            for name, records in parts.items()
        }
        print(json.dumps(entries, indent=2))
        return 0
    for name, records in parts.items():
        show_messages(name, records, kept)
        show_entries(name, records, kept)
        show_bands(records, kept)
        if options.groups:
            for group in sorted({one["group"] for one in records}):
                mine = [one for one in records if one["group"] == group]
                said = [one for one in mine if any(each.sure for each in kept[one["id"]])]
                right = sum(one["label"] == "positive" for one in said)
                durable = sum(one["label"] == "positive" for one in mine)
                print(
                    f"  {group[:40]:42}{len(mine):4} messages, {durable:3} durable, {right} of {len(said)} stored right"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
