"""Commands that work: for each purpose, the command that last succeeded in a repository, and how often it did."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.summary import passed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from recollect.model.sessions import Turn

PURPOSES = {
    "test": re.compile(
        r"\b(pytest|unittest|tox|nox|vitest|jest|mocha|rspec|phpunit|ctest|gotestsum)\b"
        r"|\b(go|cargo|dotnet|mvn|gradle|gradlew|mix|swift|deno|bun|zig|dart|flutter) (?:\S+ )*?test\b"
        r"|\b(npm|pnpm|yarn|make|just|rake|task|bun|uv|poetry|hatch)(?: run)? (?:\S+ )*?(test|check)\S*\b"
    ),
    "build": re.compile(
        r"\b(npm|pnpm|yarn|bun|make|just|task)(?: run)? (?:\S+ )*?(build|compile|bundle)\S*\b"
        r"|\b(go|cargo|dotnet|mvn|gradle|gradlew|swift|zig|flutter) (?:\S+ )*?(build|package|assemble|publish)\b"
        r"|\b(tsc|webpack|vite build|cmake --build|docker build|python -m build)\b"
    ),
    "lint": re.compile(
        r"\b(ruff|eslint|biome|flake8|pylint|mypy|pyright|clippy|golangci-lint|rubocop|stylelint|prettier|shellcheck)\b"
        r"|\b(npm|pnpm|yarn|bun|make|just|task)(?: run)? (?:\S+ )*?(lint|format|fmt|typecheck)\S*\b"
        r"|\b(go vet|gofmt|cargo fmt)\b"
    ),
    "run": re.compile(
        r"\b(npm|pnpm|yarn|bun)(?: run)? (start|dev|serve|preview)\b|\b(make|just) (run|dev|serve|start|up)\b"
        r"|\b(flask|uvicorn|gunicorn|rails) \S+|\bcargo run\b|\bgo run\b|\bdocker compose up\b|\bmanage\.py runserver\b"
    ),
}
LONGEST_COMMAND = 120
# What is about this one call, not about how the thing is done here.
_ONE_OFF = re.compile(
    r"[|;<>\n]|&&|\$\(|`|^\s*(cd|git|echo|cat|ls|grep|rm|cp|mv|curl)\b|/tmp/|::|\s-k\s|\s--grep\b"
    r"|\s(?!Makefile|manage\.py)\S+\.[a-z]{1,4}(?=\s|$)"
)
LEAST_PROOF = 2


class Working(Record):
    """A command that works for a purpose."""

    purpose: str
    command: str
    proof: int  # how often it succeeded
    last: float


def working_commands(turns: Iterable[Turn]) -> list[Working]:
    """For each purpose the command that succeeded most often, the later one on a tie; once may be chance."""
    found: dict[tuple[str, str], Working] = {}
    for turn in turns:
        for tool in turn.tools:
            command = " ".join(tool.target.split())
            purpose = purpose_of(command) if tool.kind == "command" and passed(tool) is True else ""
            if purpose:
                known = found.get((purpose, command), Working(purpose, command, 0, 0.0))
                found[purpose, command] = known._replace(proof=known.proof + 1, last=max(known.last, turn.ended))
    best: dict[str, Working] = {}
    for one in sorted(found.values(), key=lambda one: (one.proof, one.last)):
        best[one.purpose] = one
    return [one for one in best.values() if one.proof >= LEAST_PROOF]


def purpose_of(command: str) -> str:
    """What a command is for: test, build, lint or run; an empty text for anything else and for one-off calls."""
    if len(command) > LONGEST_COMMAND or _ONE_OFF.search(command):
        return ""
    for purpose, pattern in PURPOSES.items():
        if pattern.search(command):
            return purpose
    return ""
