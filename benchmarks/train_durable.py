"""Train the scorer of typed messages.

`python -m benchmarks.train_durable FILE... [--leave-out NAME,...] [--out PATH]`. FILE holds JSON lines as
`benchmarks.gapfill` reads them, or those of an everyday set: typed messages, stores (each fact holds) or prompts (none
does). The invented messages of `benchmarks.durable_examples` are always part of it. Logistic regression with a ridge on
the features of `recollect.memory.gapfill.features`; only features that occur in several people's messages count. The
probability is calibrated on people whom the weights have not seen, eight folds by group. Prints what each fold's scorer
reaches on the others; writes hashes and weights, never a word.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import durable_examples as invented
from benchmarks.gapfill import read
from recollect.memory.gapfill.finding import read_message
from recollect.memory.gapfill.scorer import PATH, STEP, hashed, packed
from recollect.text.language.sentences import Sentence

FOLDS = 8
RIDGE = 3.0
HINT = 0.5  # what is learnt from other answers about a message counts so much
USER_RIDGE = 2.0
FEWEST_GROUPS = 3  # a word of one person says nothing about the next
LEAST_WEIGHT = 0.004
OVERLAP = 0.3
SUREST = 0.4  # the share of the messages in which the probability decides anything
# What a message of each source counts.
SHARES = {"people": 1.0, "everyday": 0.5, "invented": 0.35, "passing": 1.0, "stores": 0.15}
BANDS = (0.8, 0.6, 0.5, 0.35, 0.25, 0.15, 0.0)
RECALLS = (0.12, 0.2, 0.35, 0.5)

Features = dict[str, float]
Numbers = np.ndarray[Any, Any]


class Example(NamedTuple):
    """A message with what is durable in it."""

    group: str
    source: str  # of SHARES; the invented ones are durable, passing ones not
    text: str
    before: str
    durable: bool
    spans: tuple[tuple[int, int], ...]  # where; none when only the statement is known
    statement: str
    scope: str
    hints: tuple[bool, bool] | None = None  # is something said outright, and is it a statement or a correction?


class Rows(NamedTuple):
    """Rows of features with their answers."""

    features: list[Features]
    answers: Numbers
    weights: Numbers
    groups: list[str]
    sources: list[str]
    message: Numbers  # the number of each row's message
    voiced: Numbers  # whether the person says it: only that can be kept
    hints: list[tuple[bool, bool] | None]  # of messages


class Fitted(NamedTuple):
    """What was learnt: weights by name, and the constant."""

    weights: dict[str, float]
    constant: float


def examples(paths: list[str], leave_out: set[str]) -> list[Example]:
    """The labelled messages of all files, and the invented ones."""
    mixed = str(invented.EXAMPLES / "mixed.jsonl")
    found = [example for path in [*paths, mixed] for record in read(path) for example in _examples(record)]
    for group, text in [*_grouped(invented.DURABLE + invented.LESS_SURE), *invented.by_person("lasting")]:
        found.append(Example(group, "invented", text, "", True, ((0, len(text)),), "", ""))
    for group, text in [*_grouped(invented.OF_THE_MOMENT + invented.PASSING), *invented.by_person("passing")]:
        found.append(Example(group, "passing", text, "", False, (), "", ""))
    return [one for one in found if one.group not in leave_out]


def _grouped(texts: list[str]) -> list[tuple[str, str]]:
    return [(f"invented {at % 12}", text) for at, text in enumerate(texts)]


def _examples(record: dict[str, Any]) -> list[Example]:
    if "facts" in record:
        told = [(fact["text"], fact["scope"]) for fact in record["facts"]]
        group = f"everyday {record['store']}"
        return [Example(group, "stores", text, "", True, ((0, len(text)),), "", scope) for text, scope in told]
    if "prompt" in record:
        return [Example(f"everyday {record['store']}", "stores", record["prompt"], "", False, (), "", "")]
    return [_example(record)]


def _example(record: dict[str, Any]) -> Example:
    text, before = record["text"], record.get("prev") or ""
    if "durable" in record:
        durable, statement = bool(record["durable"]), record.get("statement") or ""
        group = f"everyday {record['store']}"
        return Example(group, "everyday", text, before, durable, (), statement, record.get("scope") or "")
    spans = tuple((start, end) for start, end in (label["span"] for label in record["labels"]))
    scopes = [label["scope"] for label in record["labels"]]
    scope = scopes[0] if len(set(scopes)) == 1 else ""
    outright = any(label["confidence"] == "high" for label in record["labels"])
    kind = record.get("kind_of_message")
    hints = (outright, kind in ("statement", "correction")) if kind else None
    return Example(record["group"], "people", text, before, record["label"] == "positive", spans, "", scope, hints)


def is_durable(one: Sentence, example: Example, spoken: list[Sentence]) -> bool:
    """Whether this sentence holds what the label speaks of."""
    if not example.durable:
        return False
    if example.spans:
        return any(
            min(one.end, end) - max(one.start, start) > OVERLAP * min(end - start, one.end - one.start)
            for start, end in example.spans
        )
    shares = [_share(example, each) for each in spoken]
    return 0 < _share(example, one) >= 0.75 * max(shares)


def _share(example: Example, one: Sentence) -> float:
    said = set(re.findall(r"\w+", example.text[one.start : one.end].lower()))
    wanted = set(re.findall(r"\w+", example.statement.lower()))
    return len(said & wanted) / max(1, len(wanted)) - 0.001 * len(said)


def rows_of(found: list[Example]) -> tuple[Rows, Rows, Rows]:
    """One row for each message, one for each sentence, and one for each durable sentence whose scope is known."""
    messages: list[tuple[Any, ...]] = []
    single: list[tuple[Any, ...]] = []
    personal: list[tuple[Any, ...]] = []
    for number, example in enumerate(found):
        read = read_message(example.text, example.before)
        spoken = read.spoken
        place = (example.group, example.source, number)
        counts = SHARES[example.source]
        messages.append((read.features.message, example.durable, counts, *place, True, example.hints))
        for at, (one, features) in enumerate(zip(spoken, read.features.sentences, strict=True)):
            holds = is_durable(one, example, spoken)
            voiced = bool(read.voiced) and read.voiced[at]
            single.append((features, holds, counts * len(spoken) ** -0.5, *place, voiced, None))
            if holds and example.scope:
                personal.append((features, example.scope == "user", 1.0, *place, voiced, None))
    return _rows(messages), _rows(single), _rows(personal)


def _rows(several: list[tuple[Any, ...]]) -> Rows:
    features, answers, weights, groups, sources, message, voiced, hints = zip(*several, strict=True)
    return Rows(
        features=list(features),
        answers=np.array(answers, float),
        weights=np.array(weights),
        groups=list(groups),
        sources=list(sources),
        message=np.array(message),
        voiced=np.array(voiced, bool),
        hints=list(hints),
    )


def fit(rows: Rows, keep: Numbers, ridge: float) -> Fitted:
    """Learn from the rows to keep."""
    chosen = np.flatnonzero(keep)
    seen: dict[str, set[str]] = {}
    for at in chosen:
        for name in rows.features[at]:
            seen.setdefault(name, set()).add(rows.groups[at])
    names = [name for name, groups in seen.items() if len(groups) >= FEWEST_GROUPS]
    column = {name: at for at, name in enumerate(names)}
    cells: list[tuple[int, int, float]] = []
    for number, at in enumerate(chosen):
        for name, amount in rows.features[at].items():
            if name in column:
                cells.append((number, column[name], amount))
    row, place, value = zip(*cells, strict=True)
    matrix = (np.array(row), np.array(place), np.array(value))
    learnt = _logistic(matrix, rows.answers[chosen], rows.weights[chosen], len(column), ridge)
    return Fitted(dict(zip(names, learnt[:-1].tolist(), strict=True)), float(learnt[-1]))


def fit_messages(rows: Rows, keep: Numbers, ridge: float) -> Fitted:
    """As fit; what else readers said of a message (outright? a statement?) is learnt too, and counts by a part."""
    fitted = fit(rows, keep, ridge)
    hinted = keep & np.array([hints is not None for hints in rows.hints])
    if not hinted.any():
        return fitted
    weights, constant = dict(fitted.weights), fitted.constant
    for at in range(2):
        answers = np.array([float(hints[at]) if hints else 0.0 for hints in rows.hints])
        more = fit(rows._replace(answers=answers), hinted, ridge)
        constant += HINT * more.constant
        for name, weight in more.weights.items():
            weights[name] = weights.get(name, 0.0) + HINT * weight
    return Fitted(weights, constant)


def _logistic(
    matrix: tuple[Numbers, Numbers, Numbers], answers: Numbers, weights: Numbers, columns: int, ridge: float
) -> Numbers:
    row, place, value = matrix
    sign = 2 * answers - 1

    def slope(learnt: Numbers) -> tuple[float, Numbers]:
        scores = np.bincount(row, value * learnt[place], minlength=len(answers)) + learnt[-1]
        margin = -sign * scores
        loss = float(np.logaddexp(0, margin) @ weights + ridge / 2 * learnt[:-1] @ learnt[:-1])
        back = -sign * weights / (1 + np.exp(-margin))
        gradient = np.append(np.bincount(place, value * back[row], minlength=columns) + ridge * learnt[:-1], back.sum())
        return loss, gradient

    return _least(slope, np.zeros(columns + 1))


def _least(slope: Any, start: Numbers, *, steps: int = 150, remembered: int = 8) -> Numbers:
    """L-BFGS: where a smooth convex function is least."""
    at = start
    loss, gradient = slope(at)
    past: list[tuple[Numbers, Numbers]] = []
    for _ in range(steps):
        way = gradient.copy()
        shares = []
        for moved, turned in reversed(past):
            share = moved @ way / (turned @ moved)
            shares.append(share)
            way -= share * turned
        if past:
            moved, turned = past[-1]
            way *= moved @ turned / (turned @ turned)
        for (moved, turned), share in zip(past, reversed(shares), strict=True):
            way += moved * (share - turned @ way / (turned @ moved))
        length = 1.0 if past else 1 / max(1.0, float(np.abs(way).sum()))
        down = float(gradient @ way)
        while (found := slope(at - length * way))[0] > loss - 1e-4 * length * down and length > 1e-10:
            length /= 2
        after, new = found
        step, turn = -length * way, new - gradient
        at = at + step
        if loss - after < 1e-7 * abs(loss):
            break
        loss, gradient = after, new
        if step @ turn > 0:
            past = [*past, (step, turn)][-remembered:]
    return at


def scores(fitted: Fitted, rows: Rows, keep: Numbers) -> Numbers:
    """The log-odds of the rows to keep."""
    weights = fitted.weights
    found = np.zeros(len(keep))
    for at in np.flatnonzero(keep):
        found[at] = fitted.constant + sum(weights.get(name, 0.0) * value for name, value in rows.features[at].items())
    return found


def unseen_scores(rows: Rows, ridge: float) -> Numbers:
    """The score of each row by a scorer that has not seen its group."""
    fold = folds_of(rows)
    return sum(
        (scores(fit_messages(rows, fold != one, ridge), rows, fold == one) for one in range(FOLDS)), np.zeros(len(fold))
    )


def folds_of(rows: Rows) -> Numbers:
    """The fold of each row: all that one group typed is in the same."""
    return np.array([int(hashlib.sha256(name.encode()).hexdigest(), 16) % FOLDS for name in rows.groups])


def best_of(messages: Rows, single: Rows, of_message: Numbers, of_sentence: Numbers) -> dict[int, tuple[float, int]]:
    """For each message the surest sentence that the person says: the score and the row."""
    best: dict[int, tuple[float, int]] = {}
    for at, number in enumerate(single.message):
        if not single.voiced[at]:
            continue
        score = of_message[number] + of_sentence[at]
        if number not in best or score > best[number][0]:
            best[number] = (score, at)
    return best


def calibrated(values: Numbers, answers: Numbers) -> tuple[float, float]:
    """The slope and the constant that turn scores into log-odds."""
    row, place = np.arange(len(values)), np.zeros(len(values), int)
    slope, constant = _logistic((row, place, values), answers, np.ones(len(values)), 1, 0.01)
    return round(float(slope), 4), round(float(constant), 4)


def show(name: str, score: Numbers, answers: Numbers) -> None:
    """Precision at several recalls."""
    order = np.argsort(-score, kind="stable")
    hits = np.cumsum(answers[order])
    parts = []
    for recall in RECALLS:
        at = int(np.searchsorted(hits, np.ceil(recall * hits[-1])))
        parts.append(f"{hits[at] / (at + 1):.2f} at {recall:.2f}")
    mean = float((hits / np.arange(1, len(hits) + 1))[answers[order] > 0].mean())
    print(f"{name:10}{len(score):6} messages, {int(answers.sum())} durable: {', '.join(parts)}; average {mean:.3f}")


def show_bands(sure: Numbers, answers: Numbers) -> None:
    """What the probability is worth: of the messages in each band, how many hold something durable."""
    above = 1.0
    for band in BANDS:
        inside = (sure >= band) & (sure <= above if above == 1.0 else sure < above)
        print(f"from {band:.2f} {int(inside.sum()):6} messages: {int(answers[inside].sum())} durable")
        above = band


class Judged(NamedTuple):
    """The surest sentences of people's messages, by a scorer that has not seen them."""

    numbers: Numbers  # of the messages
    values: Numbers  # the scores
    answers: Numbers


