"""Workflows: what was run, in which order, before something was committed, published or applied, and passed. Pure."""

from __future__ import annotations

import re

from recollect.model.record import Record
from recollect.sessions.commands import purpose_of
from recollect.sessions.shell import passed, steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.model.sessions import Turn

MOST_STEPS = 8
# What a workflow is for, and the command that completes it. Anchored: a word in an argument completes nothing.
GOALS = (
    ("commit-a-change", re.compile(r"^git commit\b")),
    ("open-a-pull-request", re.compile(r"^(?:gh pr|glab mr) create\b")),
    (
        "publish-a-release",
        re.compile(r"^(?:gh release create|npm publish|pnpm publish|cargo publish|twine upload|uv publish)\b"),
    ),
    ("apply-terraform", re.compile(r"^(?:terraform|tofu) apply\b")),
    ("deploy", re.compile(r"^(?:kubectl apply|helm upgrade|flyctl deploy|fly deploy|vercel deploy|wrangler deploy)\b")),
)
# How much of such a command says what it is, whatever its arguments.
_SHORT = re.compile(
    r"^(?:git \w+|gh \w+ \w+|glab \w+ \w+|(?:terraform|tofu|kubectl|helm|npm|pnpm|cargo|uv) [\w-]+|\S+)"
)
_OF_GOAL = {"apply-terraform": re.compile(r"^(?:terraform|tofu) (?:init|plan|validate|workspace select)\b")}


class Workflow(Record):
    """The steps that came before a goal and passed, in order, and where it was reached."""

    goal: str
    steps: tuple[str, ...]  # without the last
    last: str
    turn: int
    at: float


def workflows(turns: Sequence[Turn]) -> list[Workflow]:
    """Each goal that was reached, with what passed since the last time; nothing where nothing was run before it."""
    found: list[Workflow] = []
    since: list[str] = []
    for turn, command, is_passed in _ran(turns):
        if not is_passed:
            continue
        goal = next((name for name, pattern in GOALS if pattern.match(command)), "")
        if goal:
            own = [one for one in since if purpose_of(one) or _belongs(one, goal)]
            unique = list(dict.fromkeys(reversed(own)))[::-1][-MOST_STEPS:]
            if unique:
                found.append(Workflow(goal, tuple(unique), short(command), turn.number, turn.ended))
            if goal == GOALS[0][0]:
                since = []
        else:
            since.append(command if purpose_of(command) else short(command))
    return found


def short(command: str) -> str:
    """A command without what is about this one call."""
    found = _SHORT.match(command)
    return found[0] if found else command


def _belongs(command: str, goal: str) -> bool:
    pattern = _OF_GOAL.get(goal)
    return bool(pattern and pattern.match(command))


def _ran(turns: Sequence[Turn]) -> Iterator[tuple[Turn, str, bool | None]]:
    for turn in turns:
        for tool in turn.tools:
            if tool.kind == "command" and tool.target:
                for step in steps(tool.target, passed(tool)):
                    yield turn, " ".join(step.command.split()), step.passed
