"""skill: instructions in the usual folders, named to the model and loaded when it asks for one."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

from recollect.errors import NotFound, RecollectError
from recollect.files import artifacts
from recollect.files.trees import read_cited
from recollect.flows.chat.toolbox import SKILL, Tool, ToolAnswer, an_object, text
from recollect.model.artifacts import FOLDER
from recollect.model.record import Record
from recollect.suggestions.frontmatter import read_frontmatter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.chat.toolbox import Work
    from recollect.flows.opened import Opened
    from recollect.model.messages import Json

# Below the repository, then below the user's own folder: the nearer one of a name wins.
PLACES = (".recollect/skills", ".claude/skills", ".github/skills", ".agents/skills", ".copilot/skills")
FILE = "SKILL.md"
MOST_SKILLS = 50
LONGEST_DESCRIPTION = 160


class Skill(Record):
    """One skill: its name, when to use it, where it is, and what it says."""

    name: str
    description: str
    path: str
    instructions: str


def find_skills(memory: Opened) -> dict[str, Skill]:
    """The skills that are here, by name."""
    found: dict[str, Skill] = {}
    for root, path in _files(memory):
        if len(found) >= MOST_SKILLS:
            break
        content = read_cited(root, path)
        if content is None:
            continue
        header = read_frontmatter(content)
        name = header.text("name") or os.path.basename(os.path.dirname(path))
        body = "\n".join(content.split("\n")[header.lines :]).strip()
        told = " ".join(header.text("description").split())[:LONGEST_DESCRIPTION]
        found.setdefault(name, Skill(name, told, os.path.join(root, path), body))
    return found


def _files(memory: Opened) -> Iterator[tuple[str, str]]:
    user = memory.environ.get("HOME", "")
    for root in dict.fromkeys(filter(None, (memory.root, user))):
        for place in PLACES:
            for path in sorted(glob.glob(f"{place}/*/{FILE}", root_dir=root)):
                yield root, path
    try:
        name = memory.store.home_value(FOLDER + memory.repository.repository)
        folder = artifacts.current_folder(os.path.join(memory.home.projects, name)) if name else ""
    except RecollectError:
        return
    for path in sorted(glob.glob(f"skills/*/{FILE}", root_dir=folder)) if folder else ():
        yield folder, path


def tools(memory: Opened) -> tuple[Tool, ...]:
    """The tool, when there is a skill to load."""
    skills = find_skills(memory)
    if not skills:
        return ()
    listed = "\n".join(f"- {one.name}: {one.description}".rstrip(": ") for one in skills.values())

    def load(arguments: Json, work: Work) -> ToolAnswer:
        skill = find_skills(work.memory).get(arguments["name"])
        if skill is None:
            raise NotFound(f"There is no skill named {arguments['name']!r:.60}.")
        work.session.invoke_skill(skill.name, skill.instructions)
        return ToolAnswer(f"The skill {skill.name} says:\n\n{skill.instructions}")

    description = f"Load a skill: instructions for a kind of work. Load one when it fits the task.\n{listed}"
    return (Tool("skill", SKILL, description, an_object(("name",), name=text(choices=tuple(skills))), load),)