def judged_of(found: list[Example], single: Rows, best: dict[int, tuple[float, int]]) -> Judged:
    """The sentences that the probability is calibrated on: those in which it decides something."""
    numbers = np.array([at for at in best if found[at].source == "people"] or list(best))
    values = np.array([best[number][0] for number in numbers])
    answers = single.answers[[best[number][1] for number in numbers]]
    chosen = values >= np.quantile(values, 1 - SUREST)
    return Judged(numbers[chosen], values[chosen], answers[chosen])


def weights_from(rows: tuple[Rows, Rows, Rows], keep: list[Numbers], line: tuple[float, float]) -> bytes:
    """The file of weights learnt from the rows to keep; `line` turns their sum into log-odds."""
    messages, single, personal = rows
    whole, each = fit_messages(messages, keep[0], RIDGE), fit(single, keep[1], RIDGE)
    user = fit(personal, keep[2], USER_RIDGE)
    slope, bias = line
    head = {
        "bias": round(bias + slope * (whole.constant + each.constant), 6),
        "slope": slope,
        "user_bias": round(user.constant, 6),
    }
    named = {**whole.weights, **each.weights, **{f"user {name}": value for name, value in user.weights.items()}}
    kept = {hashed(name): round(value / STEP) for name, value in named.items() if abs(value) >= LEAST_WEIGHT}
    return packed(head, kept)


