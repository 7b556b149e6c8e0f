"""How well recall finds what it should and keeps back what it should not, beside plain FTS5 in the same run.

`python -m benchmarks.recall precision FOLDER [--without-aliases] [--json]`
`python -m benchmarks.recall locomo|longmemeval|beam FILE [--semantic] [--json]` (`.xz` and `.tar.xz` as they are)
`python -m benchmarks.recall transcripts FOLDER [--semantic] [--json]` (session logs of any host)
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from benchmarks import beam, locomo, longmemeval, precision, searching, transcripts
from benchmarks.data_sets import data_set

SHOWN_FAILURES = 10
CONVERSATIONS: dict[str, Any] = {
    "locomo": locomo,
    "longmemeval": longmemeval,
    "beam": beam,
    "transcripts": transcripts,
}


def main(arguments: list[str] | None = None) -> int:
    """Run one set and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    sets = parser.add_subparsers(dest="set", required=True)
    one = sets.add_parser("precision", help="PrecisionMemBench: beliefs.seed.json and retrieval.cases.json in a folder")
    one.add_argument("folder", type=data_set)
    one.add_argument("--without-aliases", action="store_true", help="as plain `remember` stores it: no aliases by hand")
    one.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    for name, module in CONVERSATIONS.items():
        one = sets.add_parser(name, help=str(module.__doc__).split(":")[0])
        one.add_argument("path", type=data_set)
        one.add_argument("--semantic", action="store_true", help="with the vectors of the extra, too")
        one.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    if options.set in CONVERSATIONS:
        module = CONVERSATIONS[options.set]
        results = searching.run(module, module.read(options.path), semantic=options.semantic)
        shown = {"set": options.set, "systems": {result.name: result.document() for result in results}}
        print(json.dumps(shown, indent=2) if options.json else results_table(shown["systems"]))
        return 0
    scores = precision.run(options.folder, without_aliases=options.without_aliases)
    print(json.dumps(document(scores), indent=2, ensure_ascii=False) if options.json else table(scores))
    return 0


def results_table(systems: dict[str, Any]) -> str:
    """Measure by measure, every system with its mean and the interval it lies in 95 times of 100."""
    lines = []
    for measure, about in next(iter(systems.values()))["measures"].items():
        lines.append(f"{measure}  ({about['questions']} questions)")
        for name, system in systems.items():
            own = system["measures"].get(measure)
            if own:
                kinds = "  ".join(f"{kind} {mean}" for kind, mean in own["kinds"].items())
                lines.append(f"  {name:<20}{own['mean']:>6.1f}  [{own['low']:.1f}, {own['high']:.1f}]   {kinds}")
        lines.append("")
    lines += [
        f"{name:<22}{times['cpu_p50']:.1f} ms p50, {times['cpu_p95']:.1f} ms p95 (processor)"
        for name, times in ((name, system["milliseconds"]) for name, system in systems.items())
    ]
    return "\n".join(lines)


def document(scores: list[precision.Score]) -> dict[str, Any]:
    """Every system with its numbers and the cases it got wrong."""
    return {
        "set": "precision",
        "systems": {
            score.name: {
                "exact": score.exact,
                "cases": score.cases,
                "precision": round(score.precision, 4),
                "recall": round(score.recall, 4),
                "failures": score.failures,
            }
            for score in scores
        },
    }


def table(scores: list[precision.Score]) -> str:
    """The same for people, with the first cases that ours got wrong."""
    lines = [f"{'':<16}{'exact':>10}{'precision':>12}{'recall':>10}"]
    lines += [
        f"{score.name:<16}{f'{score.exact}/{score.cases}':>10}{score.precision:>12.3f}{score.recall:>10.3f}"
        for score in scores
    ]
    for failure in scores[0].failures[:SHOWN_FAILURES]:
        lines += ["", f"{failure['case']}: {failure['query']}"]
        lines += [f"  wanted  {', '.join(failure['wanted']) or '-'}", f"  given   {', '.join(failure['given']) or '-'}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
