"""What each sign is worth that a prompt needs an entry: a logistic regression over sets as `benchmarks.everyday` reads.

`python -m benchmarks.learn_recall FOLDER [FOLDER ...] [--semantic] [--enough 0.5] [--write]`
What a prompt shares with the projects of other stores is chance: there it needs nothing, which counts a fifth.
Prints what the answers would be at several thresholds, each store with weights learned on the others; `--write` puts
the weights learned on all of them into `recollect.memory.learned` instead. `--semantic`: those for signs of nearness.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

from benchmarks import everyday
from benchmarks.data_sets import data_set
from recollect import Recollect
from recollect.flows.turns import recall
from recollect.memory import learned
from recollect.memory.queries import understand
from recollect.memory.signs import NEAR_SIGNS, SIGNS, near_signs, signs_of
from recollect.providers.sentences import Sentences
from recollect.text.extras import install_line

STEPS = 9
STRANGE = 0.2  # what a sample from another project counts: there are many of them
PULL = 3.0  # towards zero, for a sign that is as wide as its spread
THRESHOLDS = [0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60]
MOST = 8  # entries in a turn
Vector = list[float]


@dataclass
class Sample:
    """One entry that a prompt was offered: its signs, and whether it is needed (None: it may come)."""

    store: str
    prompt: int
    key: str
    found: Vector
    is_needed: bool | None
    counts: float = 1.0


class Model:
    """Weights for signs as they are, and a bias."""

    def __init__(self, weights: Vector, bias: float) -> None:
        self.weights, self.bias = weights, bias

    def chance(self, found: Vector) -> float:
        """How likely an entry with these signs is needed."""
        return logistic(self.bias + sum(map(float.__mul__, self.weights, found)))


def logistic(value: float) -> float:
    """From any number to a chance."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))


def samples(folder: str, sentences: Sentences | None = None) -> tuple[list[everyday.Row], list[Sample]]:
    """The prompts of a set, and every entry that each was offered."""
    cases = everyday.read(folder, "prompts")
    found: list[Sample] = []
    with tempfile.TemporaryDirectory() as work:
        for store in everyday.read(folder, "stores"):
            home = everyday.Home(os.path.join(work, store["store"]), store, sentences)
            with home.opened() as memory:
                for number, case in enumerate(cases):
                    found += offered(case, number, home, memory, is_strange=case["store"] != store["store"])
    return cases, found


def offered(
    case: everyday.Row, number: int, home: everyday.Home, memory: Recollect, *, is_strange: bool
) -> list[Sample]:
    """What the search offers one prompt, with its signs; of a project that it was not typed in, what is not the
    user's own."""
    opened = memory.opened
    filters, limits, store = opened.filters()._replace(layers=("L1",)), opened.limits(), opened.store
    with store.read():
        search = store.search_entries(recall.places(filters, store))
        query = understand(case["prompt"], search.name_heads)
        if not query.terms:
            return []
        sought = recall.weighed(query, search)
        matches = recall.candidates(sought, search, filters, limits)
        stored = store.entries.by_ids([one.entry_id for one, _ in matches])
        said = [(one.tokens, stored[one.entry_id].entry.content, evidence) for one, evidence in matches]
        every = signs_of(said, sought.asked, sought.frequencies.terms)
        if home.sentences is not None and matches:
            places = recall.places(filters, store).repositories
            nearness = opened.near(query.text, places, [one.entry_id for one, _ in matches])
            assert nearness is not None
            every = [
                [*own, *near_signs(own, nearness.cosines[one.entry_id], nearness)]
                for (one, _), own in zip(matches, every, strict=True)
            ]
    rows = []
    for (one, _), found in zip(matches, every, strict=True):
        key, place = home.keys[one.entry_id], os.path.basename(home.root)
        if not is_strange:
            is_needed = None if key in case["may"] else key in case["must"]
            rows.append(Sample(place, number, key, found, is_needed))
        elif stored[one.entry_id].entry.scope != "user":
            rows.append(Sample(place, number, key, found, False, STRANGE))
    return rows


def learn(rows: list[Sample]) -> Model:
    """Newton's method on signs of equal spread, with a pull towards zero."""
    certain = [row for row in rows if row.is_needed is not None]
    columns = list(zip(*[row.found for row in certain], strict=True))
    means = [sum(column) / len(column) for column in columns]
    spreads = [
        sqrt(sum((value - mean) ** 2 for value in column) / len(column)) or 1.0
        for column, mean in zip(columns, means, strict=True)
    ]
    points = [
        [*[(value - mean) / spread for value, mean, spread in zip(row.found, means, spreads, strict=True)], 1.0]
        for row in certain
    ]
    weights = [0.0] * (len(means) + 1)
    for _ in range(STEPS):
        weights = [one - step for one, step in zip(weights, newton_step(points, certain, weights), strict=True)]
    own = [weight / spread for weight, spread in zip(weights, spreads, strict=False)]
    return Model(own, weights[-1] - sum(map(float.__mul__, own, means)))


