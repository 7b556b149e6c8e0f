"""How the time of every function that takes text grows with its length: `python -m benchmarks.growth [NAME] [--json]`.

Every public function of `recollect.text` and `recollect.memory` that takes nothing but text is called with generated
strings that are hard on rules: fragments of the rules' own words again and again, brackets and quotes that never close,
long runs of one character, invisible characters, no spaces. Each is timed at a length and at four times that length.
Linear work takes four times as long; more than six times is a failure, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import itertools
import json
import math
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages
from typing import NamedTuple

from benchmarks.growth_texts import texts
from recollect.errors import RecollectError

ROOMS = ("recollect.text", "recollect.memory")
MOST = 6.0  # times the time for four times the text
SHORTEST = 500
LONGEST = 48_000  # characters; four times that is the longest text
ENOUGH = 0.005  # seconds that a run must take before its ratio is believed
SLOW = 0.5  # seconds; what takes that long is not tried at a greater length


class Case(NamedTuple):
    """One function on one kind of text: how much longer four times the text took."""

    function: str
    text: str
    characters: int
    seconds: float
    ratio: float


def functions(rooms: tuple[str, ...] = ROOMS) -> dict[str, Callable[..., object]]:
    """Every public function whose required arguments are all texts, by its whole name."""
    found: dict[str, Callable[..., object]] = {}
    for room in rooms:
        package = import_module(room)
        for module in walk_packages(package.__path__, f"{room}."):
            for name, member in inspect.getmembers(import_module(module.name), _is_function):
                if not name.startswith("_") and member.__module__ == module.name and _texts(member):
                    found[f"{module.name.removeprefix('recollect.')}.{name}"] = member
    return found


def _is_function(member: object) -> bool:
    return inspect.isfunction(inspect.unwrap(member) if callable(member) else member)


def _texts(function: Callable[..., object]) -> int:
    """How many texts it takes, if it needs nothing else."""
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    plain = all(one.annotation == "str" and one.kind is one.POSITIONAL_OR_KEYWORD for one in needed)
    return len(needed) if plain else 0


def measure(name: str, function: Callable[..., object], kind: str, make: Callable[[int], str]) -> Case:
    """Time one function on one kind of text, at a length where the clock can tell."""
    count = _texts(function)
    length = SHORTEST
    short, long = (_seconds(function, count, make, one) for one in (length, 4 * length))
    while long < ENOUGH and length * 4 <= LONGEST:
        length, short, long = length * 4, long, _seconds(function, count, make, 16 * length)
    ratio = _ratio(short, long)
    while long >= ENOUGH and ratio > MOST and long < SLOW:
        # A busy machine and a cache that is too small slow one length; the square of the length shows at every one.
        length, short, long = length * 4, long, _seconds(function, count, make, 16 * length)
        ratio = min(_ratio(short, long), _ratio(max(short, _seconds(function, count, make, length)), long))
    return Case(name, kind, 4 * length, long, ratio if long >= ENOUGH else 0.0)


def _ratio(short: float, long: float) -> float:
    return long / max(short, 1e-6) if long < math.inf else math.inf


_number = itertools.count()


def _seconds(function: Callable[..., object], count: int, make: Callable[[int], str], length: int) -> float:
    """The processor's time for one call; the end of each text is new, so that nothing comes from a cache."""
    arguments = [f"{make(length)} {next(_number)}" for _ in range(count)]
    started = time.process_time()
    try:
        given = function(*arguments)
        if inspect.isgenerator(given):
            list(given)
    except (ValueError, RecollectError):
        pass  # a refusal is an answer
    except RecursionError:
        return math.inf
    return time.process_time() - started


def run(wanted: str = "", rooms: tuple[str, ...] = ROOMS) -> list[Case]:
    """The worst case of each function whose name holds `wanted`."""
    worst: list[Case] = []
    kinds = list(texts())
    gc.disable()
    try:
        for name, function in functions(rooms).items():
            if wanted in name:
                cases = [measure(name, function, kind, make) for kind, make in kinds]
                failed = [case for case in cases if case.ratio > MOST]
                worst += sorted(failed, key=lambda case: -case.ratio) or [max(cases, key=lambda case: case.ratio)]
                gc.collect()
                print(f"{name}: {worst[-1].ratio:.1f}", file=sys.stderr, flush=True)
    finally:
        gc.enable()
    return worst


def table(cases: list[Case]) -> str:
    """The cases as lines, the fastest growing first."""
    lines = [f"{'function':<52} {'4n':>8} {'seconds':>8} {'growth':>7}  text"]
    for case in sorted(cases, key=lambda case: -case.ratio):
        grown = f"{case.ratio:.1f}" if case.ratio else "-"
        mark = "  TOO FAST" if case.ratio > MOST else ""
        lines.append(f"{case.function:<52} {case.characters:>8} {case.seconds:>8.3f} {grown:>7}  {case.text}{mark}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Print how each function grows; 1 when one grows faster than it may."""
    parser = argparse.ArgumentParser(description="Time every function that takes text at n and at 4n.")
    parser.add_argument("name", nargs="?", default="", help="only functions whose name holds this")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    cases = run(options.name)
    failed = [case for case in cases if case.ratio > MOST]
    if options.json:
        print(json.dumps({"most": MOST, "failed": len(failed), "cases": [case._asdict() for case in cases]}, indent=2))
    else:
        print(table(cases))
        print(f"\n{len(failed)} of {len(cases)} grow more than {MOST:g} times for four times the text.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
