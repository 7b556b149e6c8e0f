"""Workflows that consolidation saw succeed, as suggestions of skills for the repository."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.autonomous.keeping import baseline_of, mark
from recollect.autonomous.skills import parsed_skill
from recollect.errors import RecollectError
from recollect.files import artifacts
from recollect.model.suggestions import DISMISSED
from recollect.suggestions.new_files import Workflow
from recollect.suggestions.proposing import skill_for
from recollect.text.secrets.examples import carries_credential

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recollect.flows.opened import Opened
    from recollect.model.suggestions import Proposal
    from recollect.suggestions.customizations import Customization

_STEP = re.compile(r"^\d+[.)]\s+(.+)$", re.MULTILINE)


def skill_proposals(memory: Opened, files: Sequence[Customization]) -> list[Proposal]:
    """A new skill for each workflow that succeeded in at least two sessions here, unless there is one of that name or
    a person did not want it."""
    here = memory.repository.repository
    if not here:
        return []
    refused = {one.target for one in memory.store.suggestions.listed(DISMISSED, repository=here)}
    made = (skill_for(workflow, files) for workflow in proven_workflows(memory))
    found = [one for one in made if one is not None and one.target not in refused]
    return [one for one in found if not carries_credential(one.after)]


def proven_workflows(memory: Opened) -> Iterator[Workflow]:
    """Those of the current artifacts, as they were made: what somebody wrote there by hand proves nothing."""
    project = artifacts.project_folder(memory.home.projects, memory.repository.repository)
    try:
        files = artifacts.read_all(artifacts.current_folder(project))
    except RecollectError:
        return  # none yet, or being repaired
    made = baseline_of(files.pop(artifacts.BASELINE, "")).skills
    for name in sorted(made):
        text = files.get(f"skills/{name}/SKILL.md", "")
        skill = parsed_skill(text) if mark(text) == made[name] else None
        steps = tuple(_STEP.findall(skill.body)) if skill else ()
        if skill and steps:
            yield Workflow(skill.name, skill.description, steps)