def newton_step(points: list[Vector], rows: list[Sample], weights: Vector) -> Vector:
    """Which way, and how far, the weights are off."""
    size = len(weights)
    pulls = [PULL] * (size - 1) + [1e-6]
    slope = [pull * weight for pull, weight in zip(pulls, weights, strict=True)]
    curve = [[pulls[at] if at == other else 0.0 for other in range(size)] for at in range(size)]
    for point, row in zip(points, rows, strict=True):
        chance = logistic(sum(map(float.__mul__, point, weights)))
        off, bend = row.counts * (chance - bool(row.is_needed)), row.counts * chance * (1 - chance)
        for at, value in enumerate(point):
            slope[at] += off * value
            line, bent = curve[at], bend * value
            for other, other_value in enumerate(point):
                line[other] += bent * other_value
    return solve(curve, slope)


def solve(matrix: list[Vector], right: Vector) -> Vector:
    """The vector that this matrix takes to the right side, by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda place: abs(rows[place][at]))
        rows[at], rows[best] = rows[best], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for place, line in enumerate(rows):
            if place != at and line[at]:
                rows[place] = [value - line[at] * own for value, own in zip(line, rows[at], strict=True)]
    return [line[-1] for line in rows]


def left_one_out(rows: list[Sample]) -> list[tuple[float, Sample]]:
    """Each sample with the chance that the samples of all other stores give it."""
    found = []
    for store in sorted({row.store for row in rows}):
        model = learn([row for row in rows if row.store != store])
        found += [(model.chance(row.found), row) for row in rows if row.store == store and row.counts == 1.0]
    return found


def figures(cases: list[everyday.Row], judged: list[tuple[float, Sample]], enough: float) -> dict[str, Any]:
    """What the prompts would get at this threshold."""
    got: dict[int, list[tuple[float, str]]] = {}
    for chance, row in judged:
        if chance >= enough:
            got.setdefault(row.prompt, []).append((chance, row.key))
    best = {number: [key for _, key in sorted(rows, reverse=True)[:MOST]] for number, rows in got.items()}
    answers = [everyday.answered(case, best.get(number, [])) for number, case in enumerate(cases)]
    return everyday.prompt_figures(answers)


def written(plain: tuple[Model, float], near: tuple[Model, float]) -> str:
    """The module that holds the weights, each with the chance that is enough."""
    return (
        '"""What each sign of `recollect.memory.signs` is worth. Written by `python -m benchmarks.learn_recall`."""\n\n'
        "from __future__ import annotations\n\n"
        + table("", *plain, SIGNS)
        + "\n# Where somebody knows how near in meaning an entry is.\n"
        + table("NEAR_", *near, (*SIGNS, *NEAR_SIGNS))
    )


def table(prefix: str, model: Model, enough: float, names: tuple[str, ...]) -> str:
    """One table of weights."""
    lines = [f"    {weight:.4f},  # {sign}" for sign, weight in zip(names, model.weights, strict=True)]
    return (
        f"{prefix}BIAS = {model.bias:.4f}\n"
        f"{prefix}ENOUGH = {enough:g}  # the chance that is worth a turn's tokens\n"
        f"{prefix}WEIGHTS = (\n" + "\n".join(lines) + "\n)\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Learn, and print or write what was learned."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn_recall", description=__doc__)
    parser.add_argument("folders", nargs="+", type=data_set, metavar="FOLDER")
    parser.add_argument("--enough", type=float, help="the chance at which an entry comes")
    parser.add_argument("--semantic", action="store_true", help="learn the signs of nearness, with the extra")
    parser.add_argument("--write", action="store_true", help="put the weights into the program")
    options = parser.parse_args(arguments)
    sentences = Sentences.load() if options.semantic else None
    if options.semantic and sentences is None:
        parser.error(f"--semantic needs the extra: {install_line('semantic')}")
    cases: list[everyday.Row] = []
    rows: list[Sample] = []
    for folder in options.folders:
        own_cases, own_rows = samples(folder, sentences)
        for row in own_rows:
            row.store, row.prompt = f"{folder} {row.store}", row.prompt + len(cases)
        cases, rows = cases + own_cases, rows + own_rows
    if options.write:
        plain = (Model(list(learned.WEIGHTS), learned.BIAS), learned.ENOUGH)
        near = (Model(list(learned.NEAR_WEIGHTS), learned.NEAR_BIAS), learned.NEAR_ENOUGH)
        if sentences is None:
            plain = (learn(rows), options.enough or learned.ENOUGH)
        else:
            near = (learn(rows), options.enough or learned.NEAR_ENOUGH)
        text = written(plain, near)
        with open(learned.__file__, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    judged = left_one_out(rows)
    for enough in THRESHOLDS:
        print(
            f"{enough:.2f}  " + "  ".join(f"{what} {value}" for what, value in figures(cases, judged, enough).items())
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
