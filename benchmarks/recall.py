"""How well recall finds what it should and keeps back what it should not, beside plain FTS5 in the same run.

`python -m benchmarks.recall precision FOLDER [--json]`
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from benchmarks import precision

SHOWN_FAILURES = 10


def main(arguments: list[str] | None = None) -> int:
    """Run one set and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall", description=__doc__)
    sets = parser.add_subparsers(dest="set", required=True)
    one = sets.add_parser("precision", help="PrecisionMemBench: beliefs.seed.json and retrieval.cases.json in a folder")
    one.add_argument("folder")
    one.add_argument("--json", action="store_true", help="one JSON document instead of the table")
    options = parser.parse_args(arguments)
    scores = precision.run(options.folder)
    print(json.dumps(document(scores), indent=2, ensure_ascii=False) if options.json else table(scores))
    return 0


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
