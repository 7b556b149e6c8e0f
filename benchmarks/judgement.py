"""What a model adds to the rules: `python -m benchmarks.judgement FOLDER --model SPEC [--sample N] [--minutes M]`.

FOLDER is an everyday set: `stores.jsonl`, `typed.jsonl` and `corrections.jsonl`. Each case is a session of its own, in
a home of its own: imported, digested by rules, and then read by the model as at the end of a session. The rival in the
same run is what the rules alone had left there. The sample is the same every time, and messages and corrections take
turns, so that a slow model can be given a time instead: no case begins after `--minutes`. SPEC is what
`recollect models use` takes.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data_sets import data_set
from recollect import Recollect
from recollect.errors import ProviderError, Refused
from recollect.flows.models.testing import try_model
from recollect.flows.sessions.extraction import extract

Case = dict[str, Any]
SESSION = "0f0f0f0f-1111-4222-8333-444444444444"
SAMPLE = 60
CASES = ("typed.jsonl", "corrections.jsonl")
HOUR = 3_600.0
SECONDS = "RECOLLECT_MODELS__LIMIT_SECONDS"  # a model on a slow machine needs more than most


class Left(NamedTuple):
    """What a home holds after a session."""

    active: tuple[str, ...]
    waiting: int


class Seen(NamedTuple):
    """A case with what rules left and what the model made of it; `why` when it gave no answer."""

    case: Case
    rules: Left
    model: Left
    why: str


class Bench:
    """Homes to try cases in, with one model."""

    def __init__(self, folder: Path, spec: str) -> None:
        self._folder = folder
        self._spec = spec
        self._number = 0
        self.passed = False
        self.repository = folder / "app"
        self.repository.mkdir()
        for words in (("init", "-q"), ("remote", "add", "origin", "git@github.com:acme/app.git")):
            subprocess.run(["git", *words], cwd=self.repository, check=True)

    def prove(self) -> str:
        """Let the model take the test that decides how far it is trusted; returns what came of it."""
        with self._home() as (memory, _):
            try:
                trial = try_model(memory.models)
            except (ProviderError, Refused) as error:
                return str(error)
            self.passed = trial.passed
            return "passed" if trial.passed else f"not passed: {trial.right}"

    def see(self, case: Case, facts: Sequence[Case], said: str, before: str = "") -> Seen:
        """Store the facts, let a session say this, and look before and after the model has read it."""
        with self._home() as (memory, user):
            for fact in facts:
                memory.remember(fact["text"], scope=fact["scope"])
            _write_log(user, self.repository, said, before)
            past = memory.sessions
            past.import_logs(past.logs()[0])
            past.digest()
            rules = _left(memory)
            if self.passed:
                memory.models.ledger.keep_grade(str(memory.models.spec()), {"passed": True})
            [(session, _)] = past.listed()
            done = extract(session, memory.opened, memory.models)
            return Seen(case, rules, _left(memory), done.why)

    @contextmanager
    def _home(self) -> Iterator[tuple[Recollect, Path]]:
        self._number += 1
        user = self._folder / f"user{self._number}"
        user.mkdir()
        environ = {"HOME": str(user), "PATH": os.environ.get("PATH", ""), "RECOLLECT_MODELS__DEFAULT": self._spec}
        environ |= {
            name: os.environ[name] for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", SECONDS) if name in os.environ
        }
        with Recollect.open(str(user / "home"), folder=str(self.repository), environ=environ) as memory:
            yield memory, user


def _left(memory: Recollect) -> Left:
    entries = memory.entries.list(everywhere=True, status="active")
    return Left(tuple(one.content for one in entries if one.layer != "L2"), memory.pending.count())


def _write_log(user: Path, repository: Path, said: str, before: str) -> None:
    """A Claude Code log of two turns, begun an hour from now so that every fact is older."""
    lines = []
    for number, (kind, text) in enumerate(
        (("user", "Go on."), ("assistant", before or "Done."), ("user", said), ("assistant", "Done."))
    ):
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + HOUR + number))
        content: Any = text if kind == "user" else [{"type": "text", "text": text}]
        lines.append(
            {
                "type": kind,
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number else None,
                "timestamp": at,
                "sessionId": SESSION,
                "cwd": str(repository),
                "version": "2.1.0",
                "message": {"role": kind, "content": content, **({"id": f"m{number}"} if kind != "user" else {})},
            }
        )
    folder = user / ".claude" / "projects" / "-app"
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def typed_figures(seen: Sequence[Seen], left: Callable[[Seen], Left]) -> dict[str, float | None]:
    """Precision and recall of what was stored, and recall with what waits."""
    stored = [one for one in seen if left(one).active]
    offered = [one for one in seen if left(one).active or left(one).waiting]
    durable = [one for one in seen if one.case["durable"]]
    right = sum(one.case["durable"] for one in stored)
    return {
        "precision": _share(right, len(stored)),
        "recall": _share(right, len(durable)),
        "recall_with_waiting": _share(sum(one.case["durable"] for one in offered), len(durable)),
    }


def correction_figures(
    seen: Sequence[Seen], facts: dict[str, dict[str, str]], left: Callable[[Seen], Left]
) -> dict[str, float | None]:
    """How often exactly what is no longer true went, where something is due, and how often a true fact was lost."""
    due = [one for one in seen if one.case["replaces"]]

    def gone(one: Seen) -> set[str]:
        return {key for key, text in facts[one.case["store"]].items() if text not in left(one).active}

    exact = sum(gone(one) == set(one.case["replaces"]) for one in due)
    lost = sum(bool(gone(one) - set(one.case["replaces"])) for one in seen)
    return {"exactly_right": _share(exact, len(due)), "true_fact_lost": _share(lost, len(seen))}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def measure(folder: Path, spec: str, sample: int, minutes: float = math.inf) -> dict[str, Any]:
    """Both figures of the model, and of the rules alone."""
    stores = {one["store"]: one for one in _read(folder / "stores.jsonl")}
    facts = {name: {fact["key"]: fact["text"] for fact in one["facts"]} for name, one in stores.items()}
    began = time.monotonic()
    until = began + 60 * minutes
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), spec)
        trial = bench.prove()
        typed, corrections = [], []
        for message, correction in zip_longest(*(_sampled(_read(folder / name), sample) for name in CASES)):
            if message and time.monotonic() < until:
                typed.append(bench.see(message, (), message["text"], message.get("prev", "")))
            if correction and time.monotonic() < until:
                facts_before = stores[correction["store"]]["facts"]
                corrections.append(bench.see(correction, facts_before, correction["said"]))
            print(f"{len(typed)} messages, {len(corrections)} corrections", end="\r", file=sys.stderr)
    return {
        "model": spec,
        "models_test": trial,
        "cases": {"typed": len(typed), "corrections": len(corrections)},
        "without_an_answer": sum(bool(one.why) for one in (*typed, *corrections)),
        "typed": {
            "rules": typed_figures(typed, lambda one: one.rules),
            "rules and model": typed_figures(typed, lambda one: one.model),
        },
        "corrections": {
            "rules": correction_figures(corrections, facts, lambda one: one.rules),
            "rules and model": correction_figures(corrections, facts, lambda one: one.model),
        },
        "seconds": round(time.monotonic() - began, 1),
    }


def _read(path: Path) -> list[Case]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _sampled(cases: list[Case], sample: int) -> list[Case]:
    return cases if sample >= len(cases) else random.Random(17).sample(cases, sample)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=data_set)
    parser.add_argument("--model", required=True, metavar="SPEC")
    parser.add_argument("--sample", type=int, default=SAMPLE)
    parser.add_argument("--minutes", type=float, default=math.inf, help="no case begins later")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(Path(given.folder), given.model, given.sample, given.minutes)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{found['model']}: models test {found['models_test']}; {found['cases']}, {found['seconds']} s")
    print(f"without an answer: {found['without_an_answer']}")
    for what in ("typed", "corrections"):
        for who, figures in found[what].items():
            print(f"{what:12} {who:16} " + "  ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
