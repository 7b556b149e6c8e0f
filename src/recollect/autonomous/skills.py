"""Skills: workflows that succeeded at least twice, as portable SKILL.md files. Changing goes before creating. Pure."""

from __future__ import annotations

import re

from recollect.autonomous.dates import day
from recollect.model.record import Record
from recollect.text.fences import neutralise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LEAST_SESSIONS = 2
STEP_SHARE = 0.5  # of the sessions in which the goal was reached, a step came before it
MOST_STEPS = 6
MOST_NEW = 1  # a pass
LONGEST_DESCRIPTION = 1_024
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_FRONT = re.compile(
    r"\A---\nname: (?P<name>[^\n]+)\ndescription: (?P<description>[^\n]+)\n---\n(?P<body>.*)\Z", re.DOTALL
)
_TITLES = {
    "commit-a-change": "Check and commit a change",
    "open-a-pull-request": "Open a pull request",
    "publish-a-release": "Publish a release",
    "apply-terraform": "Plan and apply infrastructure",
    "deploy": "Deploy",
}


class Skill(Record):
    """A playbook. Its name is the name of its folder."""

    name: str
    description: str
    body: str

    def text(self) -> str:
        """SKILL.md, with nothing in its front matter that only one program knows."""
        return f"---\nname: {self.name}\ndescription: {_plain(self.description)}\n---\n\n{self.body.strip()}\n"


class Succeeded(Record):
    """A workflow as one session did it."""

    goal: str
    steps: tuple[str, ...]
    last: str
    session_id: str
    turn: int
    at: float


def parsed_skill(text: str) -> Skill | None:
    """The skill that a file holds; None when its front matter is not the portable one."""
    found = _FRONT.match(text.replace("\r\n", "\n"))
    if not found:
        return None
    return Skill(found["name"].strip(), found["description"].strip().strip("\"'"), found["body"].strip())


def skills_of(seen: Iterable[Succeeded]) -> list[Skill]:
    """One skill for each goal that several sessions reached by steps that most of them share; the surest first."""
    goals: dict[str, list[Succeeded]] = {}
    for one in seen:
        goals.setdefault(one.goal, []).append(one)
    made = [(len({one.session_id for one in group}), _skill(goal, group)) for goal, group in sorted(goals.items())]
    return [skill for _, skill in sorted(made, key=lambda one: -one[0]) if skill is not None]


def chosen(made: Sequence[Skill], held: Mapping[str, str]) -> list[Skill]:
    """The skills of the next set: those there are, renewed, and at most one that is new."""
    known = [one for one in made if one.name in held]
    return [*known, *[one for one in made if one.name not in held][:MOST_NEW]]


def _skill(goal: str, group: Sequence[Succeeded]) -> Skill | None:
    sessions = {one.session_id for one in group}
    if len(sessions) < LEAST_SESSIONS:
        return None
    steps = _shared(group, len(sessions))
    if not steps:
        return None
    last = max(group, key=lambda one: one.at)
    title = _TITLES.get(goal, goal.replace("-", " ").capitalize())
    named = ", ".join(f"`{step}`" for step in steps)
    description = f"{title} the way it worked here: {named}, then `{last.last}`. Use before running `{last.last}`."
    lines = [f"# {title}", "", f"It was done this way in {len(sessions)} sessions, last on {day(last.at)}.", ""]
    lines += [f"{number}. `{step}`" for number, step in enumerate((*steps, last.last), 1)]
    newest = sorted(group, key=lambda one: -one.at)
    proof = list(dict.fromkeys(f"{one.session_id}#{one.turn} ({day(one.at)})" for one in newest))[:4]
    lines += ["", "Go on to the next step only when one has passed.", "", f"Evidence: {'; '.join(proof)}"]
    return Skill(goal, description, neutralise("\n".join(lines)))


def _shared(group: Sequence[Succeeded], sessions: int) -> list[str]:
    """The steps that enough sessions took, in the order in which they mostly came."""
    where: dict[str, set[str]] = {}
    places: dict[str, list[float]] = {}
    for one in group:
        for number, step in enumerate(one.steps):
            where.setdefault(step, set()).add(one.session_id)
            places.setdefault(step, []).append((number + 1) / len(one.steps))
    least = max(LEAST_SESSIONS, STEP_SHARE * sessions)
    often = [step for step, ids in where.items() if len(ids) >= least]
    often.sort(key=lambda step: (sum(places[step]) / len(places[step]), step))
    return often[:MOST_STEPS]


def _plain(text: str) -> str:
    """One line that any reader of front matter takes as it is: no quotes, no colon followed by a space."""
    line = " ".join(text.split()).replace(": ", " - ").replace(" #", " ").strip("\"'- ")
    return line[:LONGEST_DESCRIPTION]
