"""New customization files: where this repository keeps such things, with the header and name that the host wants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.model.record import Record
from recollect.suggestions.phrasing import Manner, phrased

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recollect.suggestions.customizations import Customization

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1_024
_ABOUT = {
    "style": ("Style", "How code is written in this repository"),
    "testing": ("Testing", "How this repository is tested"),
    "architecture": ("Architecture", "How this repository is built up"),
    "tooling": ("Tooling", "Tools and commands of this repository"),
    "workflow": ("Workflow", "How work is done in this repository"),
    "domain": ("Domain", "What this repository is about"),
}


class NewFile(Record):
    """A file that is not there yet, without its items."""

    path: str
    head: str


class Workflow(Record):
    """Steps that were proven to lead somewhere, in the order they were done; phase 2 of consolidation finds them."""

    name: str
    description: str
    steps: tuple[str, ...]
    fact_ids: tuple[str, ...] = ()
    confidence: float = 0.8


def new_file_for(category: str, files: Sequence[Customization]) -> NewFile:
    """Where a fact of this category goes when no file fits."""
    title, description = _ABOUT[category]
    mine = [one.path for one in files if not one.is_users]
    if any(path.startswith(".github/") for path in mine):
        head = f'---\ndescription: {description}\napplyTo: "**"\n---\n\n# {title}\n\n'
        return NewFile(f".github/instructions/{category}.instructions.md", head)
    if any(path.startswith(".claude/") for path in mine):
        return NewFile(f".claude/rules/{category}.md", f"# {title}\n\n")
    if any(path.startswith(".cursor/") for path in mine):
        head = f"---\ndescription: {description}\nalwaysApply: true\n---\n\n# {title}\n\n"
        return NewFile(f".cursor/rules/{category}.mdc", head)
    if any(path.startswith(".gemini/") for path in mine):
        return NewFile("GEMINI.md", f"# {title}\n\n")
    return NewFile("AGENTS.md", "# AGENTS.md\n\n## Conventions\n\n")


def filled(file: NewFile, statements: Sequence[str]) -> str:
    """The text of a new file with these statements in it."""
    return file.head + "".join(f"- {phrased(one, Manner(codes=True))}\n" for one in statements)


def skill_file(workflow: Workflow, files: Sequence[Customization]) -> NewFile:
    """A skill for a proven workflow, where this repository has its skills; in `.agents` where it has none."""
    name = re.sub(r"[^a-z0-9]+", "-", workflow.name.casefold()).strip("-")[:LONGEST_NAME].rstrip("-") or "workflow"
    homes = [one.path.split("/skills/")[0] for one in files if one.kind == "skill" and not one.is_users]
    home = max(homes, key=homes.count) if homes else ".agents"
    described = " ".join(workflow.description.split()).replace('"', "'")[:LONGEST_DESCRIPTION]
    steps = "".join(f"{number}. {step}\n" for number, step in enumerate(workflow.steps, 1))
    title = workflow.name[:1].upper() + workflow.name[1:].replace("-", " ")
    head = f'---\nname: {name}\ndescription: "{described}"\n---\n\n# {title}\n\n{steps}'
    return NewFile(f"{home}/skills/{name}/SKILL.md", head)
