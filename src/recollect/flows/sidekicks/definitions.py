"""Which agents there are: ours, the user's own, and those of a repository that a person has trusted once."""

from __future__ import annotations

import hashlib
import os
import time

from recollect.errors import FileError, UsageError
from recollect.files.agent_definitions import OURS, found_files, read_definition
from recollect.files.agents_folders import IN_HOME, IN_REPOSITORY
from recollect.flows.instructions import instructions_of
from recollect.model.record import Record
from recollect.prompts import render
from recollect.settings_table import ROWS
from recollect.sidekicks.definitions import ENVIRONMENT, INSTRUCTIONS, PARALLEL, definition_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from recollect.flows.opened import Opened
    from recollect.sidekicks.definitions import AgentDefinition

RECOLLECT, USER, REPOSITORY = "recollect", "user", "repository"
TRUSTED = "trusted.agents."  # and the repository: which state of its definitions a person has accepted


class FoundAgent(Record):
    """A definition, where it is, and whether it may be used."""

    agent: AgentDefinition | None
    path: str
    is_used: bool
    why: str = ""  # why not


def agents_here(memory: Opened) -> list[AgentDefinition]:
    """Every agent that may be used here; what a person defines goes before ours, a repository's behind both."""
    return [one.agent for one in found_agents(memory) if one.agent and one.is_used]


def find_agent(name: str, memory: Opened) -> AgentDefinition | None:
    """The agent of this name, or None."""
    return next((one for one in agents_here(memory) if one.name == name), None)


def is_flag_on(flag: str, memory: Opened) -> bool:
    """Is the feature of an agent switched on? Off with the memory itself, and for a flag that there is not."""
    settings = memory.settings
    return settings.enabled and flag in ROWS and settings.get(flag) is True


def system_prompt(agent: AgentDefinition, memory: Opened) -> str:
    """What an agent is told: of ours a file, else its own words; then the parts that its definition asks for."""
    here, day = memory.repository, time.strftime("%Y-%m-%d", time.gmtime(memory.now))
    where = f"Folder: {memory.folder}\nRepository: {here.repository or 'none'}\nBranch: {here.branch or 'none'}"
    texts = {
        ENVIRONMENT: f"{where}\nDate: {day}",
        INSTRUCTIONS: instructions_of(memory.root) if INSTRUCTIONS in agent.parts else "",
        PARALLEL: "You may make several tool calls in one answer when none needs the answer of another.",
    }
    own = render(agent.prompt) if agent.source == RECOLLECT else agent.prompt
    return "\n\n".join(filter(None, (own, *(texts.get(part, "") for part in agent.parts))))


def found_agents(memory: Opened) -> list[FoundAgent]:
    """Every definition with whether it is used; of several of one name the first counts."""
    trusted = memory.store.home_value(TRUSTED + memory.root)
    found: list[FoundAgent] = []
    names: set[str] = set()
    for source, path in _paths(memory):
        try:
            said, _ = read_definition(path)
            agent = definition_of(said, path, source=source)
        except (FileError, UsageError) as error:
            found.append(FoundAgent(None, path, False, str(error)))
            continue
        why = "another one has its name" if agent.name in names else ""
        if source == REPOSITORY and trusted != state_of(memory):
            why = "not trusted yet: `recollect agents trust`"
        if not why:
            names.add(agent.name)
        found.append(FoundAgent(agent, path, not why, why))
    return found


def trust(memory: Opened) -> list[FoundAgent]:
    """Accept the definitions of this repository as they are now; when one changes, they are to be trusted again."""
    with memory.store.write():
        memory.store.set_home_value(TRUSTED + memory.root, state_of(memory))
    return found_agents(memory)


def state_of(memory: Opened) -> str:
    """A mark of what the definitions of this repository say; empty when there are none."""
    files = found_files(os.path.join(memory.root, IN_REPOSITORY))
    mark = hashlib.sha256()
    for path in files:
        try:
            _, text = read_definition(path)
        except FileError as error:
            text = str(error)
        mark.update(f"{os.path.basename(path)}\0{text}\0".encode("utf-8", "replace"))
    return mark.hexdigest() if files else ""


def _paths(memory: Opened) -> Iterator[tuple[str, str]]:
    yield from ((USER, path) for path in found_files(os.path.join(memory.home.root, IN_HOME)))
    yield from ((RECOLLECT, path) for path in found_files(OURS))
    if memory.repository.root:
        yield from ((REPOSITORY, path) for path in found_files(os.path.join(memory.root, IN_REPOSITORY)))