def train(found: list[Example]) -> bytes:
    """The file of weights for these messages."""
    messages, single, personal = rows = rows_of(found)
    best = best_of(messages, single, unseen_scores(messages, RIDGE), unseen_scores(single, RIDGE))
    for source in SHARES:
        numbers = [number for number in best if messages.sources[number] == source]
        if any(messages.answers[numbers]):
            show(source, np.array([best[number][0] for number in numbers]), messages.answers[numbers])
    if len(personal.answers) > FOLDS:
        right = (unseen_scores(personal, USER_RIDGE) > 0) == (personal.answers > 0)
        print(f"scope     {len(right):6} sentences: {right.mean():.2f} right")
    judged = judged_of(found, single, best)
    slope, constant = line = calibrated(judged.values, judged.answers)
    show_bands(1 / (1 + np.exp(-constant - slope * judged.values)), judged.answers)
    return weights_from(rows, [np.ones(len(one.answers), bool) for one in rows], line)


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="benchmarks.train_durable", description=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--leave-out", default="", help="groups that are not looked at, with commas")
    parser.add_argument("--out", default=PATH)
    options = parser.parse_args(arguments)
    raw = train(examples(options.files, set(options.leave_out.split(","))))
    Path(options.out).write_bytes(raw)
    print(f"{len(raw) / 1000:.0f} KB in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
