"""What a person cleared: it can be brought back for a while, then nothing of it is left on disk."""

from __future__ import annotations

from recollect.files import artifacts
from recollect.model.artifacts import CLEARED_AT
from recollect.store.home_values import home_values_under, take_home_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.flows.opened import Opened

UNDO_SECONDS = 86_400.0  # where no run comes earlier


def forget_cleared(repository: str, memory: Opened) -> None:
    """Nothing of what was cleared can be brought back any more. Needs a write()."""
    memory.store.extractions.forget_cleared(repository)
    artifacts.forget_cleared(artifacts.project_folder(memory.home.projects, repository))
    take_home_value(memory.store.database, CLEARED_AT + repository)


def forget_long_cleared(memory: Opened) -> None:
    """Forget what was cleared a day ago, also where the background is off and no run comes. Needs a write()."""
    for repository, at in home_values_under(memory.store.database, CLEARED_AT).items():
        if memory.now - float(at) >= UNDO_SECONDS:
            forget_cleared(repository, memory)
